'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const processes = (soft, hard, threads) => ({
  'process.processes': { soft, hard },
  ...(threads === undefined ? {} : { 'process.threads': threads }),
});

testHostRule(__filename, [
  ['as advised', processes(64000, 64000, 51199), 'ok', /64,000 threads, and mongod has 51,199/],
  [
    'near it',
    processes(64000, 64000, 51200),
    'critical',
    /51,200/,
    ['nproc=128000:128000 back nproc=64000:64000'],
  ],
  [
    'too low',
    processes(63999, 70000),
    'info',
    /63,999 threads\./,
    ['nproc=64000:70000 back nproc=63999:70000'],
  ],
  ['no limit', processes(null, null), 'ok', /not limited/],
]);
