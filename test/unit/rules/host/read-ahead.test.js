'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const KiB = 2 ** 10;
const ahead = (bytes, more = {}) => ({ 'disk.name': 'sdb', 'disk.readAheadBytes': bytes, ...more });
const FIX = ['/sys/block/sdb/queue/read_ahead_kb=16 back /sys/block/sdb/queue/read_ahead_kb=129'];

testHostRule(__filename, [
  ['as the manual asks', ahead(16 * KiB), 'ok'],
  [
    "the kernel's default, however it reads",
    ahead(128 * KiB, { 'disk.readsPerSec': 1000, 'disk.readBytesPerSec': 1e9 }),
    'ok',
    /up to 128 KiB in advance on sdb/,
  ],
  ['more', ahead(129 * KiB), 'info', /more than its default; the reads of this time show no harm/],
  [
    'more, and reads of as much',
    ahead(129 * KiB, { 'disk.readsPerSec': 50, 'disk.readBytesPerSec': 50 * 64 * KiB }),
    'warning',
    /50 reads a second bring 64 KiB each/,
    FIX,
  ],
  [
    'smaller reads',
    ahead(129 * KiB, { 'disk.readsPerSec': 50, 'disk.readBytesPerSec': 50 * 64 * KiB - 1 }),
    'info',
  ],
  [
    'few reads',
    ahead(129 * KiB, { 'disk.readsPerSec': 49, 'disk.readBytesPerSec': 49 * 128 * KiB }),
    'info',
  ],
]);
