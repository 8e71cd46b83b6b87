'use strict';

const { testRule } = require('../../../support/rule-tester');

const open = (/** @type {number} */ n, /** @type {number} */ version = 90_002) => ({
  'transaction.open': n,
  'server.versionNumber': version,
});

testRule(__filename, [
  ['none', open(0), 'ok', 'fine', { open: 0 }],
  ['just below 80%', open(7999), 'ok', 'fine'],
  ['80%', open(8000), 'warning', 'near-limit', { ratio: 0.8 }],
  ['just below 95%', open(9499), 'warning', 'near-limit'],
  ['95%', open(9500), 'critical', 'at-limit'],
  ['8.0 before the limit', open(9500, 80_029), 'ok', 'no-limit'],
  ['8.0 with it', open(9500, 80_030), 'critical', 'at-limit'],
  ['8.2, of which it is not known', open(9500, 80_211), 'ok', 'no-limit'],
  ['8.3 before it', open(9500, 80_306), 'ok', 'no-limit'],
  ['8.3 with it', open(9500, 80_307), 'critical', 'at-limit'],
  ['9.0', open(9500, 90_000), 'critical', 'at-limit'],
  ['6.0', open(9500, 60_027), 'ok', 'no-limit'],
]);
