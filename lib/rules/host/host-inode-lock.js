'use strict';

const { count } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { many } = require('../../signals/words');

// One thread that always waits is one fewer at work; heuristic. IBM-Z names no figure.
const MIN_THREADS = 1;
const LOCK = /^xfs_ilock/;

module.exports = defineHostRule({
  id: 'host-inode-lock',
  title: 'Threads waiting for the lock of one XFS file',
  why:
    'A collection is one file. XFS lets one writer at a time into a file, and readers wait for ' +
    'it too: where one large collection takes nearly all the load, eviction and connection ' +
    "threads stand before the same lock, in state D, in the kernel's xfs_ilock.",
  needs: ['files.type', 'files.blocked'],
  threshold:
    `On XFS ${many(MIN_THREADS, 'thread')} or more in xfs_ilock, on average of the samples: ` +
    'warning.',
  source:
    'IBM-Z step 6 (RHEL 10, 24 CPUs, one large collection: ext4 instead); the number ' +
    'of threads is ours',
  advice:
    'Spread the load over more files: split the collection over several, or databases, or ' +
    'shards. With one collection that has to stay, ext4 did better.',
  whenNot:
    'Seen on one kernel, on a machine with 24 CPUs and mostly reads. MongoDB ' +
    'recommends XFS; do not change the file system for a lock that was seen for seconds ' +
    'only. More memory or a larger cache makes fewer calls into the file as well.',
  aside: ({ 'files.type': type = 'xfs' }) =>
    type === 'xfs' ? null : { status: 'ok', code: 'not-xfs', values: { type } },
  check({ 'files.type': type, 'files.blocked': blocked }) {
    const found = blocked.filter(({ wchan }) => wchan !== null && LOCK.test(wchan));
    const threads = found.reduce((sum, one) => sum + one.threads, 0);
    const hiddenThreads = blocked
      .filter(({ wchan }) => wchan === null)
      .reduce((sum, one) => sum + one.threads, 0);
    const evidence = { 'files.type': type, threads, hidden: hiddenThreads };
    const names = [...new Set(found.flatMap((one) => one.names))];
    const values = { type, threads, hiddenThreads, names };
    if (threads >= MIN_THREADS) return { status: 'warning', code: 'waiting', values, evidence };
    return hiddenThreads >= MIN_THREADS
      ? { status: 'info', code: 'hidden', values, evidence }
      : { status: 'ok', code: 'fine', values, evidence };
  },
  messages: {
    'not-xfs': ({ type }) => `The files of dbPath are on ${type}; the lock is one of XFS.`,
    fine: ({ threads }) => `Threads that wait in xfs_ilock: ${count(threads)} on average.`,
    hidden: ({ hiddenThreads }) =>
      `On average ${many(hiddenThreads, 'thread')} waited in the kernel; where, is told only to ` +
      'the user of mongod and to root.',
    waiting: ({ threads, names }) =>
      `On average ${many(threads, 'thread')} waited in xfs_ilock (${names.join(', ')}): they ` +
      'stand before one file.',
  },
  adviceFor: { hidden: () => 'Run this as the user of mongod, or as root.' },
});
