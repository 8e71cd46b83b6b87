'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

testHostRule(__filename, [
  ['none', { 'cpu.stealRatio': 0 }, 'ok', /^0\.0 % of the processors' time/],
  ['some', { 'cpu.stealRatio': 0.099 }, 'ok', /9\.9 %/],
  ['too much', { 'cpu.stealRatio': 0.1 }, 'warning', /10\.0 % .* other virtual machines/],
]);
