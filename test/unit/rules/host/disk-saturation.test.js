'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const disk = (busy, more = {}) => ({
  'disk.name': 'sda',
  'disk.busyRatio': busy,
  'disk.queue': 12,
  ...more,
});
const MiB = 2 ** 20;

testHostRule(__filename, [
  [
    'room',
    disk(0.899, { 'disk.readMs': 50 }),
    'ok',
    /busy for 89\.9 % of the time, with 12 requests under way/,
  ],
  [
    'busy and quick',
    disk(0.9, { 'disk.readMs': 10, 'disk.writeMs': 10 }),
    'info',
    /still answers quickly/,
  ],
  ['busy, reads wait', disk(0.9, { 'disk.readMs': 10.1 }), 'warning', /it is the limit/],
  ['busy, writes wait', disk(0.95, { 'disk.writeMs': 11 }), 'warning'],
  ['a disk that turns', disk(0.9, { 'disk.isRotational': true }), 'warning'],
  [
    'with its rates',
    disk(0.5, {
      'disk.readBytesPerSec': MiB,
      'disk.writtenBytesPerSec': 2 * MiB,
      'disk.readsPerSec': 10,
      'disk.writesPerSec': 20,
    }),
    'ok',
    /1 MiB\/s read in 10 requests, 2 MiB\/s written in 20\./,
  ],
  [
    'with some of its rates',
    disk(0.5, { 'disk.readBytesPerSec': MiB, 'disk.writtenBytesPerSec': 2 * MiB }),
    'ok',
    /1 MiB\/s read, 2 MiB\/s written\./,
  ],
]);
