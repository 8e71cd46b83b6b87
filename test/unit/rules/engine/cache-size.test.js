'use strict';

const { testRule } = require('../../../support/rule-tester');
const { READ_BOUND, HEALTHY, GiB } = require('../../../support/readings');

testRule(__filename, [
  ['the data fits', HEALTHY, 'ok', 'fits', { maxBytes: 2 * 2 ** 30 }],
  ['it fits, and would fit a smaller one', { ...HEALTHY, 'cache.maxBytes': 4 * GiB }, 'ok', 'fits'],
  [
    'it does not fit, and pages are read',
    READ_BOUND,
    'info',
    'larger-would-read-less',
    { readsPerSec: 599 },
  ],
  [
    'less than one page a second is read',
    { ...READ_BOUND, 'cache.pagesReadPerSec': 0.9 },
    'ok',
    'fits-what-is-used',
    { readsPerSec: 0.9 },
  ],
  ['one is', { ...READ_BOUND, 'cache.pagesReadPerSec': 1 }, 'info', 'larger-would-read-less'],
  [
    'it does not fit, but the cache is still filling',
    { ...READ_BOUND, 'cache.usedRatioMax': 0.5, 'eviction.pagesPerSec': 0 },
    'ok',
    'fits',
    { maxBytes: 256 * 2 ** 20 },
  ],
  [
    'far from full, and nearly all that leaves it is dirty',
    { ...READ_BOUND, 'cache.usedRatioMax': 0.6, 'eviction.modifiedPagesPerSec': 293 },
    'ok',
    'fits',
  ],
  [
    'far from full, but clean pages leave it: somebody lowered its target',
    { ...READ_BOUND, 'cache.usedRatioMax': 0.6, 'eviction.modifiedPagesPerSec': 292 },
    'info',
    'larger-would-read-less',
  ],
  [
    'near its target',
    { ...READ_BOUND, 'cache.usedRatioMax': 0.75, 'eviction.pagesPerSec': 0 },
    'info',
    'larger-would-read-less',
  ],
  [
    'pages that leave because they are dirty, and come back',
    {
      ...READ_BOUND,
      'cache.usedRatioMax': 0.4,
      'cache.dirtyRatioMax': 0.2,
      'eviction.modifiedPagesPerSec': 592,
      'clients.waitingThreads': 0.3,
    },
    'unknown',
    'not-computable',
  ],
  [
    'more data than memory',
    { ...READ_BOUND, 'host.memoryBytes': GiB },
    'info',
    'larger-would-read-less',
  ],
  ['no data at all', { ...READ_BOUND, 'data.bytes': 0 }, 'unknown', 'no-data'],
]);
