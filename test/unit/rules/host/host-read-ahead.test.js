'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const KiB = 2 ** 10;
const ahead = (bytes, more = {}) => ({ 'disk.name': 'sdb', 'disk.readAheadBytes': bytes, ...more });
const FIX = ['/sys/block/sdb/queue/read_ahead_kb=16 back /sys/block/sdb/queue/read_ahead_kb=129'];

testHostRule(__filename, [
  ['as the manual asks', ahead(16 * KiB), 'ok', 'fine'],
  [
    "the kernel's default, however it reads",
    ahead(128 * KiB, { 'disk.readsPerSec': 1000, 'disk.readBytesPerSec': 1e9 }),
    'ok',
    'fine',
    { name: 'sdb', aheadBytes: 131100 },
  ],
  ['more', ahead(129 * KiB), 'info', 'large'],
  [
    'more, and reads of as much',
    ahead(129 * KiB, { 'disk.readsPerSec': 50, 'disk.readBytesPerSec': 50 * 64 * KiB }),
    'warning',
    'large-reads',
    { readsPerSec: 50, bytesPerRead: 65540 },
    FIX,
  ],
  [
    'smaller reads',
    ahead(129 * KiB, { 'disk.readsPerSec': 50, 'disk.readBytesPerSec': 50 * 64 * KiB - 1 }),
    'info',
    'large',
  ],
  [
    'few reads',
    ahead(129 * KiB, { 'disk.readsPerSec': 49, 'disk.readBytesPerSec': 49 * 128 * KiB }),
    'info',
    'large',
  ],
]);
