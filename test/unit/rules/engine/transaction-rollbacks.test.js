'use strict';

const { testRule } = require('../../../support/rule-tester');

testRule(__filename, [
  ['none', { 'transaction.rolledBackForEviction': 0 }, 'ok', 'fine', { transactions: 0 }],
  [
    'one',
    { 'transaction.rolledBackForEviction': 1 },
    'warning',
    'rolled-back',
    { transactions: 1 },
  ],
  [
    'more',
    { 'transaction.rolledBackForEviction': 12, 'eviction.aggressiveScoreMax': 100 },
    'warning',
    'rolled-back',
    { transactions: 12 },
  ],
  [
    'one by mongod itself (8.3+)',
    { 'transaction.rolledBackForEviction': 0, 'cachePressure.kills': 1 },
    'warning',
    'rolled-back',
    { transactions: 1 },
  ],
  [
    'the monitor of 8.2, which does not count them',
    {
      'transaction.rolledBackForEviction': 0,
      'cachePressure.kills': 0,
      'cachePressure.share': 0.5,
    },
    'warning',
    'pressure',
    { pressureShare: 0.5 },
  ],
  [
    'the monitor sees nothing',
    { 'transaction.rolledBackForEviction': 0, 'cachePressure.share': 0 },
    'ok',
    'fine',
  ],
]);
