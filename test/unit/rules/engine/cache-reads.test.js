'use strict';

const { testRule } = require('../../../support/rule-tester');

const reading = (/** @type {number} */ threads, /** @type {number} */ busy = 8) => ({
  'clients.readingPages': threads,
  'clients.busy': busy,
  'eviction.pageReadMs': 11.8,
  'eviction.appReadsPerSec': 600,
});

testRule(__filename, [
  ['no reading', reading(0), 'ok', /0 threads/],
  ['healthy up to 0.05 threads', reading(0.05), 'ok', /next to nothing/],
  [
    'above it is worth knowing',
    reading(0.06),
    'info',
    /0\.06 threads on average, 600 pages a second at 11\.8 ms/,
  ],
  [
    'a large share of a light load is no trouble',
    reading(0.49, 0.5),
    'info',
    /98\.0 % of their time/,
  ],
  [
    'half a thread and a quarter of the time are',
    reading(0.5, 2),
    'warning',
    /25\.0 % of their time/,
  ],
  ['a smaller share is not', reading(0.5, 2.1), 'info'],
  ['just below half of the time', reading(3.99), 'warning'],
  ['half of the time is critical', reading(4), 'critical', /50\.0 %/, /memory is free/],
  [
    'in a cache that is being filled',
    {
      ...reading(4),
      'cache.usedRatioMax': 0.4,
      'eviction.pagesPerSec': 0,
      'cache.pagesReadPerSec': 600,
    },
    'critical',
    /50\.0 %/,
    /^Leave the cache as it is: it has room/,
  ],
  [
    'with more data than memory',
    { ...reading(4), 'data.bytes': 1.2e9, 'host.memoryBytes': 7e8 },
    'critical',
    /50\.0 %/,
    /^Leave the cache as it is: there is more data than memory/,
  ],
  [
    'with memory for it',
    { ...reading(4), 'data.bytes': 1.2e9, 'host.memoryBytes': 1.4e9 },
    'critical',
    /50\.0 %/,
    /raise the cache/,
  ],
  [
    'reading that exceeds the operations known is all of the time',
    reading(7, 2),
    'critical',
    /100\.0 %/,
  ],
]);
