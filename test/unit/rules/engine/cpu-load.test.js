'use strict';

const { testRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

testRule(__filename, [
  [
    'processors with room',
    HEALTHY,
    'ok',
    /15\.0 % of the processors' time is used, and mongod uses 10\.0 %/,
  ],
  [
    'a tenth free',
    { ...HEALTHY, 'cpu.busyRatio': 0.9 },
    'warning',
    /90\.0 %/,
    /without an index/,
  ],
  ['a little more', { ...HEALTHY, 'cpu.busyRatio': 0.899 }, 'ok'],
]);
