'use strict';

const { defineHostRule } = require('../rule');
const { sources, productionNotes, S390X, ZFS_TEST } = require('../sources');

/**
 * @typedef {{ status: 'ok' | 'info' | 'warning' | 'critical', say: string, advice?: string }} Kind
 */

const RECOMMENDED = ['xfs', 'ext4'];
const REMOTE =
  /^(nfs4?|cifs|smb3|smbfs|9p|afs|ceph|glusterfs|lustre|vboxsf|prl_fs|vmhgfs|drvfs|virtiofs|fuse(\..*)?|fuseblk)$/;
const MOVE = 'Move dbPath to XFS or ext4 on a local disk.';

module.exports = defineHostRule({
  id: 'host-file-system',
  title: 'File system not suited to WiredTiger',
  why:
    'Every page write and every journal sync goes through the file system. A remote or ' +
    'in-memory file system is slow at this, or loses confirmed writes.',
  needs: ['files.type', 'files.mountPoint'],
  threshold:
    'Critical: remote, shared or in user space. Warning: in memory, overlay, btrfs, ext2 and ' +
    'ext3. Information: ZFS, and uncommon file systems.',
  source: sources(
    productionNotes('Kernel and file systems'),
    S390X + ': ext4 ahead of XFS for one large collection',
    ZFS_TEST,
  ),
  advice: MOVE,
  whenNot:
    'Any file system is fine for a trial. The manual permits POSIX-compliant remote file ' +
    'systems such as NFS, and warns that they may be slower: judge by the latency of the ' +
    'server.',
  check({ 'files.type': type, 'files.mountPoint': mountPoint }) {
    return {
      ...kindOf(type),
      values: { type, mountPoint },
      evidence: { 'files.type': type, 'files.mountPoint': mountPoint },
    };
  },
  messages: {
    xfs: (values) => `${place(values)}, which MongoDB recommends.`,
    ext4: (values) =>
      `${place(values)}, which MongoDB supports. It recommends XFS for steadier checkpoints.`,
    zfs: (values) => `${place(values)}: somewhat slower than ext4 and XFS in one published test.`,
    memory: (values) => `${place(values)}: data is in memory and lost when the machine stops.`,
    container: (values) =>
      `${place(values)}, the container layer: slow to write, and deleted with the container.`,
    btrfs: (values) =>
      `${place(values)}, a copy-on-write file system: WiredTiger does that already, and files ` +
      'fragment.',
    ext3: (values) =>
      `${place(values)}, which creates large files slowly and syncs all files at once.`,
    ext2: (values) =>
      `${place(values)}, which has no journal: a file system check takes hours after a crash.`,
    remote: (values) =>
      `${place(values)}: remote, shared or in user space. Journal syncs wait for it, and ` +
      'confirmed writes may not be on disk.',
    other: (values) =>
      `${place(values)}: not one of the file systems that MongoDB names ` +
      `(${RECOMMENDED.join(', ')}).`,
  },
  adviceFor: {
    zfs: () =>
      'Keep it if you need its snapshots and checksums; see host-zfs-properties and ' +
      'host-zfs-memory.',
    container: () => 'Use a dedicated volume for dbPath.',
    btrfs: () =>
      `${MOVE} If it must stay: run chattr +C on the empty folder before you copy the data.`,
    other: () => `${MOVE} Or measure it with your expected load.`,
  },
});

/** @param {{ type: string, mountPoint: string }} values */
const place = ({ type, mountPoint }) => `dbPath is on ${type} (${mountPoint})`;

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
 * Judges a type of file system.
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
