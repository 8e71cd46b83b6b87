'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const GiB = 2 ** 30;
const host = (cache, limit = 10 * GiB, used) => ({
  'memory.isLimited': true,
  'memory.limitBytes': limit,
  'server.cacheBytes': cache,
  ...(used === undefined ? {} : { 'memory.limitUsedBytes': used }),
});

testHostRule(__filename, [
  ['none', { 'memory.isLimited': false }, 'ok', 'no-limit'],
  [
    'fits',
    host(8 * GiB, 10 * GiB, 9 * GiB),
    'ok',
    'fits',
    { limitBytes: 10 * 2 ** 30, usedBytes: 9 * 2 ** 30, cacheBytes: 8 * 2 ** 30 },
  ],
  ['too large', host(8 * GiB + 1), 'warning', 'too-large', { limitBytes: 10 * 2 ** 30 }],
  ['nearly all', host(10 * GiB - 1), 'warning', 'too-large'],
  ['all of it', host(10 * GiB), 'critical', 'too-large'],
  [
    'the cache is not known',
    { 'memory.isLimited': true, 'memory.limitBytes': GiB },
    'info',
    'not-comparable',
    { limitBytes: 1 * 2 ** 30 },
  ],
  [
    'how large is not known',
    { 'memory.isLimited': true, 'server.cacheBytes': GiB },
    'info',
    'not-comparable',
  ],
  [
    'a small one',
    host(GiB, GiB),
    'critical',
    'too-large',
    { limitBytes: 1 * 2 ** 30, cacheBytes: 1 * 2 ** 30 },
  ],
]);
