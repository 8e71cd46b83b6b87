'use strict';

const { testRule } = require('../../../support/rule-tester');

const lag = (/** @type {number} */ share, /** @type {number} */ throttled = 0) => ({
  'flowControl.laggedShare': share,
  'clients.throttledThreads': throttled,
});

testRule(__filename, [
  ['nobody lags', lag(0), 'ok', 'fine'],
  ['nobody lags in the end, and little time was lost', lag(0, 0.24), 'ok', 'fine'],
  ['a lag in one sample', lag(0.02), 'info', 'lagging', { laggedShare: 0.02 }],
  ['it costs less than a quarter of a thread', lag(1, 0.24), 'info', 'lagging'],
  [
    'it costs a quarter of a thread',
    lag(1, 0.25),
    'warning',
    'throttled',
    { laggedShare: 1, throttledThreads: 0.25 },
  ],
]);
