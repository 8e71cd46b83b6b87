'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const GiB = 2 ** 30;
const mongods = (...caches) => ({
  'memory.totalBytes': 10 * GiB,
  'memory.mongods': caches.map((gib, i) => ({
    pid: 10 + i,
    residentBytes: GiB,
    cacheBytes: gib === null ? null : gib * GiB,
    isOurs: i === 0,
  })),
});

testHostRule(__filename, [
  ['one', mongods(9), 'ok', 'one'],
  [
    'two that fit',
    mongods(4, 4),
    'ok',
    'fits',
    { mongods: 2, cacheBytes: 8 * 2 ** 30, totalBytes: 10 * 2 ** 30 },
  ],
  ['two that do not', mongods(4, 4.1), 'warning', 'too-large', { cacheBytes: 8.1 * 2 ** 30 }],
  [
    'ours tells its own',
    { ...mongods(4, 4), 'server.cacheBytes': 5 * GiB },
    'warning',
    'too-large',
    { cacheBytes: 9 * 2 ** 30 },
  ],
  [
    'one is not known',
    mongods(4, null),
    'ok',
    'fits',
    { cacheBytes: 4 * 2 ** 30, unknownCaches: 1 },
  ],
  ['two are not known', mongods(9, null, null), 'warning', 'too-large', { unknownCaches: 2 }],
]);
