'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');
const { testRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

testRule(__filename, [
  [
    'processors with room',
    HEALTHY,
    'ok',
    /15\.0 % of the processors' time is used, and mongod uses 10\.0 %/,
  ],
  ['a tenth free', { ...HEALTHY, 'cpu.busyRatio': 0.9 }, 'warning', /90\.0 %/, /without an index/],
  ['a little more', { ...HEALTHY, 'cpu.busyRatio': 0.899 }, 'ok'],
]);

const busy = (all, own) => ({ 'cpu.busyRatio': all, 'cpu.serverRatio': own, 'cpu.logical': 8 });

testHostRule(__filename, [
  [
    'room',
    busy(0.899, 0.1),
    'ok',
    /89\.9 % of the processors' time is used: 10\.0 % by mongod, 79\.9 % by everything else/,
  ],
  ['full, mostly mongod', busy(0.9, 0.451), 'info', /45\.1 % by mongod/],
  ['full, half of it others', busy(0.9, 0.45), 'warning', /45\.0 % by everything else/],
  ['ticks that were counted late', busy(0.9, 0.91), 'info', /0\.0 % by everything else/],
]);
