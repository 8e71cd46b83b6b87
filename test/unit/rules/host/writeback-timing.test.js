'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const timing = (expire, wake) => ({ 'writeback.expireMs': expire, 'writeback.wakeMs': wake });
const [EXPIRE, WAKE] = [
  'vm.dirty_expire_centisecs=3000 back vm.dirty_expire_centisecs=',
  'vm.dirty_writeback_centisecs=500 back vm.dirty_writeback_centisecs=',
];

testHostRule(__filename, [
  [
    'the defaults',
    timing(30000, 5000),
    'ok',
    /every 5 s for unwritten data that is older than 30 s/,
  ],
  ['a minute', timing(60000, 30000), 'ok'],
  ['more', timing(60010, 5000), 'info', /one wave/, [`${EXPIRE}6001`]],
  ['seldom', timing(30000, 30010), 'info', /one wave/, [`${WAKE}3001`]],
  ['never', timing(30000, 0), 'warning', /never looks/, [`${WAKE}0`]],
  [
    'never, and late',
    timing(90000, 0),
    'warning',
    /older than 90 s/,
    [`${WAKE}0`, `${EXPIRE}9000`],
  ],
]);
