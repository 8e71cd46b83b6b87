'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const options = (type, ...all) => ({
  'files.options': ['rw', ...all],
  'files.type': type,
  'files.mountPoint': '/data',
});

testHostRule(__filename, [
  ['the defaults', options('xfs', 'relatime'), 'ok', 'fine', { mountPoint: '/data' }],
  ['noatime', options('ext4', 'noatime', 'barrier=1', 'data=ordered', 'nodiscard'), 'ok', 'fine'],
  ['nobarrier', options('xfs', 'nobarrier'), 'critical', 'harmful'],
  ['barrier=0', options('ext4', 'barrier=0'), 'critical', 'harmful'],
  ['sync', options('ext4', 'sync'), 'warning', 'harmful'],
  ['everything twice', options('ext4', 'data=journal'), 'warning', 'harmful'],
  ['the same words on another file system', options('f2fs', 'data=journal'), 'ok', 'fine'],
  ['access times', options('xfs', 'strictatime'), 'warning', 'harmful'],
  ['data=writeback', options('ext4', 'data=writeback'), 'info', 'harmful'],
  ['discard', options('xfs', 'discard'), 'info', 'harmful'],
  ['btrfs, later', options('btrfs', 'discard=async'), 'ok', 'fine'],
  ['the worst counts', options('ext4', 'discard', 'barrier=0'), 'critical', 'harmful'],
]);
