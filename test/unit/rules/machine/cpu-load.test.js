'use strict';

const { testRule, testHostRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

testRule(__filename, [
  ['CPUs with room', HEALTHY, 'ok', 'fine', { busyRatio: 0.15, allowedRatio: 0.1 }],
  ['a tenth free', { ...HEALTHY, 'cpu.busyRatio': 0.9 }, 'warning', 'full', { busyRatio: 0.9 }],
  ['a little more', { ...HEALTHY, 'cpu.busyRatio': 0.899 }, 'ok', 'fine'],
]);

const busy = (all, own) => ({ 'cpu.busyRatio': all, 'cpu.serverRatio': own, 'cpu.logical': 8 });

testHostRule(__filename, [
  [
    'room',
    busy(0.899, 0.1),
    'ok',
    'fine',
    { busyRatio: 0.899, serverRatio: 0.1, othersRatio: 0.799 },
  ],
  ['full, mostly mongod', busy(0.9, 0.451), 'info', 'full-by-mongod', { serverRatio: 0.451 }],
  [
    'full, half of it others',
    busy(0.9, 0.45),
    'warning',
    'full',
    { serverRatio: 0.45, othersRatio: 0.45 },
  ],
  ['ticks that were counted late', busy(0.9, 0.91), 'info', 'full-by-mongod', { othersRatio: 0 }],
]);
