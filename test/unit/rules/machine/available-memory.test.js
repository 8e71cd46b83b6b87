'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');
const { testRule } = require('../../../support/rule-tester');
const { HEALTHY, GiB } = require('../../../support/readings');

testRule(__filename, [
  ['enough', HEALTHY, 'ok', /^10 GiB of 16 GiB of memory are available \(62\.5 %\)\.$/],
  ['a fiftieth', { ...HEALTHY, 'memory.availableBytes': 0.321 * GiB }, 'warning'],
  ['less than that', { ...HEALTHY, 'memory.availableBytes': 0.319 * GiB }, 'critical'],
  ['a twentieth', { ...HEALTHY, 'memory.availableBytes': 0.8 * GiB }, 'ok'],
  ['just less', { ...HEALTHY, 'memory.availableBytes': 0.797 * GiB }, 'warning'],
  [
    'less',
    { ...HEALTHY, 'memory.availableBytes': 0.79 * GiB },
    'warning',
    /4\.9 %/,
    /cache smaller/,
  ],
]);

const left = (gib, others) => ({
  'memory.totalBytes': 100 * GiB,
  'memory.availableBytes': gib * GiB,
  ...(others === undefined ? {} : { 'memory.others': others }),
});

testHostRule(__filename, [
  ['enough', left(5), 'ok', /^5 GiB of 100 GiB of memory are available \(5\.0 %\)\.$/],
  ['little', left(4.99), 'warning', /5\.0 %/],
  ['still little', left(2), 'warning', /2\.0 %/],
  [
    'next to nothing, and who has it',
    left(1.99, [{ name: 'java', residentBytes: 30 * GiB }]),
    'critical',
    /largest process beside mongod is java with 30 GiB/,
  ],
  ['nobody else', left(50, []), 'ok', /available \(50\.0 %\)\./],
]);
