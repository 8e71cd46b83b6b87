'use strict';

const { testRule } = require('../../../support/rule-tester');
const { HEALTHY, GiB } = require('../../../support/readings');

testRule(__filename, [
  ['enough', HEALTHY, 'ok', /10 GiB of 16 GiB of memory are available, 62\.5 %/],
  ['a twentieth', { ...HEALTHY, 'memory.availableBytes': 0.8 * GiB }, 'ok'],
  ['just less', { ...HEALTHY, 'memory.availableBytes': 0.797 * GiB }, 'warning'],
  [
    'less',
    { ...HEALTHY, 'memory.availableBytes': 0.79 * GiB },
    'warning',
    /4\.9 %/,
    /cache smaller/,
  ],
]);
