'use strict';

const { testRule } = require('../../../support/rule-tester');

const used = (/** @type {number} */ ratio, /** @type {number} */ evicting = 0) => ({
  'spill.usedRatio': ratio,
  'spill.evictingThreads': evicting,
  'spill.maxBytes': 198_180_864,
});

testRule(__filename, [
  ['empty', used(0), 'ok', 'fine', { usedRatio: 0 }],
  ['just below its target', used(0.799), 'ok', 'fine'],
  ['at its target', used(0.8), 'info', 'full'],
  ['evictions that cost nothing', used(0.9, 0.05), 'info', 'full'],
  ['operations evict', used(0.5, 0.06), 'warning', 'stalls', { evictingThreads: 0.06 }],
]);
