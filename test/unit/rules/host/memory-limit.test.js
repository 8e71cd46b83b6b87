'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const GiB = 2 ** 30;
const host = (cache, limit = 10 * GiB, used) => ({
  'memory.isLimited': true,
  'memory.limitBytes': limit,
  'server.cacheBytes': cache,
  ...(used === undefined ? {} : { 'memory.limitUsedBytes': used }),
});

testHostRule(__filename, [
  ['none', { 'memory.isLimited': false }, 'ok', /No control group/],
  [
    'fits',
    host(8 * GiB, 10 * GiB, 9 * GiB),
    'ok',
    /cache is 8 GiB, and a control group limits mongod to 10 GiB, of which 9 GiB are in use/,
  ],
  ['too large', host(8 * GiB + 1), 'warning', /limits mongod to 10 GiB\./],
  ['nearly all', host(10 * GiB - 1), 'warning'],
  ['all of it', host(10 * GiB), 'critical'],
  [
    'the cache is not known',
    { 'memory.isLimited': true, 'memory.limitBytes': GiB },
    'info',
    /to 1 GiB; the cache is not known/,
  ],
  [
    'how large is not known',
    { 'memory.isLimited': true, 'server.cacheBytes': GiB },
    'info',
    /the memory of mongod; the cache/,
  ],
  ['a small one', host(GiB, GiB), 'critical', /1 GiB/],
]);
