'use strict';

const { testRule } = require('../../../support/rule-tester');

const GiB = 2 ** 30;
const old = (
  /** @type {number} */ ratio,
  /** @type {number} */ disk = 4096,
  /** @type {number} */ grown = 0,
) => ({ 'cache.historyRatio': ratio, 'history.diskBytes': disk, 'history.grownBytes': grown });

testRule(__filename, [
  ['none', old(0), 'ok', /0\.0 % of the cache and 4 KiB on disk/],
  ['a quarter of the cache', old(0.25), 'ok'],
  ['more', old(0.251), 'warning', /25\.1 %/, /oldest transaction/],
  ['10 GiB on disk', old(0.1, 10 * GiB, GiB), 'ok'],
  ['just more', old(0.1, 10.01 * GiB, GiB), 'info'],
  [
    'more, and it grows',
    old(0.1, 11 * GiB, GiB),
    'info',
    /11 GiB on disk, which grew by 1 GiB/,
    /pinned-timestamps/,
  ],
  ['more, and it does not: the file keeps its size', old(0.1, 11 * GiB, 0), 'ok'],
  [
    'more, and whether it grows is not known',
    { ...old(0.1, 11 * GiB), 'history.grownBytes': undefined },
    'ok',
  ],
]);
