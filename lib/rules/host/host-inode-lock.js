'use strict';

const { many } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { sources, S390X } = require('../sources');

// This equals one thread that always waits; heuristic.
const MIN_THREADS = 1;
const LOCK = /^xfs_ilock/;

module.exports = defineHostRule({
  id: 'host-inode-lock',
  title: 'Threads waiting for the inode lock of an XFS file',
  why:
    'Each collection is one file. XFS allows one writer at a time per file, and readers wait ' +
    'too. If one large collection takes most of the load, eviction and connection threads wait ' +
    'for the same lock (state D, xfs_ilock).',
  needs: ['files.type', 'files.blocked'],
  threshold: `Warning: on XFS, ${many(MIN_THREADS, 'thread')} or more in xfs_ilock on average.`,
  source: sources(
    S390X + ': one large collection on RHEL 10',
    'the number of threads is a heuristic',
  ),
  advice:
    'Spread the load over more files: several collections, databases or shards. If one ' +
    'collection must stay, ext4 performed better.',
  whenNot:
    'Seen on one kernel, with 24 CPUs and mostly reads. MongoDB recommends XFS: do not change ' +
    'the file system for a lock seen for seconds. More RAM or a larger cache also reduces file ' +
    'accesses.',
  aside: ({ 'files.type': type = 'xfs' }) =>
    type === 'xfs' ? null : { status: 'ok', code: 'not-xfs', values: { type } },
  check({ 'files.type': type, 'files.blocked': blocked }) {
    const found = blocked.filter(({ wchan }) => wchan !== null && LOCK.test(wchan));
    const threads = found.reduce((sum, group) => sum + group.threads, 0);
    const hiddenThreads = blocked
      .filter(({ wchan }) => wchan === null)
      .reduce((sum, group) => sum + group.threads, 0);
    const evidence = { 'files.type': type, threads, hidden: hiddenThreads };
    const names = [...new Set(found.flatMap((group) => group.names))];
    const values = { type, threads, hiddenThreads, names };
    if (threads >= MIN_THREADS) return { status: 'warning', code: 'waiting', values, evidence };
    return hiddenThreads >= MIN_THREADS
      ? { status: 'info', code: 'hidden', values, evidence }
      : { status: 'ok', code: 'fine', values, evidence };
  },
  messages: {
    'not-xfs': ({ type }) => `Not applicable: dbPath is on ${type}, and only XFS has this lock.`,
    fine: ({ threads }) => `${many(threads, 'thread')} waited in xfs_ilock on average.`,
    hidden: ({ hiddenThreads }) =>
      `${many(hiddenThreads, 'thread')} waited in the kernel on average; the function is ` +
      'visible only to root and the user of mongod.',
    waiting: ({ threads, names }) =>
      `${many(threads, 'thread')} waited in xfs_ilock on average (${names.join(', ')}): they ` +
      'wait for one file.',
  },
  adviceFor: { hidden: () => 'Run this command as root or as the user of mongod.' },
});
