'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');
const { testRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

const with_ = (/** @type {any} */ more) => ({ ...HEALTHY, ...more });

testRule(__filename, [
  [
    'a quick disk with room',
    HEALTHY,
    'ok',
    /The disk nvme0n1 is busy 5\.0 % of the time and takes 0\.2 ms for a read \(10 a second\) and 0\.5 ms for a write \(40 a second\)\./,
  ],
  ['reads of 20 ms', with_({ 'disk.readMs': 20 }), 'warning', /takes 20 ms for a read/, /IOPS/],
  ['a little quicker', with_({ 'disk.readMs': 19.9 }), 'ok'],
  ['slow, but few', with_({ 'disk.readMs': 60, 'disk.readsPerSec': 4.9 }), 'ok'],
  ['slow, and five a second', with_({ 'disk.readMs': 60, 'disk.readsPerSec': 5 }), 'warning'],
  [
    'slow writes of a disk with room',
    with_({ 'disk.writeMs': 20, 'disk.busyRatio': 0.79 }),
    'info',
  ],
  ['slow writes of a busy one', with_({ 'disk.writeMs': 20, 'disk.busyRatio': 0.8 }), 'warning'],
  [
    'quick writes of a busy one: flash that does much at once',
    with_({ 'disk.writeMs': 0.3, 'disk.busyRatio': 1 }),
    'ok',
  ],
  [
    'few slow writes',
    with_({ 'disk.writeMs': 90, 'disk.writesPerSec': 4, 'disk.busyRatio': 1 }),
    'ok',
  ],
]);

const disk = (more = {}) => ({
  'disk.name': 'sda',
  'disk.readsPerSec': 5,
  'disk.writesPerSec': 5,
  'disk.readMs': 1,
  'disk.writeMs': 1,
  'disk.isRotational': false,
  ...more,
});

testHostRule(__filename, [
  [
    'quick',
    disk({ 'disk.model': 'SSD' }),
    'ok',
    /The disk sda \(SSD\) takes 1 ms for a read \(5 a second\) and 1 ms for a write/,
  ],
  ['flash, nearly 10 ms for a read', disk({ 'disk.readMs': 9.9 }), 'ok'],
  ['10 ms', disk({ 'disk.readMs': 10 }), 'warning', /10 ms for a read/],
  ['a disk of unknown kind', disk({ 'disk.readMs': 19.9, 'disk.isRotational': undefined }), 'ok'],
  ['20 ms of it', disk({ 'disk.readMs': 20, 'disk.isRotational': undefined }), 'warning'],
  ['more, too few of them', disk({ 'disk.readMs': 50, 'disk.readsPerSec': 4.9 }), 'ok'],
  ['an HDD', disk({ 'disk.readMs': 29.9, 'disk.isRotational': true }), 'ok'],
  ['a slow one', disk({ 'disk.readMs': 30, 'disk.isRotational': true }), 'warning'],
  ['fast writes', disk({ 'disk.writeMs': 9.9 }), 'ok'],
  ['writes in a wave', disk({ 'disk.writeMs': 10 }), 'info', /written in waves/],
  ['nearly 100 ms for a write', disk({ 'disk.writeMs': 99.9 }), 'info'],
  ['100 ms', disk({ 'disk.writeMs': 100 }), 'warning'],
  ['20 ms on a busy disk', disk({ 'disk.writeMs': 20, 'disk.busyRatio': 0.8 }), 'warning'],
  ['on one with headroom', disk({ 'disk.writeMs': 20, 'disk.busyRatio': 0.79 }), 'info'],
  [
    '20 ms on a busy HDD',
    disk({ 'disk.writeMs': 20, 'disk.busyRatio': 0.8, 'disk.isRotational': true }),
    'ok',
  ],
  ['more, too few writes', disk({ 'disk.writeMs': 101, 'disk.writesPerSec': 4.9 }), 'ok'],
  [
    'nothing to do',
    disk({
      'disk.readsPerSec': 0,
      'disk.writesPerSec': 0,
      'disk.readMs': undefined,
      'disk.writeMs': undefined,
    }),
    'ok',
    /takes no reads and no writes/,
  ],
]);
