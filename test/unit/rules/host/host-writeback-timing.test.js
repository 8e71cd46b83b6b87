'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const timing = (expire, wake) => ({ 'writeback.expireMs': expire, 'writeback.wakeMs': wake });
const [EXPIRE, WAKE] = [
  'vm.dirty_expire_centisecs=3000 back vm.dirty_expire_centisecs=',
  'vm.dirty_writeback_centisecs=500 back vm.dirty_writeback_centisecs=',
];

testHostRule(__filename, [
  ['the defaults', timing(30000, 5000), 'ok', 'fine', { expireMs: 30000, wakeMs: 5000 }],
  ['a minute', timing(60000, 30000), 'ok', 'fine'],
  ['more', timing(60010, 5000), 'info', 'late', {}, [`${EXPIRE}6001`]],
  ['seldom', timing(30000, 30010), 'info', 'late', {}, [`${WAKE}3001`]],
  ['never', timing(30000, 0), 'warning', 'never', {}, [`${WAKE}0`]],
  [
    'never, and late',
    timing(90000, 0),
    'warning',
    'never',
    { expireMs: 90000 },
    [`${WAKE}0`, `${EXPIRE}9000`],
  ],
]);
