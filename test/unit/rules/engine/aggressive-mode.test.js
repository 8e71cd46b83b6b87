'use strict';

const { testRule } = require('../../../support/rule-tester');

const score = (/** @type {number} */ n) => ({
  'eviction.aggressiveScoreMax': n,
  'eviction.aggressiveShare': 0.27,
});

testRule(__filename, [
  ['calm', score(0), 'ok', 'fine', { score: 0 }],
  ['below the cutoff', score(9), 'ok', 'fine'],
  ['at the cutoff', score(10), 'warning', 'aggressive', { score: 10, aboveZeroShare: 0.27 }],
  ['just below the maximum', score(99), 'warning', 'aggressive'],
  ['stuck', score(100), 'critical', 'stuck', { score: 100 }],
  ['above the maximum it is the counter that is wrong', score(101), 'critical', 'above-maximum'],
]);
