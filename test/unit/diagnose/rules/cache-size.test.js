'use strict';

const { testRule } = require('../../../support/rule-tester');
const { READ_BOUND, HEALTHY, GiB } = require('../../../support/readings');

testRule(__filename, [
  ['the data fits', HEALTHY, 'ok', /All data fits into the cache of 2 GiB: a larger one would save no reads\.$/],
  ['it fits, and would fit a smaller one', { ...HEALTHY, 'cache.maxBytes': 4 * GiB }, 'ok', /1\.75 GiB would still hold it/],
  ['it does not fit, and pages are read', READ_BOUND, 'info', /Estimate, against 599 page reads a second/],
  ['less than one page a second is read', { ...READ_BOUND, 'cache.pagesReadPerSec': 0.9 }, 'ok', /only 0\.9 pages a second are read: what is used fits/],
  ['one is', { ...READ_BOUND, 'cache.pagesReadPerSec': 1 }, 'info'],
  ['it does not fit, but the cache is still filling', { ...READ_BOUND, 'cache.usedRatioMax': 0.5, 'eviction.pagesPerSec': 0 }, 'ok', /still has room/],
  ['more data than memory', { ...READ_BOUND, 'host.memoryBytes': GiB }, 'info', /operating system's cache/],
  ['no data at all', { ...READ_BOUND, 'data.bytes': 0 }, 'ok', /no data yet/],
]);
