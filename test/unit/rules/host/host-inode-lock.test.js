'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const waiting = (type, ...blocked) => ({ 'files.type': type, 'files.blocked': blocked });
const inLock = (threads) => ({ wchan: 'xfs_ilock', threads, names: ['conn'] });

testHostRule(__filename, [
  ['nobody', waiting('xfs'), 'ok', 'fine', { type: 'xfs', threads: 0, hiddenThreads: 0 }],
  ['just below one', waiting('xfs', inLock(0.99)), 'ok', 'fine'],
  ['one', waiting('xfs', inLock(1)), 'warning', 'waiting', { type: 'xfs', threads: 1 }],
  [
    'several',
    waiting('xfs', inLock(4.5), { wchan: 'io_schedule', threads: 9, names: ['WTEvict'] }),
    'warning',
    'waiting',
    { threads: 4.5 },
  ],
  [
    'elsewhere in the kernel',
    waiting('xfs', { wchan: 'io_schedule', threads: 9, names: ['WTEvict'] }),
    'ok',
    'fine',
  ],
  ['another file system', waiting('ext4', inLock(3)), 'ok', 'not-xfs', { type: 'ext4' }],
  ['hidden', waiting('xfs', { wchan: null, threads: 1, names: ['conn'] }), 'info', 'hidden'],
  [
    'hardly any, hidden',
    waiting('xfs', { wchan: null, threads: 0.9, names: ['conn'] }),
    'ok',
    'fine',
  ],
]);
