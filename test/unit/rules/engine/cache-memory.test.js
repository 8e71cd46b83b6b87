'use strict';

const { testRule } = require('../../../support/rule-tester');

const GiB = 2 ** 30;
const share = (/** @type {number} */ ratio, memory = 100 * GiB) => ({
  'cache.maxBytes': ratio * memory,
  'host.memoryBytes': memory,
});

testRule(__filename, [
  [
    'half',
    share(0.5),
    'ok',
    'fine',
    { cacheBytes: 50 * 2 ** 30, memoryBytes: 100 * 2 ** 30, share: 0.5 },
  ],
  ['the best found', share(0.75), 'ok', 'fine'],
  ['more than that', share(0.751), 'info', 'large'],
  ['80%', share(0.8), 'info', 'large'],
  ['more', share(0.801), 'warning', 'too-large'],
  [
    'the default that is proposed is half of what is above 1 GiB',
    share(0.801, 17 * GiB),
    'warning',
    'too-large',
  ],
  ['… and never more', share(0.801, 16.99 * GiB), 'warning', 'too-large'],
  ['just below all', share(0.999), 'warning', 'too-large'],
  ['all of it', share(1), 'critical', 'above-memory'],
  [
    'a container too small for any advice but memory',
    share(1, 0.5 * GiB),
    'critical',
    'above-memory',
  ],
]);
