'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const set = (more = {}) => ({
  'files.type': 'zfs',
  'files.device': 'tank/db',
  'zfs.recordBytes': 131072,
  'zfs.compression': 'lz4',
  'zfs.sync': 'standard',
  'zfs.atime': 'off',
  'zfs.ashift': 12,
  ...more,
});

testHostRule(__filename, [
  [
    'as it should be',
    set(),
    'ok',
    'fine',
    { dataset: 'tank/db', recordBytes: 131100, compression: 'lz4' },
  ],
  ['another file system', { 'files.type': 'ext4' }, 'ok', 'not-zfs', { type: 'ext4' }],
  [
    'larger records',
    set({ 'zfs.recordBytes': 262144 }),
    'warning',
    'not-as-wanted',
    { recordBytes: 262100 },
  ],
  ['small records', set({ 'zfs.recordBytes': 8192 }), 'ok', 'fine'],
  [
    'syncs that are none',
    set({ 'zfs.sync': 'disabled', 'zfs.atime': 'on' }),
    'critical',
    'not-as-wanted',
    { sync: 'disabled', atime: 'on' },
  ],
  ['syncs of everything', set({ 'zfs.sync': 'always' }), 'ok', 'fine'],
  [
    'gzip',
    set({ 'zfs.compression': 'gzip-9' }),
    'info',
    'not-as-wanted',
    { compression: 'gzip-9' },
  ],
  ['old sectors', set({ 'zfs.ashift': 11 }), 'info', 'not-as-wanted', { ashift: 11 }],
  ['sectors that ZFS chose', set({ 'zfs.ashift': 0 }), 'ok', 'fine'],
]);
