'use strict';

const { testRule } = require('../../../support/rule-tester');

const took = (/** @type {number} */ ms, /** @type {number} */ gap = 1) => ({
  'checkpoint.windowMaxMs': ms,
  'checkpoint.seen': 1,
  'window.longestGapSeconds': gap,
});

testRule(__filename, [
  ['quick', took(200), 'ok', 'fine', { checkpointMs: 200 }],
  ['before the first one', took(0), 'unknown', 'none-yet'],
  ['just below a minute', took(59_999), 'ok', 'fine'],
  ['a minute', took(60_000), 'warning', 'long', { checkpointMs: 60000 }],
  ['just below five', took(299_999), 'warning', 'long'],
  ['five minutes', took(300_000), 'critical', 'long', { checkpointMs: 300000 }],
  [
    'none ended in the window',
    { 'checkpoint.windowMaxMs': 61_000, 'checkpoint.seen': 0 },
    'warning',
    'long',
  ],
  ['a laptop that slept for hours', took(55_740_485, 55_000), 'info', 'not-sampled'],
  ['half of it between two samples', took(60_000, 30), 'info', 'not-sampled'],
  ['just less than half', took(60_000, 29.9), 'warning', 'long'],
]);
