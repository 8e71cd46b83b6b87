'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const processes = (soft, hard, threads) => ({
  'process.processes': { soft, hard },
  ...(threads === undefined ? {} : { 'process.threads': threads }),
});

testHostRule(__filename, [
  [
    'as advised',
    processes(64000, 64000, 51199),
    'ok',
    'fine',
    { limit: 64000, threads: 51200, to: 64000 },
  ],
  [
    'near it',
    processes(64000, 64000, 51200),
    'critical',
    'near-limit',
    { threads: 51200 },
    ['nproc=128000:128000 back nproc=64000:64000'],
  ],
  [
    'too low',
    processes(63999, 70000),
    'info',
    'low',
    { limit: 64000 },
    ['nproc=64000:70000 back nproc=63999:70000'],
  ],
  ['no limit', processes(null, null), 'ok', 'no-limit'],
]);
