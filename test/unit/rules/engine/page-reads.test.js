'use strict';

const { testRule } = require('../../../support/rule-tester');

const reading = (/** @type {number} */ threads, /** @type {number} */ busy = 8) => ({
  'clients.readingThreads': threads,
  'clients.busyThreads': busy,
  'eviction.pageReadMs': 11.8,
  'eviction.appReadsPerSec': 600,
});

testRule(__filename, [
  ['no reading', reading(0), 'ok', 'fine', { threads: 0, share: 0 }],
  ['healthy up to 0.05 threads', reading(0.05), 'ok', 'fine'],
  [
    'above it is worth knowing',
    reading(0.06),
    'info',
    'noticeable',
    { threads: 0.06, pagesPerSec: 600, pageReadMs: 11.8 },
  ],
  [
    'a large share of a light load is no trouble',
    reading(0.49, 0.5),
    'info',
    'noticeable',
    { share: 0.98 },
  ],
  [
    'half a thread and a quarter of the time are',
    reading(0.5, 2),
    'warning',
    'costly',
    { share: 0.25 },
  ],
  ['a smaller share is not', reading(0.5, 2.1), 'info', 'noticeable'],
  ['just below half of the time', reading(3.99), 'warning', 'costly'],
  ['half of the time is critical', reading(4), 'critical', 'costly', { share: 0.5 }],
  [
    'in a cache that is being filled',
    {
      ...reading(4),
      'cache.usedRatioMax': 0.4,
      'eviction.pagesPerSec': 0,
      'cache.pagesReadPerSec': 600,
    },
    'critical',
    'costly-cache-has-space',
    { share: 0.5 },
  ],
  [
    'with more data than memory',
    { ...reading(4), 'data.bytes': 1.2e9, 'host.memoryBytes': 7e8 },
    'critical',
    'costly-memory-full',
    { share: 0.5 },
  ],
  [
    'with memory for it',
    { ...reading(4), 'data.bytes': 1.2e9, 'host.memoryBytes': 1.4e9 },
    'critical',
    'costly',
    { share: 0.5 },
  ],
  [
    'reading that exceeds the operations known is all of the time',
    reading(7, 2),
    'critical',
    'costly',
    { share: 1 },
  ],
]);
