'use strict';

const { testRule } = require('../../../support/rule-tester');

testRule(__filename, [
  ['on', { 'tcmalloc.perCpuCaches': 1, 'process.cpuRatio': 0.95 }, 'ok'],
  [
    'off, processors idle',
    { 'tcmalloc.perCpuCaches': 0, 'process.cpuRatio': 0.79 },
    'info',
    /no cache for each processor\.$/,
  ],
  [
    'off, processors busy',
    { 'tcmalloc.perCpuCaches': 0, 'process.cpuRatio': 0.8 },
    'warning',
    /80\.0 %/,
    /rseq/,
  ],
  ['off, processors not known', { 'tcmalloc.perCpuCaches': 0 }, 'info'],
]);
