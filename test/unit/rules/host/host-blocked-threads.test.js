'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const waiting = (...blocked) => ({
  'files.blocked': blocked.map(([wchan, threads]) => ({ wchan, threads, names: ['conn'] })),
});

testHostRule(__filename, [
  ['nobody', waiting(), 'ok', 'fine', { threads: 0, throttledThreads: 0 }],
  ['just below one', waiting(['io_schedule', 0.5], ['jbd2_log_wait_commit', 0.49]), 'ok', 'fine'],
  ['one', waiting(['io_schedule', 0.5], ['jbd2_log_wait_commit', 0.5]), 'info', 'blocked'],
  [
    'places that are known',
    waiting(
      ['xfs_ilock', 1],
      ['xfs_log_force_seq', 1],
      ['folio_wait_bit_common', 1],
      ['rpc_wait_bit_killable', 1],
    ),
    'info',
    'blocked',
  ],
  ['one that is not', waiting(['do_exotic_wait', 2]), 'info', 'blocked', { threads: 2 }],
  ['hidden', waiting([null, 3]), 'info', 'blocked', { threads: 3 }],
  [
    'the kernel stops writers, hardly',
    waiting(['balance_dirty_pages', 0.99], ['io_schedule', 1]),
    'info',
    'blocked',
  ],
  [
    'the kernel stops writers',
    waiting(['balance_dirty_pages', 1]),
    'warning',
    'throttled',
    { threads: 1, throttledThreads: 1 },
  ],
]);
