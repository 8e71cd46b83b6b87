'use strict';

const { testRule } = require('../../../support/rule-tester');

const took = (/** @type {number} */ ms, /** @type {number} */ gap = 1) => ({
  'checkpoint.windowMaxMs': ms,
  'checkpoint.seen': 1,
  'window.longestGapSeconds': gap,
});

testRule(__filename, [
  ['quick', took(200), 'ok', /longest checkpoint took 200 ms/],
  ['just below a minute', took(59_999), 'ok'],
  ['a minute', took(60_000), 'warning', /60 s/],
  ['just below five', took(299_999), 'warning'],
  ['five minutes', took(300_000), 'critical', /5 min 0 s/, /evictionDirtyTarget/],
  [
    'none ended in the window',
    { 'checkpoint.windowMaxMs': 61_000, 'checkpoint.seen': 0 },
    'warning',
    /last checkpoint/,
  ],
  ['a laptop that slept for hours', took(55_740_485, 55_000), 'info', /slept/, /awake/],
  ['half of it between two samples', took(60_000, 30), 'info'],
  ['just less than half', took(60_000, 29.9), 'warning'],
]);
