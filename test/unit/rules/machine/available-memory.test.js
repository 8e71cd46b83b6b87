'use strict';

const { testRule, testHostRule } = require('../../../support/rule-tester');
const { HEALTHY, GiB } = require('../../../support/readings');

testRule(__filename, [
  [
    'enough',
    HEALTHY,
    'ok',
    'fine',
    { availableBytes: 10 * 2 ** 30, totalBytes: 16 * 2 ** 30, ratio: 0.625 },
  ],
  ['a fiftieth', { ...HEALTHY, 'memory.availableBytes': 0.321 * GiB }, 'warning', 'little'],
  [
    'less than that',
    { ...HEALTHY, 'memory.availableBytes': 0.319 * GiB },
    'critical',
    'nearly-none',
  ],
  ['a twentieth', { ...HEALTHY, 'memory.availableBytes': 0.8 * GiB }, 'ok', 'fine'],
  ['just less', { ...HEALTHY, 'memory.availableBytes': 0.797 * GiB }, 'warning', 'little'],
  [
    'less',
    { ...HEALTHY, 'memory.availableBytes': 0.79 * GiB },
    'warning',
    'little',
    { ratio: 0.04938 },
  ],
]);

const left = (gib, others) => ({
  'memory.totalBytes': 100 * GiB,
  'memory.availableBytes': gib * GiB,
  ...(others === undefined ? {} : { 'memory.others': others }),
});

testHostRule(__filename, [
  [
    'enough',
    left(5),
    'ok',
    'fine',
    { availableBytes: 5 * 2 ** 30, totalBytes: 100 * 2 ** 30, ratio: 0.05 },
  ],
  ['little', left(4.99), 'warning', 'little', { ratio: 0.0499 }],
  ['still little', left(2), 'warning', 'little', { ratio: 0.02 }],
  [
    'next to nothing, and who has it',
    left(1.99, [{ name: 'java', residentBytes: 30 * GiB }]),
    'critical',
    'nearly-none',
  ],
  ['nobody else', left(50, []), 'ok', 'fine', { ratio: 0.5 }],
]);
