'use strict';

const { testRule, testHostRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

const MiB = 2 ** 20;
const STALLED = {
  ...HEALTHY,
  'stalls.share': 0.15,
  'stalls.inWritebackRatio': 0.8,
  'writeback.dirtyPageBytesMax': 180 * MiB,
  'disk.writtenBytesPerSecMax': 25e6,
};

testRule(__filename, [
  ['no stall', HEALTHY, 'ok', 'fine', { stalledShare: 0, dirtyBytesMax: 20.5 * 2 ** 20 }],
  [
    'stalls while unwritten data falls',
    STALLED,
    'warning',
    'by-writeback',
    { stalledShare: 0.15, inWritebackRatio: 0.8 },
  ],
  ['at a twentieth of the time', { ...STALLED, 'stalls.share': 0.05 }, 'warning', 'by-writeback'],
  ['less', { ...STALLED, 'stalls.share': 0.049 }, 'ok', 'fine'],
  ['for half of it', { ...STALLED, 'stalls.inWritebackRatio': 0.5 }, 'warning', 'by-writeback'],
  [
    'for less of it',
    { ...STALLED, 'stalls.inWritebackRatio': 0.49 },
    'info',
    'partly-by-writeback',
    { inWritebackRatio: 0.49 },
  ],
  [
    'for none of it: something else',
    { ...STALLED, 'stalls.inWritebackRatio': 0 },
    'ok',
    'other-cause',
  ],
  [
    'the machine not known',
    { ...STALLED, 'stalls.inWritebackRatio': undefined },
    'info',
    'cause-not-known',
  ],
]);

const GiB = 2 ** 30;
const by = (limit, more = {}) => ({
  'writeback.limitBytes': limit,
  'writeback.backgroundBytes': limit / 2,
  'writeback.dirtyBytes': 0,
  'writeback.dirtyBackgroundBytes': 0,
  'writeback.dirtyRatioPercent': 20,
  'writeback.dirtyBackgroundRatioPercent': 10,
  ...more,
});
const FIXES = [
  'vm.dirty_background_bytes=67108864 back vm.dirty_background_ratio=10',
  'vm.dirty_bytes=536870912 back vm.dirty_ratio=20',
];
const FIXES_SLOW = [
  'vm.dirty_background_bytes=16777216 back vm.dirty_background_ratio=10',
  'vm.dirty_bytes=134217728 back vm.dirty_ratio=20',
];
const inGroup = (version, limit) => ({
  'memory.cgroupVersion': version,
  'memory.limitBytes': limit,
  'memory.availableBytes': 40 * GiB,
});
// Requests of 64 KiB, eight in line.
const atLimit = (rate, more = {}) => ({
  'disk.seconds': [
    {
      writtenBytesPerSec: rate,
      readBytesPerSec: 0,
      writesPerSec: rate / 65536,
      busyRatio: 0.9,
      queue: 8,
      ...more,
    },
  ],
});

testHostRule(__filename, [
  [
    'a small host',
    by(GiB - 1),
    'ok',
    'fine',
    { backgroundBytes: 512 * 2 ** 20, toLimitBytes: 512 * 2 ** 20 },
  ],
  ['a gigabyte', by(GiB), 'info', 'waves', { limitBytes: 1 * 2 ** 30 }, FIXES],
  [
    'by bytes, and back to them',
    by(4 * GiB, { 'writeback.dirtyBytes': 4 * GiB, 'writeback.dirtyBackgroundBytes': 2 * GiB }),
    'info',
    'waves',
    { limitBytes: 4 * 2 ** 30 },
    [
      'vm.dirty_background_bytes=67108864 back vm.dirty_background_bytes=2147483648',
      'vm.dirty_bytes=536870912 back vm.dirty_bytes=4294967296',
    ],
  ],
  [
    'a fast disk at its limit',
    by(4 * GiB, atLimit((4 * GiB) / 4.99)),
    'ok',
    'fine',
    { diskBytesPerSec: 821 * 2 ** 20 },
  ],
  ['one that needs five seconds', by(4 * GiB, atLimit((4 * GiB) / 5)), 'info', 'waves', {}, FIXES],
  ['one that needs thirty', by(4 * GiB, atLimit((4 * GiB) / 30)), 'warning', 'waves', {}, FIXES],
  [
    'a slow disk on a small host',
    by(600 * MiB, atLimit(25 * MiB)),
    'info',
    'waves',
    {},
    FIXES_SLOW,
  ],
  [
    'a disk of 50 MiB/s: as much as it writes in two thirds of a second',
    by(600 * MiB, atLimit(50 * MiB)),
    'info',
    'waves',
    {},
    [
      'vm.dirty_background_bytes=33554432 back vm.dirty_background_ratio=10',
      'vm.dirty_bytes=268435456 back vm.dirty_ratio=20',
    ],
  ],
  [
    'so little that it stops writers all the time',
    by(16 * MiB - 1, {
      'writeback.dirtyBytes': 16 * MiB - 1,
      'writeback.dirtyBackgroundBytes': 8 * MiB,
    }),
    'warning',
    'too-little',
    {},
    [
      'vm.dirty_background_bytes=67108864 back vm.dirty_background_bytes=8388608',
      `vm.dirty_bytes=536870912 back vm.dirty_bytes=${16 * MiB - 1}`,
    ],
  ],
  ['just enough', by(16 * MiB, { 'writeback.dirtyBytes': 16 * MiB }), 'ok', 'fine'],
  ['little for a small host, by ratio', by(15 * MiB), 'ok', 'fine'],
  ['a slow disk with lower limits already', by(128 * MiB, atLimit(4 * MiB)), 'ok', 'fine'],
  ['a fast disk with the usual limits already', by(512 * MiB, atLimit(100 * MiB)), 'ok', 'fine'],
  [
    'reads that go beside count',
    by(4 * GiB, atLimit(GiB / 2, { readBytesPerSec: GiB / 2 })),
    'ok',
    'fine',
    { diskBytesPerSec: 1 * 2 ** 30 },
  ],
  [
    'the best second counts',
    by(4 * GiB, {
      'disk.seconds': [...atLimit(MiB)['disk.seconds'], ...atLimit(2 * GiB)['disk.seconds']],
    }),
    'ok',
    'fine',
    { backgroundBytes: 2 * 2 ** 30, diskBytesPerSec: 2 * 2 ** 30 },
  ],
  [
    'in a group with a tenth of the memory: a tenth of the limit',
    by(10 * GiB - 10, inGroup(2, 4 * GiB)),
    'ok',
    'fine',
    { limitBytes: 1 * 2 ** 30 },
  ],
  [
    'and in one with a little more',
    by(10 * GiB + 10, inGroup(2, 4 * GiB)),
    'info',
    'waves',
    { limitBytes: 1 * 2 ** 30 },
    FIXES,
  ],
  [
    'a group with more than is available',
    by(GiB - 1, inGroup(2, 80 * GiB)),
    'ok',
    'fine',
    { limitBytes: 1 * 2 ** 30 },
  ],
  ['version 1 has no such share', by(GiB, inGroup(1, 4 * GiB)), 'info', 'waves', {}, FIXES],
  [
    'not busy: its rate says nothing',
    by(600 * MiB, atLimit(MiB, { busyRatio: 0.89 })),
    'ok',
    'fine',
    { limitBytes: 600 * 2 ** 20 },
  ],
  [
    'one sync after another: nor then',
    by(600 * MiB, atLimit(MiB, { queue: 7.9 })),
    'ok',
    'fine',
    { limitBytes: 600 * 2 ** 20 },
  ],
  [
    'small requests: nor then',
    by(600 * MiB, atLimit(MiB, { writesPerSec: 17 })),
    'ok',
    'fine',
    { limitBytes: 600 * 2 ** 20 },
  ],
  [
    'nothing written: nor then',
    by(600 * MiB, atLimit(0, { writesPerSec: 0 })),
    'ok',
    'fine',
    { limitBytes: 600 * 2 ** 20 },
  ],
  ['on ZFS', by(GiB, { 'files.type': 'zfs' }), 'ok', 'not-reached'],
]);
