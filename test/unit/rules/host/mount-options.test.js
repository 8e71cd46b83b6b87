'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const options = (type, ...all) => ({
  'files.options': ['rw', ...all],
  'files.type': type,
  'files.mountPoint': '/data',
});

testHostRule(__filename, [
  ['the defaults', options('xfs', 'relatime'), 'ok', /Mount point \/data has no harmful option/],
  ['noatime', options('ext4', 'noatime', 'barrier=1', 'data=ordered', 'nodiscard'), 'ok'],
  [
    'nobarrier',
    options('xfs', 'nobarrier'),
    'critical',
    /nobarrier \(the disk is not told to empty its own cache/,
  ],
  ['barrier=0', options('ext4', 'barrier=0'), 'critical', /barrier=0/],
  ['sync', options('ext4', 'sync'), 'warning', /sync \(every single write waits/],
  ['everything twice', options('ext4', 'data=journal'), 'warning', /written twice/],
  ['the same words on another file system', options('f2fs', 'data=journal'), 'ok'],
  ['access times', options('xfs', 'strictatime'), 'warning', /strictatime/],
  [
    'data=writeback',
    options('ext4', 'data=writeback'),
    'info',
    /WiredTiger finds that by its checksums/,
  ],
  ['discard', options('xfs', 'discard'), 'info', /discard \(every freed block/],
  ['btrfs, later', options('btrfs', 'discard=async'), 'ok'],
  [
    'the worst counts',
    options('ext4', 'discard', 'barrier=0'),
    'critical',
    /barrier=0 .*, and discard /,
  ],
]);
