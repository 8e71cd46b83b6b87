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
]);
