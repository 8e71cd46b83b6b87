'use strict';

const { testRule } = require('../../../support/rule-tester');

testRule(__filename, [
  ['none', { 'transaction.rolledBackForEviction': 0 }, 'ok', /^0 transactions were/],
  [
    'one',
    { 'transaction.rolledBackForEviction': 1 },
    'warning',
    /^1 transaction was rolled back/,
    /smaller and shorter/,
  ],
  [
    'more',
    { 'transaction.rolledBackForEviction': 12, 'eviction.aggressiveMax': 100 },
    'warning',
    /^12 transactions were/,
  ],
]);
