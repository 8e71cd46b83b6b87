'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

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
  ['one', mongods(9), 'ok', /One mongod/],
  [
    'two that fit',
    mongods(4, 4),
    'ok',
    /2 mongod run on this host, with caches of 8 GiB together, 80\.0 % of its 10 GiB/,
  ],
  ['two that do not', mongods(4, 4.1), 'warning', /8\.1 GiB together, 81\.0 %/],
  ['ours tells its own', { ...mongods(4, 4), 'server.cacheBytes': 5 * GiB }, 'warning', /9 GiB/],
  [
    'one is not known',
    mongods(4, null),
    'ok',
    /4 GiB together.*; the cache of 1 other is not known/,
  ],
  ['two are not known', mongods(9, null, null), 'warning', /the cache of 2 others is not known/],
]);
