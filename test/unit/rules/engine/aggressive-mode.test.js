'use strict';

const { testRule } = require('../../../support/rule-tester');

const score = (/** @type {number} */ n) => ({
  'eviction.aggressiveMax': n,
  'eviction.aggressiveShare': 0.27,
});

testRule(__filename, [
  ['calm', score(0), 'ok', /at most 0 of 100/],
  ['below the cutoff', score(9), 'ok'],
  ['at the cutoff', score(10), 'warning', /10 of 100, above 0 in 27\.0 % of the samples/],
  ['just below the maximum', score(99), 'warning'],
  ['stuck', score(100), 'critical', /reached 100/],
  [
    'above the maximum it is the counter that is wrong',
    score(101),
    'critical',
    /known defect/,
    /Upgrade/,
  ],
]);
