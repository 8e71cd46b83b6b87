'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

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
  ['as it should be', set(), 'ok', /tank\/db has records of 128 KiB and compression lz4/],
  ['another file system', { 'files.type': 'ext4' }, 'ok', /on ext4, not on ZFS/],
  [
    'larger records',
    set({ 'zfs.recordBytes': 262144 }),
    'warning',
    /records of 256 KiB, read and written whole/,
  ],
  ['small records', set({ 'zfs.recordBytes': 8192 }), 'ok'],
  [
    'syncs that are none',
    set({ 'zfs.sync': 'disabled', 'zfs.atime': 'on' }),
    'critical',
    /sync=disabled \(a power failure loses what was confirmed\), and atime=on/,
  ],
  ['syncs of everything', set({ 'zfs.sync': 'always' }), 'ok'],
  ['gzip', set({ 'zfs.compression': 'gzip-9' }), 'info', /compression gzip-9/],
  ['old sectors', set({ 'zfs.ashift': 11 }), 'info', /an ashift of 11/],
  ['sectors that ZFS chose', set({ 'zfs.ashift': 0 }), 'ok'],
]);
