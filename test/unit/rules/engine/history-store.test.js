'use strict';

const { testRule } = require('../../../support/rule-tester');

const GiB = 2 ** 30;
const old = (
  /** @type {number} */ ratio,
  /** @type {number} */ disk = 4096,
  /** @type {number} */ grown = 0,
) => ({ 'cache.historyRatio': ratio, 'history.diskBytes': disk, 'history.grownBytes': grown });

testRule(__filename, [
  ['none', old(0), 'ok', 'fine', { cacheRatio: 0, diskBytes: 4096, grownBytes: 0 }],
  ['a quarter of the cache', old(0.25), 'ok', 'fine'],
  ['more', old(0.251), 'warning', 'large-in-cache', { cacheRatio: 0.251 }],
  ['10 GiB on disk', old(0.1, 10 * GiB, GiB), 'ok', 'fine'],
  ['just more', old(0.1, 10.01 * GiB, GiB), 'info', 'growing-on-disk'],
  [
    'more, and it grows',
    old(0.1, 11 * GiB, GiB),
    'info',
    'growing-on-disk',
    { diskBytes: 11 * 2 ** 30, grownBytes: 1 * 2 ** 30 },
  ],
  ['more, and it does not: the file keeps its size', old(0.1, 11 * GiB, 0), 'ok', 'fine'],
  [
    'more, and whether it grows is not known',
    { ...old(0.1, 11 * GiB), 'history.grownBytes': undefined },
    'ok',
    'fine',
  ],
]);
