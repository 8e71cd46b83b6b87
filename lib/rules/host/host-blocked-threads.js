'use strict';

const { count, many } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { sources, kernel, man } = require('../sources');

/**
 * @import { BlockedThreads } from '../../host/pure/host'
 */

// Even an idle disk keeps this many; heuristic.
const MIN_THREADS = 1;
const THROTTLED = 'balance_dirty_pages';
const LOCK = /^xfs_ilock/;
/**
 * Says what a wait in a kernel function means, by the start of the function's name.
 * @type {readonly [RegExp, string][]}
 */
const MEANINGS = [
  [/^balance_dirty_pages/, 'the kernel blocks writers: too much dirty page cache'],
  [LOCK, 'the inode lock of a file on XFS'],
  [/^(jbd2|ext4)_/, 'the ext4 journal'],
  [/^xfs_/, 'the XFS log'],
  [/^(folio|wait_on_page|__folio|lock_page|__lock_page)/, 'a page that is being read or written'],
  [/^(io_schedule|blk_|rq_qos|submit_bio|wbt_)/, 'a request to the disk'],
  [/^(nfs|rpc_)/, 'the NFS server'],
];

module.exports = defineHostRule({
  id: 'host-blocked-threads',
  title: 'Server threads waiting in the kernel',
  why:
    'A thread in state D waits for a disk or a kernel lock. Server counters only show that it ' +
    'is slow; the kernel names the function it waits in.',
  needs: ['files.blocked'],
  threshold:
    `Information: ${many(MIN_THREADS, 'thread')} or more on average. Warning: as many in ` +
    `${THROTTLED}.`,
  source: sources(
    man('proc_pid_wchan', 5),
    man('proc_pid_stat', 5),
    kernel('vm.dirty_bytes', 'admin-guide/sysctl/vm'),
    'the number is a heuristic',
  ),
  advice: 'mongod writes faster than the disk can: check what writes, and host-disk-saturation.',
  whenNot:
    'Samples are single moments: a few of them miss short waits. Waits for uncached reads are ' +
    'normal for a large database.',
  check({ 'files.blocked': blocked }) {
    const threads = blocked.reduce((sum, group) => sum + group.threads, 0);
    const throttled = blocked
      .filter(({ wchan }) => wchan?.startsWith(THROTTLED))
      .reduce((sum, group) => sum + group.threads, 0);
    const evidence = { threads, throttled };
    const values = { threads, throttledThreads: throttled, blocked };
    if (throttled >= MIN_THREADS) return { status: 'warning', code: 'throttled', values, evidence };
    return threads < MIN_THREADS
      ? { status: 'ok', code: 'fine', values, evidence }
      : { status: 'info', code: 'blocked', values, evidence };
  },
  messages: {
    fine: ({ threads }) => `${many(threads, 'thread')} waited in the kernel on average.`,
    blocked: (values) =>
      `${many(values.threads, 'thread')} waited in the kernel on average: ` +
      `${values.blocked.map(nameOf).join('; ')}.`,
    throttled: ({ throttledThreads }) =>
      `The kernel blocked ${many(throttledThreads, 'thread')} from writing on average ` +
      `(${THROTTLED}): the dirty page cache exceeds vm.dirty_bytes or vm.dirty_ratio.`,
  },
});

/** @param {BlockedThreads} blocked */
function nameOf({ wchan, threads }) {
  if (wchan === null)
    return `${count(threads)} in a function visible only to root and the user of mongod`;
  const meaning = MEANINGS.find(([start]) => start.test(wchan))?.[1];
  return `${count(threads)} in ${wchan}${meaning === undefined ? '' : ` (${meaning})`}`;
}
