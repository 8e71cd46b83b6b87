'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');
const { testRule } = require('../../../support/rule-tester');
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
  [
    'no standstill',
    HEALTHY,
    'ok',
    /stood still for 0\.0 % of the time; at most 20\.5 MiB were not yet written/,
  ],
  [
    'standstills while unwritten data falls',
    STALLED,
    'warning',
    /15\.0 % of the time, 80\.0 % of that/,
    /180 MiB .*dirty_background_bytes=16777216 vm\.dirty_bytes=134217728/,
  ],
  ['at a twentieth of the time', { ...STALLED, 'stalls.share': 0.05 }, 'warning'],
  ['less', { ...STALLED, 'stalls.share': 0.049 }, 'ok'],
  ['for half of it', { ...STALLED, 'stalls.inWritebackRatio': 0.5 }, 'warning'],
  ['for less of it', { ...STALLED, 'stalls.inWritebackRatio': 0.49 }, 'info', /49\.0 % of that/],
  [
    'for none of it: something else',
    { ...STALLED, 'stalls.inWritebackRatio': 0 },
    'ok',
    /was not why/,
  ],
  [
    'the machine not known',
    { ...STALLED, 'stalls.inWritebackRatio': undefined },
    'info',
    /is not known/,
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
    /starts to write at 512 MiB of unwritten data, and stops writers at 1,?0?2?4? ?[MG]iB/,
  ],
  ['a gigabyte', by(GiB), 'info', /stops writers at 1 GiB: enough for waves/, FIXES],
  [
    'by bytes, and back to them',
    by(4 * GiB, { 'writeback.dirtyBytes': 4 * GiB, 'writeback.dirtyBackgroundBytes': 2 * GiB }),
    'info',
    /4 GiB/,
    [
      'vm.dirty_background_bytes=67108864 back vm.dirty_background_bytes=2147483648',
      'vm.dirty_bytes=536870912 back vm.dirty_bytes=4294967296',
    ],
  ],
  [
    'a fast disk at its limit',
    by(4 * GiB, atLimit((4 * GiB) / 4.99)),
    'ok',
    /for which this disk needs 4\.99 s \(at its limit it moves 821 MiB\/s\)/,
  ],
  [
    'one that needs five seconds',
    by(4 * GiB, atLimit((4 * GiB) / 5)),
    'info',
    /needs 5 s .*: enough for waves/,
    FIXES,
  ],
  ['one that needs thirty', by(4 * GiB, atLimit((4 * GiB) / 30)), 'warning', /needs 30 s/, FIXES],
  [
    'a slow disk on a small host',
    by(600 * MiB, atLimit(25 * MiB)),
    'info',
    /needs 24 s/,
    FIXES_SLOW,
  ],
  [
    'a disk of 50 MiB/s: as much as it writes in two thirds of a second',
    by(600 * MiB, atLimit(50 * MiB)),
    'info',
    /needs 12 s/,
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
    /so little that it stops them all the time/,
    [
      'vm.dirty_background_bytes=67108864 back vm.dirty_background_bytes=8388608',
      `vm.dirty_bytes=536870912 back vm.dirty_bytes=${16 * MiB - 1}`,
    ],
  ],
  ['just enough', by(16 * MiB, { 'writeback.dirtyBytes': 16 * MiB }), 'ok'],
  ['little for a small host, by ratio', by(15 * MiB), 'ok'],
  ['a slow disk with lower limits already', by(128 * MiB, atLimit(4 * MiB)), 'ok'],
  [
    'a fast disk with the usual limits already',
    by(512 * MiB, atLimit(100 * MiB)),
    'ok',
    /needs 5\.12 s/,
  ],
  [
    'reads that go beside count',
    by(4 * GiB, atLimit(GiB / 2, { readBytesPerSec: GiB / 2 })),
    'ok',
    /1 GiB\/s/,
  ],
  [
    'the best second counts',
    by(4 * GiB, {
      'disk.seconds': [...atLimit(MiB)['disk.seconds'], ...atLimit(2 * GiB)['disk.seconds']],
    }),
    'ok',
    /2 GiB\/s/,
  ],
  [
    'in a group with a tenth of the memory: a tenth of the limit',
    by(10 * GiB - 10, inGroup(2, 4 * GiB)),
    'ok',
    /stops writers at 1024 MiB\.$/,
  ],
  [
    'and in one with a little more',
    by(10 * GiB + 10, inGroup(2, 4 * GiB)),
    'info',
    /stops writers at 1 GiB: enough/,
    FIXES,
  ],
  ['a group with more than is available', by(GiB - 1, inGroup(2, 80 * GiB)), 'ok', /1024 MiB/],
  ['version 1 has no such share', by(GiB, inGroup(1, 4 * GiB)), 'info', /./, FIXES],
  [
    'not busy: its rate says nothing',
    by(600 * MiB, atLimit(MiB, { busyRatio: 0.89 })),
    'ok',
    /stops writers at 600 MiB\.$/,
  ],
  [
    'one sync after another: nor then',
    by(600 * MiB, atLimit(MiB, { queue: 7.9 })),
    'ok',
    /600 MiB\.$/,
  ],
  [
    'small requests: nor then',
    by(600 * MiB, atLimit(MiB, { writesPerSec: 17 })),
    'ok',
    /600 MiB\.$/,
  ],
  ['nothing written: nor then', by(600 * MiB, atLimit(0, { writesPerSec: 0 })), 'ok', /600 MiB\.$/],
  ['on ZFS', by(GiB, { 'files.type': 'zfs' }), 'ok', /vm\.dirty_bytes does not reach it/],
]);
