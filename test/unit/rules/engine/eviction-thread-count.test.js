'use strict';

const { testRule } = require('../../../support/rule-tester');

const threads = (
  /** @type {number} */ max,
  /** @type {number} */ cores,
  /** @type {number} */ cpu = 0.3,
) => ({
  'eviction.threadsActive': 4,
  'config.threadsMax': max,
  'host.cores': cores,
  'process.cpuRatio': cpu,
});

testRule(__filename, [
  ['the default on a small machine', threads(4, 2, 0.9), 'ok', 'fine', { threads: 4, cores: 2 }],
  ['more than the default there', threads(5, 2), 'info', 'many'],
  ['as many as processors', threads(16, 16, 0.9), 'ok', 'fine'],
  ['more', threads(17, 16), 'info', 'many'],
  [
    'as many as are active, where the setting is not known',
    { 'eviction.threadsActive': 5, 'host.cores': 2 },
    'info',
    'many',
    { threads: 5, cores: 2 },
  ],
  ['more, at 70%', threads(17, 16, 0.7), 'info', 'many'],
  [
    'more, and the CPUs are busy',
    threads(17, 16, 0.71),
    'warning',
    'many-on-busy-cpus',
    { cpuRatio: 0.71 },
  ],
]);
