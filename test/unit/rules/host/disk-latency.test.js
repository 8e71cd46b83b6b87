'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const disk = (more = {}) => ({
  'disk.name': 'sda',
  'disk.readsPerSec': 5,
  'disk.writesPerSec': 5,
  'disk.readMs': 1,
  'disk.writeMs': 1,
  ...more,
});

testHostRule(__filename, [
  [
    'quick',
    disk({ 'disk.model': 'SSD' }),
    'ok',
    /Disk sda \(SSD\) takes 1 ms for a read \(5 a second\) and 1 ms for a write/,
  ],
  ['10 ms for a read', disk({ 'disk.readMs': 10 }), 'ok'],
  ['more', disk({ 'disk.readMs': 10.1 }), 'warning', /10\.1 ms for a read/],
  ['more, too few of them', disk({ 'disk.readMs': 50, 'disk.readsPerSec': 4.9 }), 'ok'],
  ['a disk that turns', disk({ 'disk.readMs': 30, 'disk.isRotational': true }), 'ok'],
  ['a slow one that turns', disk({ 'disk.readMs': 31, 'disk.isRotational': true }), 'warning'],
  ['writes in a wave', disk({ 'disk.writeMs': 11 }), 'info', /written in waves/],
  ['100 ms for a write', disk({ 'disk.writeMs': 100 }), 'info'],
  ['more for a write', disk({ 'disk.writeMs': 101 }), 'warning'],
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
