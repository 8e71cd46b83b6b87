'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const busy = (all, own) => ({ 'cpu.busyRatio': all, 'cpu.serverRatio': own, 'cpu.logical': 8 });

testHostRule(__filename, [
  [
    'room',
    busy(0.899, 0.1),
    'ok',
    /89\.9 % busy: 10\.0 % with mongod, 79\.9 % with everything else/,
  ],
  ['full, mostly mongod', busy(0.9, 0.451), 'info', /45\.1 % with mongod/],
  ['full, half of it others', busy(0.9, 0.45), 'warning', /45\.0 % with everything else/],
  ['ticks that were counted late', busy(0.9, 0.91), 'info', /0\.0 % with everything else/],
]);
