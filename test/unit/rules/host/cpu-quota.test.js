'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const quota = (ratio, more = { 'cpu.quotaCores': 1.5, 'cpu.logical': 8 }) => ({
  'cpu.hasQuota': true,
  'cpu.throttledRatio': ratio,
  ...more,
});

testHostRule(__filename, [
  ['none', { 'cpu.hasQuota': false, 'cpu.throttledRatio': 0 }, 'ok', /No quota/],
  ['not used up', quota(0), 'ok', /the time of 1\.5 of 8 processors; it was not used up/],
  ['used up now and then', quota(0.049), 'info', /4\.9 % of the periods/],
  ['used up often', quota(0.05), 'warning', /5\.0 % of the periods, and all threads had to wait/],
  [
    'how many processors there are is not known',
    quota(0, { 'cpu.quotaCores': 2 }),
    'ok',
    /of 2 processors;/,
  ],
  ['how large it is is not known', quota(0.5, {}), 'warning', /A quota limits mongod;/],
]);
