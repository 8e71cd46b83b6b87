'use strict';

const { testRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

const with_ = (/** @type {any} */ more) => ({ ...HEALTHY, ...more });

testRule(__filename, [
  [
    'a quick disk with room',
    HEALTHY,
    'ok',
    /The disk nvme0n1 is at work 5\.0 % of the time, and one read takes 0\.2 ms, and one write takes 0\.5 ms\./,
  ],
  ['reads of 20 ms', with_({ 'disk.readMs': 20 }), 'warning', /one read takes 20 ms/, /IOPS/],
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
