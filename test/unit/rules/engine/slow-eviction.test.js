'use strict';

const { testRule } = require('../../../support/rule-tester');

testRule(__filename, [
  ['none slower than before', { 'eviction.slowestMs': 0 }, 'ok', 'fine', { slowestMs: 0 }],
  ['just below a second', { 'eviction.slowestMs': 999 }, 'ok', 'fine'],
  ['a second', { 'eviction.slowestMs': 1000 }, 'warning', 'slow', { slowestMs: 1000 }],
]);
