'use strict';

const { hasNewAllocator, SINCE, FIRST_UNSAFE_KERNEL } = require('../../signals/allocator');
const { defineHostRule } = require('../rule');

/**
 * @import { HostJudgement } from '../rule'
 */

// blk-mq, several queues for one disk, came in 3.13 and to NVMe in 3.19.
const FIRST_OF_FOUR = 4000;

module.exports = defineHostRule({
  id: 'host-kernel-release',
  title: 'Kernel release known to be slow or wrong',
  why:
    'From Linux 6.19 on the kernel no longer does what the memory allocator of MongoDB 8.0 and ' +
    'later relies on (restartable sequences): the same memory can be handed out twice. Before ' +
    '4.0 a fast disk has a single queue for all CPUs; OPPO saw NVMe disks write at a ' +
    'quarter of their rate and then stall until the kernel was newer.',
  needs: ['kernel.number', 'kernel.release'],
  wants: ['server.versionNumber', 'os.architecture', 'process.rseqTunable', 'disk.name'],
  threshold:
    'From 6.19 on, with a server of 8.0 or later on x86_64 or ARM64: critical when its ' +
    'environment has glibc.pthread.rseq=0, information with 1, otherwise warning; ' +
    'information where its version is not known. Before 4.0: warning with an NVMe disk, ' +
    'otherwise information.',
  source:
    'Linux kernel mailing list, 2026-04-22, "rseq: refactoring in v6.19 broke everyone on ' +
    'arm64 and tcmalloc everywhere"; OPPO (an old kernel was to blame)',
  advice: 'Start the machine with another kernel.',
  whenNot:
    'A distribution puts parts of newer kernels into an old one (RHEL 7 calls its 3.10), and ' +
    'a later kernel may do again what the allocator needs: its release notes tell. Releases ' +
    'of the server since April 2026 refuse to start on 6.19 and later.',
  check({
    'kernel.number': number,
    'kernel.release': release,
    'server.versionNumber': server,
    'os.architecture': architecture,
    'process.rseqTunable': tunable = null,
    'disk.name': disk,
  }) {
    const evidence = {
      'kernel.release': release,
      'server.versionNumber': server ?? null,
      'process.rseqTunable': tunable,
    };
    const values = { release };
    if (number >= FIRST_UNSAFE_KERNEL && hasNewAllocator(server ?? SINCE, architecture))
      return { ...ofAllocator(server, tunable), values, evidence };
    if (number >= FIRST_OF_FOUR) return { status: 'ok', code: 'fine', values, evidence };
    return disk?.startsWith('nvme')
      ? { status: 'warning', code: 'old-with-nvme', values, evidence }
      : { status: 'info', code: 'old', values, evidence };
  },
  messages: {
    fine: ({ release }) => `Kernel ${release} is not known to be slow or wrong for this server.`,
    old: ({ release }) =>
      `Kernel ${release} is older than 4.0: it does not get the full rate of a fast disk.`,
    'old-with-nvme': ({ release }) =>
      `Kernel ${release} is older than 4.0, and dbPath is on an NVMe disk: such kernels do not ` +
      'get its full rate.',
    'unsafe-for-new-servers': (values) =>
      `${unsafe(values)}; the version of this server is not known.`,
    'unsafe-avoided': (values) =>
      `${unsafe(values)}; the environment of mongod (glibc.pthread.rseq=1) keeps it from that.`,
    unsafe: (values) =>
      `${unsafe(values)}, and the environment of mongod (glibc.pthread.rseq=0) makes it use ` +
      'them: data can be damaged.',
    'unsafe-perhaps': (values) =>
      `${unsafe(values)}; the environment of mongod does not say whether it does.`,
  },
  adviceFor: { unsafe: () => ADVICE, 'unsafe-perhaps': () => ADVICE },
});

/**
 * With 1 the C library takes the sequences for itself, and the allocator falls back to a cache for
 * each thread. Unset, glibc from 2.35 on does so.
 * @param {number | undefined} server
 * @param {string | null} tunable
 */
function ofAllocator(server, tunable) {
  if (server === undefined)
    return /** @type {const} */ ({ status: 'info', code: 'unsafe-for-new-servers' });
  if (tunable === '1') return /** @type {const} */ ({ status: 'info', code: 'unsafe-avoided' });
  if (tunable === '0') return /** @type {const} */ ({ status: 'critical', code: 'unsafe' });
  return /** @type {const} */ ({ status: 'warning', code: 'unsafe-perhaps' });
}

/** What this kernel and the allocator do together. @param {{ release: string }} values */
const unsafe = ({ release }) =>
  `On kernel ${release} the allocator of MongoDB 8.0 and later can hand out the same memory ` +
  'twice where it uses restartable sequences';

const ADVICE =
  'Start the machine with a kernel before 6.19, or one that is known to be mended. Until ' +
  'then start mongod with GLIBC_TUNABLES=glibc.pthread.rseq=1 and glibc 2.35 or newer.';
