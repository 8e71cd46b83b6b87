'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const disk = (busy, more = {}) => ({
  'disk.name': 'sda',
  'disk.busyRatio': busy,
  'disk.queue': 12,
  ...more,
});
const MiB = 2 ** 20;

testHostRule(__filename, [
  ['room', disk(0.899, { 'disk.readMs': 50 }), 'ok', 'fine', { busyRatio: 0.899, queue: 12 }],
  [
    'busy and quick',
    disk(0.9, { 'disk.readMs': 10, 'disk.writeMs': 10 }),
    'info',
    'busy-but-quick',
  ],
  ['busy, reads wait', disk(0.9, { 'disk.readMs': 10.1 }), 'warning', 'at-limit'],
  ['busy, writes wait', disk(0.95, { 'disk.writeMs': 11 }), 'warning', 'at-limit'],
  ['a disk that turns', disk(0.9, { 'disk.isRotational': true }), 'warning', 'at-limit'],
  [
    'with its rates',
    disk(0.5, {
      'disk.readBytesPerSec': MiB,
      'disk.writtenBytesPerSec': 2 * MiB,
      'disk.readsPerSec': 10,
      'disk.writesPerSec': 20,
    }),
    'ok',
    'fine',
    {
      readBytesPerSec: 1 * 2 ** 20,
      writtenBytesPerSec: 2 * 2 ** 20,
      readsPerSec: 10,
      writesPerSec: 20,
    },
  ],
  [
    'with some of its rates',
    disk(0.5, { 'disk.readBytesPerSec': MiB, 'disk.writtenBytesPerSec': 2 * MiB }),
    'ok',
    'fine',
    { readBytesPerSec: 1 * 2 ** 20, writtenBytesPerSec: 2 * 2 ** 20 },
  ],
]);
