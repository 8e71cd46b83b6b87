'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const waiting = (type, ...blocked) => ({ 'files.type': type, 'files.blocked': blocked });
const inLock = (threads) => ({ wchan: 'xfs_ilock', threads, names: ['conn'] });

testHostRule(__filename, [
  ['nobody', waiting('xfs'), 'ok', /xfs_ilock: 0 on average/],
  ['just below one', waiting('xfs', inLock(0.99)), 'ok'],
  ['one', waiting('xfs', inLock(1)), 'warning', /On average 1 thread waited in xfs_ilock \(conn\)/],
  [
    'several',
    waiting('xfs', inLock(4.5), { wchan: 'io_schedule', threads: 9, names: ['WTEvict'] }),
    'warning',
    /4\.5 threads .*\(conn\)/,
  ],
  [
    'elsewhere in the kernel',
    waiting('xfs', { wchan: 'io_schedule', threads: 9, names: ['WTEvict'] }),
    'ok',
  ],
  ['another file system', waiting('ext4', inLock(3)), 'ok', /on ext4; the lock is one of XFS/],
  [
    'hidden',
    waiting('xfs', { wchan: null, threads: 1, names: ['conn'] }),
    'info',
    /told only to the user of mongod and to root/,
  ],
  ['hardly any, hidden', waiting('xfs', { wchan: null, threads: 0.9, names: ['conn'] }), 'ok'],
]);
