'use strict';

const { testRule, testHostRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

const with_ = (/** @type {any} */ more) => ({ ...HEALTHY, ...more });

testRule(__filename, [
  [
    'a quick disk with room',
    HEALTHY,
    'ok',
    'fine',
    {
      name: 'nvme0n1',
      busyRatio: 0.05,
      readMs: 0.2,
      readsPerSec: 10,
      writeMs: 0.5,
      writesPerSec: 40,
    },
  ],
  ['reads of 20 ms', with_({ 'disk.readMs': 20 }), 'warning', 'slow-reads', { readMs: 20 }],
  ['a little quicker', with_({ 'disk.readMs': 19.9 }), 'ok', 'fine'],
  ['slow, but few', with_({ 'disk.readMs': 60, 'disk.readsPerSec': 4.9 }), 'ok', 'fine'],
  [
    'slow, and five a second',
    with_({ 'disk.readMs': 60, 'disk.readsPerSec': 5 }),
    'warning',
    'slow-reads',
  ],
  [
    'slow writes of a disk with room',
    with_({ 'disk.writeMs': 20, 'disk.busyRatio': 0.79 }),
    'info',
    'waves',
  ],
  [
    'slow writes of a busy one',
    with_({ 'disk.writeMs': 20, 'disk.busyRatio': 0.8 }),
    'warning',
    'slow-writes',
  ],
  [
    'quick writes of a busy one: flash that does much at once',
    with_({ 'disk.writeMs': 0.3, 'disk.busyRatio': 1 }),
    'ok',
    'fine',
  ],
  [
    'few slow writes',
    with_({ 'disk.writeMs': 90, 'disk.writesPerSec': 4, 'disk.busyRatio': 1 }),
    'ok',
    'fine',
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
    'fine',
    { name: 'sda', model: 'SSD', readMs: 1, readsPerSec: 5, writeMs: 1, writesPerSec: 5 },
  ],
  ['flash, nearly 10 ms for a read', disk({ 'disk.readMs': 9.9 }), 'ok', 'fine'],
  ['10 ms', disk({ 'disk.readMs': 10 }), 'warning', 'slow-reads', { readMs: 10 }],
  [
    'a disk of unknown kind',
    disk({ 'disk.readMs': 19.9, 'disk.isRotational': undefined }),
    'ok',
    'fine',
  ],
  [
    '20 ms of it',
    disk({ 'disk.readMs': 20, 'disk.isRotational': undefined }),
    'warning',
    'slow-reads',
  ],
  ['more, too few of them', disk({ 'disk.readMs': 50, 'disk.readsPerSec': 4.9 }), 'ok', 'fine'],
  ['an HDD', disk({ 'disk.readMs': 29.9, 'disk.isRotational': true }), 'ok', 'fine'],
  ['a slow one', disk({ 'disk.readMs': 30, 'disk.isRotational': true }), 'warning', 'slow-reads'],
  ['fast writes', disk({ 'disk.writeMs': 9.9 }), 'ok', 'fine'],
  ['writes in a wave', disk({ 'disk.writeMs': 10 }), 'info', 'waves'],
  ['nearly 100 ms for a write', disk({ 'disk.writeMs': 99.9 }), 'info', 'waves'],
  ['100 ms', disk({ 'disk.writeMs': 100 }), 'warning', 'slow-writes'],
  [
    '20 ms on a busy disk',
    disk({ 'disk.writeMs': 20, 'disk.busyRatio': 0.8 }),
    'warning',
    'slow-writes',
  ],
  ['on one with headroom', disk({ 'disk.writeMs': 20, 'disk.busyRatio': 0.79 }), 'info', 'waves'],
  [
    '20 ms on a busy HDD',
    disk({ 'disk.writeMs': 20, 'disk.busyRatio': 0.8, 'disk.isRotational': true }),
    'ok',
    'fine',
  ],
  ['more, too few writes', disk({ 'disk.writeMs': 101, 'disk.writesPerSec': 4.9 }), 'ok', 'fine'],
  [
    'nothing to do',
    disk({
      'disk.readsPerSec': 0,
      'disk.writesPerSec': 0,
      'disk.readMs': undefined,
      'disk.writeMs': undefined,
    }),
    'ok',
    'fine',
  ],
]);
