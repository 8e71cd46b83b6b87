'use strict';

const { testRule } = require('../../../support/rule-tester');

const lag = (/** @type {number} */ share, /** @type {number} */ throttled = 0) => ({
  'flowControl.laggedShare': share,
  'clients.throttled': throttled,
});

testRule(__filename, [
  ['nobody lags', lag(0), 'ok', /not throttled/],
  ['nobody lags in the end, and little time was lost', lag(0, 0.24), 'ok'],
  [
    'a lag in one sample',
    lag(0.02),
    'info',
    /2\.0 % of the samples, at next to no cost/,
    /rs\.print/,
  ],
  ['it costs less than a quarter of a thread', lag(1, 0.24), 'info'],
  [
    'it costs a quarter of a thread',
    lag(1, 0.25),
    'warning',
    /100\.0 % .* 0\.25 threads/,
    /not at this cache/,
  ],
]);
