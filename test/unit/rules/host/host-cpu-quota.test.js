'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const quota = (ratio, more = { 'cpu.quotaCores': 1.5, 'cpu.logical': 8 }) => ({
  'cpu.hasQuota': true,
  'cpu.throttledRatio': ratio,
  ...more,
});

testHostRule(__filename, [
  ['none', { 'cpu.hasQuota': false, 'cpu.throttledRatio': 0 }, 'ok', 'no-quota'],
  ['not used up', quota(0), 'ok', 'not-used-up', { quotaCores: 1.5, logical: 8 }],
  ['used up now and then', quota(0.049), 'info', 'used-up', { throttledRatio: 0.049 }],
  ['used up often', quota(0.05), 'warning', 'used-up', { throttledRatio: 0.05 }],
  [
    'how many CPUs there are is not known',
    quota(0, { 'cpu.quotaCores': 2 }),
    'ok',
    'not-used-up',
    { quotaCores: 2 },
  ],
  ['how large it is is not known', quota(0.5, {}), 'warning', 'used-up'],
]);
