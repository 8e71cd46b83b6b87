'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');
const { testRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

testRule(__filename, [
  ['nothing is taken', HEALTHY, 'ok', /took 0\.0 %/],
  ['a tenth', { ...HEALTHY, 'cpu.stealRatio': 0.1 }, 'warning', /took 10\.0 %/, /virtual machine/],
  ['less', { ...HEALTHY, 'cpu.stealRatio': 0.099 }, 'ok'],
]);

testHostRule(__filename, [
  ['none', { 'cpu.stealRatio': 0 }, 'ok', /took 0\.0 % of the processors' time/],
  ['some', { 'cpu.stealRatio': 0.099 }, 'ok', /9\.9 %/],
  ['too much', { 'cpu.stealRatio': 0.1 }, 'warning', /^Other virtual machines took 10\.0 %/],
]);
