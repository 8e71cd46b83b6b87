'use strict';

const { testRule } = require('../../../support/rule-tester');
const { READ_BOUND, HEALTHY, GiB } = require('../../../support/readings');

testRule(__filename, [
  [
    'the data fits',
    HEALTHY,
    'ok',
    /All data fits into the cache of 2 GiB: a larger one would save no reads\.$/,
  ],
  [
    'it fits, and would fit a smaller one',
    { ...HEALTHY, 'cache.maxBytes': 4 * GiB },
    'ok',
    /1\.75 GiB would still hold it/,
  ],
  [
    'it does not fit, and pages are read',
    READ_BOUND,
    'info',
    /Estimate, against 599 page reads a second/,
  ],
  [
    'less than one page a second is read',
    { ...READ_BOUND, 'cache.pagesReadPerSec': 0.9 },
    'ok',
    /only 0\.9 pages a second are read: what is used fits/,
  ],
  ['one is', { ...READ_BOUND, 'cache.pagesReadPerSec': 1 }, 'info'],
  [
    'it does not fit, but the cache is still filling',
    { ...READ_BOUND, 'cache.usedRatioMax': 0.5, 'eviction.pagesPerSec': 0 },
    'ok',
    /What was used so far fits: the cache of 256 MiB is at most 50\.0 % full, and a larger one would save no reads as yet/,
  ],
  [
    'far from full, and nearly all that leaves it is dirty',
    { ...READ_BOUND, 'cache.usedRatioMax': 0.6, 'eviction.modifiedPagesPerSec': 293 },
    'ok',
    /at most 60\.0 % full/,
  ],
  [
    'far from full, but clean pages leave it: somebody lowered its target',
    { ...READ_BOUND, 'cache.usedRatioMax': 0.6, 'eviction.modifiedPagesPerSec': 292 },
    'info',
    /Estimate/,
  ],
  [
    'near its target',
    { ...READ_BOUND, 'cache.usedRatioMax': 0.75, 'eviction.pagesPerSec': 0 },
    'info',
    /Estimate/,
  ],
  [
    'pages that leave because they are dirty, and come back',
    {
      ...READ_BOUND,
      'cache.usedRatioMax': 0.4,
      'cache.dirtyRatioMax': 0.2,
      'eviction.modifiedPagesPerSec': 592,
      'clients.waitingForCache': 0.3,
    },
    'ok',
    /because they are dirty.*can not be reckoned/,
  ],
  [
    'more data than memory',
    { ...READ_BOUND, 'host.memoryBytes': GiB },
    'info',
    /operating system's cache/,
  ],
  ['no data at all', { ...READ_BOUND, 'data.bytes': 0 }, 'ok', /no data yet/],
]);
