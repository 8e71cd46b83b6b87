'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const on = (type) => ({ 'files.type': type, 'files.mountPoint': '/data' });

testHostRule(__filename, [
  [
    'xfs, both sides told',
    on('xfs'),
    'ok',
    /on xfs \(\/data\), which MongoDB recommends\. IBM-Z got more from ext4/,
  ],
  [
    'ext4, both sides told',
    on('ext4'),
    'ok',
    /recommends XFS for steadier checkpoints; IBM-Z got more from ext4/,
  ],
  ['zfs', on('zfs'), 'info', /with its defaults only slightly/],
  ...['tmpfs', 'ramfs', 'overlay', 'aufs', 'btrfs', 'ext2', 'ext3'].map((type) => [
    type,
    on(type),
    'warning',
    new RegExp(`on ${type} `),
  ]),
  ...['nfs', 'nfs4', 'cifs', 'smb3', '9p', 'fuse', 'fuse.sshfs', 'fuseblk', 'virtiofs', 'ceph'].map(
    (type) => [type, on(type), 'critical', /remote, shared or in user space/],
  ),
  ['what is seldom met', on('jfs'), 'info', /neither of the two that MongoDB names \(xfs, ext4\)/],
  ['a name that only begins like a remote one', on('nfsx'), 'info'],
  ['a name that every object knows', on('constructor'), 'info'],
]);
