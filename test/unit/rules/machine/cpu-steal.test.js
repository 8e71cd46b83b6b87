'use strict';

const { testRule, testHostRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

testRule(__filename, [
  ['nothing is taken', HEALTHY, 'ok', 'fine', { ratio: 0 }],
  ['a tenth', { ...HEALTHY, 'cpu.stealRatio': 0.1 }, 'warning', 'stolen', { ratio: 0.1 }],
  ['less', { ...HEALTHY, 'cpu.stealRatio': 0.099 }, 'ok', 'fine'],
]);

testHostRule(__filename, [
  ['none', { 'cpu.stealRatio': 0 }, 'ok', 'fine', { ratio: 0 }],
  ['some', { 'cpu.stealRatio': 0.099 }, 'ok', 'fine', { ratio: 0.099 }],
  ['too much', { 'cpu.stealRatio': 0.1 }, 'warning', 'stolen', { ratio: 0.1 }],
]);
