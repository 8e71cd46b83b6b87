'use strict';

const { testRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

testRule(__filename, [
  ['nothing is taken', HEALTHY, 'ok', /took 0\.0 %/],
  [
    'a tenth',
    { ...HEALTHY, 'cpu.stealRatio': 0.1 },
    'warning',
    /took 10\.0 %/,
    /virtual machine/,
  ],
  ['less', { ...HEALTHY, 'cpu.stealRatio': 0.099 }, 'ok'],
]);
