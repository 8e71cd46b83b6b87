'use strict';

const { count } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { many } = require('../../signals/words');

/**
 * @import { BlockedThreads } from '../../host/pure/host'
 */

// As many as an idle disk keeps anyway; heuristic.
const MIN_THREADS = 1;
const THROTTLED = 'balance_dirty_pages';
const LOCK = /^xfs_ilock/;
/**
 * What it means to wait there; functions of the kernel, by the start of their names.
 * @type {readonly [RegExp, string][]}
 */
const MEANINGS = [
  [/^balance_dirty_pages/, 'the kernel stops who writes, since too much is not on the disk yet'],
  [LOCK, 'the lock of one file on XFS'],
  [/^(jbd2|ext4)_/, 'the journal of ext4'],
  [/^xfs_/, 'the log of XFS'],
  [/^(folio|wait_on_page|__folio|lock_page|__lock_page)/, 'a page that is being read or written'],
  [/^(io_schedule|blk_|rq_qos|submit_bio|wbt_)/, 'a request to the disk'],
  [/^(nfs|rpc_)/, 'the NFS server'],
];

module.exports = defineHostRule({
  id: 'host-blocked-threads',
  title: 'Server threads waiting in the kernel',
  why:
    "A thread in state D waits for a disk or a lock of the kernel. The server's own counters " +
    'show only that it is slow; the kernel names the function in which it waits.',
  needs: ['files.blocked'],
  threshold:
    `${many(MIN_THREADS, 'thread')} or more on average of the samples: information; in ` +
    `${THROTTLED}: warning.`,
  source:
    'proc_pid_wchan(5), proc_pid_stat(5); admin-guide/sysctl/vm.rst for vm.dirty_bytes; the ' +
    'number is ours',
  advice: 'Writing comes faster than the disk takes it: see what writes, and disk-saturation.',
  whenNot:
    'A look is a moment: a few of them miss what is short. Waiting for reads that miss every ' +
    'cache is the usual work of a large database.',
  check({ 'files.blocked': blocked }) {
    const threads = blocked.reduce((sum, one) => sum + one.threads, 0);
    const throttled = blocked
      .filter(({ wchan }) => wchan?.startsWith(THROTTLED))
      .reduce((sum, one) => sum + one.threads, 0);
    const evidence = { threads, throttled };
    const values = { threads, throttledThreads: throttled, blocked };
    if (throttled >= MIN_THREADS) return { status: 'warning', code: 'throttled', values, evidence };
    return threads < MIN_THREADS
      ? { status: 'ok', code: 'fine', values, evidence }
      : { status: 'info', code: 'blocked', values, evidence };
  },
  messages: {
    fine: ({ threads }) => `On average ${many(threads, 'thread')} waited in the kernel.`,
    blocked: (values) =>
      `On average ${many(values.threads, 'thread')} waited in the kernel: ` +
      `${values.blocked.map(nameOf).join('; ')}.`,
    throttled: ({ throttledThreads }) =>
      `The kernel stops ${many(throttledThreads, 'thread')} on average from writing ` +
      `(${THROTTLED}): more is unwritten than vm.dirty_bytes or vm.dirty_ratio allows.`,
  },
});

/** @param {BlockedThreads} blocked */
function nameOf({ wchan, threads }) {
  if (wchan === null)
    return `${count(threads)} where is told to the user of mongod and to root only`;
  const meaning = MEANINGS.find(([start]) => start.test(wchan))?.[1];
  return `${count(threads)} in ${wchan}${meaning === undefined ? '' : ` (${meaning})`}`;
}
