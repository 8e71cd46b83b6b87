'use strict';

const { testRule } = require('../../../support/rule-tester');

testRule(__filename, [
  ['on', { 'tcmalloc.perCpuCaches': 1, 'process.cpuRatio': 0.95 }, 'ok', 'on'],
  ['off, CPUs idle', { 'tcmalloc.perCpuCaches': 0, 'process.cpuRatio': 0.79 }, 'info', 'off'],
  [
    'off, CPUs busy',
    { 'tcmalloc.perCpuCaches': 0, 'process.cpuRatio': 0.8 },
    'warning',
    'off-on-busy-cpus',
    { cpuRatio: 0.8 },
  ],
  ['off, CPUs not known', { 'tcmalloc.perCpuCaches': 0 }, 'info', 'off'],
]);
