'use strict';

const { defineHostRule } = require('../rule');

/**
 * @typedef {{ status: 'ok' | 'info' | 'warning' | 'critical', say: string, advice?: string }} Kind
 */

const RECOMMENDED = ['xfs', 'ext4'];
const REMOTE =
  /^(nfs4?|cifs|smb3|smbfs|9p|afs|ceph|glusterfs|lustre|vboxsf|prl_fs|vmhgfs|drvfs|virtiofs|fuse(\..*)?|fuseblk)$/;
const MOVE = 'Move dbPath to XFS or ext4 on a disk of this machine.';

module.exports = defineHostRule({
  id: 'host-file-system',
  title: 'File system not suited to WiredTiger',
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
    return {
      ...kindOf(type),
      values: { type, mountPoint },
      evidence: { 'files.type': type, 'files.mountPoint': mountPoint },
    };
  },
  messages: {
    xfs: (values) =>
      `${place(values)}, which MongoDB recommends. IBM-Z got more from ext4 where one collection ` +
      'takes nearly all writes; the rule inode-lock sees whether that is so here.',
    ext4: (values) =>
      `${place(values)}, which MongoDB supports. It recommends XFS for steadier checkpoints; ` +
      'IBM-Z got more from ext4 where one collection takes nearly all writes.',
    zfs: (values) =>
      `${place(values)}: measured somewhat slower than ext4 and XFS, with its defaults only ` +
      'slightly.',
    memory: (values) => `${place(values)}: it lies in memory, and is gone when the machine stops.`,
    container: (values) =>
      `${place(values)}, the layers of a container: slow to write, and gone with the container.`,
    btrfs: (values) =>
      `${place(values)}, which writes each changed block to a new place: WiredTiger does that ` +
      'already, and files fall to pieces.',
    ext3: (values) =>
      `${place(values)}, which is slow to make large files and syncs all files at once.`,
    ext2: (values) =>
      `${place(values)}, which has no journal and is checked for hours after a crash.`,
    remote: (values) =>
      `${place(values)}: remote, shared or in user space. Syncs of the journal wait for it, and ` +
      'what it confirms may not be on a disk.',
    other: (values) =>
      `${place(values)}: neither of the two that MongoDB names (${RECOMMENDED.join(', ')}).`,
  },
  adviceFor: {
    zfs: () =>
      'Keep it where its snapshots and checksums are wanted; see zfs-properties and zfs-memory.',
    container: () => 'Give dbPath a volume of its own.',
    btrfs: () =>
      `${MOVE} Where it has to stay: an empty folder with chattr +C before the data is put in.`,
    other: () => `${MOVE} Or measure it with the load you expect.`,
  },
});

/** Where the files are. @param {{ type: string, mountPoint: string }} values */
const place = ({ type, mountPoint }) => `The files of dbPath are on ${type} (${mountPoint})`;

const KINDS = /** @type {const} */ ({
  xfs: { status: 'ok', code: 'xfs' },
  ext4: { status: 'ok', code: 'ext4' },
  zfs: { status: 'info', code: 'zfs' },
  tmpfs: { status: 'warning', code: 'memory' },
  ramfs: { status: 'warning', code: 'memory' },
  overlay: { status: 'warning', code: 'container' },
  aufs: { status: 'warning', code: 'container' },
  btrfs: { status: 'warning', code: 'btrfs' },
  ext3: { status: 'warning', code: 'ext3' },
  ext2: { status: 'warning', code: 'ext2' },
});

/**
 * How a type of file system is judged.
 * @param {string} type
 * @returns {typeof KINDS[keyof typeof KINDS] | { status: 'critical', code: 'remote' } |
 *   { status: 'info', code: 'other' }}
 */
function kindOf(type) {
  if (Object.hasOwn(KINDS, type)) return KINDS[/** @type {keyof typeof KINDS} */ (type)];
  return REMOTE.test(type)
    ? { status: 'critical', code: 'remote' }
    : { status: 'info', code: 'other' };
}
