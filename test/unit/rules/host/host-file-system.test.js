'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const on = (type) => ({ 'files.type': type, 'files.mountPoint': '/data' });

testHostRule(__filename, [
  ['xfs, both sides told', on('xfs'), 'ok', 'xfs', { type: 'xfs', mountPoint: '/data' }],
  ['ext4, both sides told', on('ext4'), 'ok', 'ext4'],
  ['zfs', on('zfs'), 'info', 'zfs'],
  ...['tmpfs', 'ramfs'].map((type) => [type, on(type), 'warning', 'memory', { type }]),
  ...['overlay', 'aufs'].map((type) => [type, on(type), 'warning', 'container', { type }]),
  ...['btrfs', 'ext2', 'ext3'].map((type) => [type, on(type), 'warning', type, { type }]),
  ...['nfs', 'nfs4', 'cifs', 'smb3', '9p', 'fuse', 'fuse.sshfs', 'fuseblk', 'virtiofs', 'ceph'].map(
    (type) => [type, on(type), 'critical', 'remote', { type }],
  ),
  ['what is seldom met', on('jfs'), 'info', 'other', { type: 'jfs' }],
  ['a name that only begins like a remote one', on('nfsx'), 'info', 'other'],
  ['a name that every object knows', on('constructor'), 'info', 'other'],
]);
