'use strict';

const { testRule, testHostRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

testRule(__filename, [
  ['none', HEALTHY, 'ok', 'fine', { pagesPerSec: 0, availableBytes: 10 * 2 ** 30 }],
  [
    'a hundred a second',
    { ...HEALTHY, 'memory.swapInPagesPerSec': 100 },
    'warning',
    'often',
    { pagesPerSec: 100 },
  ],
  [
    'of other programs, beside a cache of next to nothing',
    { ...HEALTHY, 'memory.swapInPagesPerSec': 427, 'cache.usedBytes': 0.3 * 2 ** 20 },
    'warning',
    'often-of-others',
    { cacheBytes: 0.3 * 2 ** 20 },
  ],
  [
    'a cache that is worth swapping',
    { ...HEALTHY, 'memory.swapInPagesPerSec': 427, 'cache.usedBytes': 64 * 2 ** 20 },
    'warning',
    'often',
  ],
  ['a little less', { ...HEALTHY, 'memory.swapInPagesPerSec': 99.9 }, 'info', 'noted'],
  ['ten', { ...HEALTHY, 'memory.swapInPagesPerSec': 10 }, 'info', 'noted'],
  ['fewer', { ...HEALTHY, 'memory.swapInPagesPerSec': 9.9 }, 'ok', 'fine'],
]);

const MiB = 2 ** 20;
const swap = (used, own, rate) => ({
  'memory.swapUsedBytes': used,
  'memory.serverSwappedBytes': own,
  'memory.swapInPagesPerSec': rate,
});

testHostRule(__filename, [
  ['none', swap(0, 0, 0), 'ok', 'fine'],
  [
    'used, and left there',
    swap(4096 * MiB, 64 * MiB - 1, 9.9),
    'ok',
    'fine',
    { usedBytes: 4 * 2 ** 30 },
  ],
  [
    'mongod is in it',
    swap(4096 * MiB, 64 * MiB, 0),
    'warning',
    'swapped',
    { serverBytes: 64 * 2 ** 20 },
  ],
  [
    'something comes back all the time',
    swap(4096 * MiB, 0, 100),
    'warning',
    'often',
    { pagesPerSec: 100 },
  ],
  ['a few a second', swap(4096 * MiB, 0, 10), 'info', 'noted', { pagesPerSec: 10 }],
  [
    'both',
    swap(4096 * MiB, 64 * MiB, 100),
    'critical',
    'swapped-and-often',
    { pagesPerSec: 100, serverBytes: 64 * 2 ** 20 },
  ],
]);
