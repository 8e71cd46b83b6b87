'use strict';

const { testRule } = require('../../../support/rule-tester');

const GiB = 2 ** 30;
const free = (/** @type {number} */ bytes, /** @type {number} */ resident) => ({
  'process.freeHeapBytes': bytes,
  'process.residentBytes': resident,
});

testRule(__filename, [
  ['none', free(0, 8 * GiB), 'ok', 'fine', { freeBytes: 0 }],
  ['just below a fifth', free(1.99 * GiB, 10 * GiB), 'ok', 'fine'],
  ['a fifth', free(2 * GiB, 10 * GiB), 'info', 'much', { ratio: 0.2 }],
  ['a fifth of a small one', free(GiB - 1, 2 * GiB), 'ok', 'fine'],
  ['a GiB of a small one', free(GiB, 2 * GiB), 'info', 'much'],
  ['nothing resident', free(GiB, 0), 'ok', 'fine', { ratio: 0 }],
]);
