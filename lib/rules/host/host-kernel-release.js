'use strict';

const { hasNewAllocator, SINCE, isUnsafeKernel } = require('../../signals/allocator');
const { defineHostRule } = require('../rule');
const { sources, ticket, OPPO } = require('../sources');

// blk-mq, several queues for one disk, came in 3.13 and to NVMe in 3.19.
const FIRST_OF_FOUR = 4000;

module.exports = defineHostRule({
  id: 'host-kernel-release',
  title: 'Kernel release known to be slow or unsafe',
  why:
    'From Linux 6.19 to 7.0.13, restartable sequences do not work as the allocator of MongoDB 8.0 ' +
    'and later needs: the same memory can be allocated twice. Before 4.0, a fast disk has one ' +
    'queue for all CPUs and may write at a quarter of its rate.',
  needs: ['kernel.number', 'kernel.release'],
  wants: ['server.versionNumber', 'os.architecture', 'process.rseqTunable', 'disk.name'],
  threshold:
    '6.19.0 to 7.0.13, with MongoDB 8.0 or later on x86_64 or ARM64: critical with ' +
    'glibc.pthread.rseq=0 in its environment, information with 1, otherwise warning. MongoDB ' +
    'release not known: information. Before 4.0: warning with an NVMe disk, otherwise ' +
    'information.',
  source: sources(
    'Linux kernel mailing list, 2026-04-22, "rseq: refactoring in v6.19 broke everyone on arm64 and tcmalloc everywhere" (https://lore.kernel.org/lkml/)',
    ticket('SERVER-125742', 'safe again from 7.0.14 on'),
    OPPO + ': an old kernel was the cause',
  ),
  advice:
    'Boot another kernel: 4.0 to 6.18. Or 7.0.14 or later, where the release notes of your MongoDB ' +
    'allow it.',
  whenNot:
    'Distributions backport (RHEL 7 calls its kernel 3.10), so an older one may be fixed: check its ' +
    'release notes. MongoDB releases since April 2026 refuse to start on 6.19 and later, from 8.0.30 ' +
    'on only up to 7.0.13.',
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
    if (isUnsafeKernel(release) && hasNewAllocator(server ?? SINCE, architecture))
      return { ...ofAllocator(server, tunable), values, evidence };
    if (number >= FIRST_OF_FOUR) return { status: 'ok', code: 'fine', values, evidence };
    return disk?.startsWith('nvme')
      ? { status: 'warning', code: 'old-with-nvme', values, evidence }
      : { status: 'info', code: 'old', values, evidence };
  },
  messages: {
    fine: ({ release }) => `Kernel ${release}: no known problem with this server.`,
    old: ({ release }) =>
      `Kernel ${release} is older than 4.0: it does not reach the full rate of a fast disk.`,
    'old-with-nvme': ({ release }) =>
      `Kernel ${release} is older than 4.0, and dbPath is on an NVMe disk: such kernels do not ` +
      'reach its full rate.',
    'unsafe-for-new-servers': (values) => `${unsafe(values)}. The MongoDB release is not known.`,
    'unsafe-avoided': (values) =>
      `${unsafe(values)}. The environment of mongod (glibc.pthread.rseq=1) avoids it.`,
    unsafe: (values) =>
      `${unsafe(values)}. The environment of mongod (glibc.pthread.rseq=0) enables them: data ` +
      'can be corrupted.',
    'unsafe-perhaps': (values) =>
      `${unsafe(values)}. The environment of mongod does not show whether it uses them.`,
  },
  adviceFor: { unsafe: () => ADVICE, 'unsafe-perhaps': () => ADVICE },
});

/**
 * Judges the allocator's use of the sequences. With 1 the C library uses them itself, and the
 * allocator falls back to a cache for each thread. Unset, glibc from 2.35 on does so.
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

/** Says what this kernel and the allocator do together. @param {{ release: string }} values */
const unsafe = ({ release }) =>
  `On kernel ${release}, MongoDB 8.0 and later can allocate the same memory twice if its ` +
  'allocator uses restartable sequences';

const ADVICE =
  'Boot a kernel before 6.19. Or one from 7.0.14 on, where the release notes of your MongoDB allow ' +
  'it. Until then start mongod with GLIBC_TUNABLES=glibc.pthread.rseq=1 and glibc 2.35 or newer.';
