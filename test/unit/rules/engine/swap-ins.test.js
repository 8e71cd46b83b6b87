'use strict';

const { testRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

testRule(__filename, [
  ['none', HEALTHY, 'ok', /0 pages a second come back from swap, with 10 GiB of memory available/],
  [
    'a hundred a second',
    { ...HEALTHY, 'memory.swapInPagesPerSec': 100 },
    'warning',
    /100 pages a second/,
    /smaller/,
  ],
  ['a little less', { ...HEALTHY, 'memory.swapInPagesPerSec': 99.9 }, 'info'],
  ['ten', { ...HEALTHY, 'memory.swapInPagesPerSec': 10 }, 'info'],
  ['fewer', { ...HEALTHY, 'memory.swapInPagesPerSec': 9.9 }, 'ok'],
]);
