'use strict';

const { defineHostRule } = require('../define-host-rule');

/**
 * @typedef {{ status: 'ok' | 'info' | 'warning' | 'critical', say: string, advice?: string }} Kind
 */

const RECOMMENDED = ['xfs', 'ext4'];
const REMOTE =
  /^(nfs4?|cifs|smb3|smbfs|9p|afs|ceph|glusterfs|lustre|vboxsf|prl_fs|vmhgfs|drvfs|virtiofs|fuse(\..*)?|fuseblk)$/;
const MOVE = 'Move dbPath to XFS or ext4 on a disk of this machine.';

module.exports = defineHostRule({
  id: 'file-system',
  area: 'host',
  title: 'The file system under dbPath',
  why:
    'Every page that WiredTiger writes and every sync of the journal goes through the file ' +
    'system. One that is remote, in memory or made for something else is slow at just that, or ' +
    'loses what it has confirmed.',
  needs: ['files.type', 'files.mountPoint'],
  threshold:
    'Remote, shared or in user space: critical. In memory, overlay, btrfs, ext2 and ext3: ' +
    'warning. ZFS and what is seldom met: information.',
  source:
    'MongoDB production notes (XFS recommended, ext4 supported; remote file systems slower); ' +
    'IBM-Z step 6 (ext4 before XFS for one large collection); ZFS (ext4, XFS and ZFS under ' +
    'one load)',
  advice: MOVE,
  whenNot:
    'For trying things out any will do. The manual permits a remote file system that keeps ' +
    'the rules of POSIX, NFS among them, and warns that it may be slower: then judge by the ' +
    'latencies of the server itself.',
  check({ 'files.type': type, 'files.mountPoint': mountPoint }) {
    const { say, ...kind } = kindOf(type);
    return {
      ...kind,
      say: `The files of dbPath are on ${type} (${mountPoint})${say}`,
      evidence: { 'files.type': type, 'files.mountPoint': mountPoint },
    };
  },
});

/** @type {Readonly<Record<string, Kind>>} */
const KINDS = Object.freeze({
  xfs: {
    status: 'ok',
    say:
      ', which MongoDB recommends. IBM-Z got more from ext4 where one collection takes nearly ' +
      'all writes; the rule inode-lock sees whether that is so here.',
  },
  ext4: {
    status: 'ok',
    say:
      ', which MongoDB supports. It recommends XFS for steadier checkpoints; IBM-Z got more ' +
      'from ext4 where one collection takes nearly all writes.',
  },
  zfs: {
    status: 'info',
    say: ': measured somewhat slower than ext4 and XFS, with its defaults only slightly.',
    advice:
      'Keep it where its snapshots and checksums are wanted; see zfs-properties and zfs-memory.',
  },
  tmpfs: {
    status: 'warning',
    say: ': it lies in memory, and is gone when the machine stops.',
    advice: MOVE,
  },
  ramfs: {
    status: 'warning',
    say: ': it lies in memory, and is gone when the machine stops.',
    advice: MOVE,
  },
  overlay: {
    status: 'warning',
    say: ', the layers of a container: slow to write, and gone with the container.',
    advice: 'Give dbPath a volume of its own.',
  },
  aufs: {
    status: 'warning',
    say: ', the layers of a container: slow to write, and gone with the container.',
    advice: 'Give dbPath a volume of its own.',
  },
  btrfs: {
    status: 'warning',
    say:
      ', which writes each changed block to a new place: WiredTiger does that already, and ' +
      'files fall to pieces.',
    advice: `${MOVE} Where it has to stay: an empty folder with chattr +C before the data is put in.`,
  },
  ext3: {
    status: 'warning',
    say: ', which is slow to make large files and syncs all files at once.',
    advice: MOVE,
  },
  ext2: {
    status: 'warning',
    say: ', which has no journal and is checked for hours after a crash.',
    advice: MOVE,
  },
});

/** @param {string} type @returns {Kind} */
function kindOf(type) {
  if (Object.hasOwn(KINDS, type)) return KINDS[type];
  if (REMOTE.test(type))
    return {
      status: 'critical',
      say:
        ': remote, shared or in user space. Syncs of the journal wait for it, and what it ' +
        'confirms may not be on a disk.',
      advice: MOVE,
    };
  return {
    status: 'info',
    say: `: neither of the two that MongoDB names (${RECOMMENDED.join(', ')}).`,
    advice: `${MOVE} Or measure it with the load you expect.`,
  };
}
