'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const waiting = (...blocked) => ({
  'files.blocked': blocked.map(([wchan, threads]) => ({ wchan, threads, names: ['conn'] })),
});

testHostRule(__filename, [
  ['nobody', waiting(), 'ok', /On average 0 threads waited/],
  ['just below one', waiting(['io_schedule', 0.5], ['jbd2_log_wait_commit', 0.49]), 'ok'],
  [
    'one',
    waiting(['io_schedule', 0.5], ['jbd2_log_wait_commit', 0.5]),
    'info',
    /0\.5 in io_schedule \(a request to the disk\); 0\.5 in jbd2_log_wait_commit \(the journal of ext4\)/,
  ],
  [
    'places that are known',
    waiting(
      ['xfs_ilock', 1],
      ['xfs_log_force_seq', 1],
      ['folio_wait_bit_common', 1],
      ['rpc_wait_bit_killable', 1],
    ),
    'info',
    /the lock of one file on XFS\).*the log of XFS.*a page that is being.*NFS server/,
  ],
  ['one that is not', waiting(['do_exotic_wait', 2]), 'info', /2 in do_exotic_wait\.$/],
  ['hidden', waiting([null, 3]), 'info', /3 where is told to the user of mongod and to root only/],
  [
    'the kernel stops writers, hardly',
    waiting(['balance_dirty_pages', 0.99], ['io_schedule', 1]),
    'info',
    /too much is not on the disk yet/,
  ],
  [
    'the kernel stops writers',
    waiting(['balance_dirty_pages', 1]),
    'warning',
    /stops 1 thread on average from writing/,
  ],
]);
