'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const [MiB, GiB, TiB] = [2 ** 20, 2 ** 30, 2 ** 40];
const space = (free, total) => ({
  'files.freeBytes': free,
  'files.totalBytes': total,
  'files.mountPoint': '/data',
});

testHostRule(__filename, [
  [
    'a tenth',
    space(10 * GiB, 100 * GiB),
    'ok',
    'fine',
    { freeBytes: 10 * 2 ** 30, totalBytes: 100 * 2 ** 30 },
  ],
  ['less', space(10 * GiB - 1, 100 * GiB), 'warning', 'low'],
  ['less, yet plenty', space(50 * GiB, TiB), 'ok', 'fine'],
  ['less than plenty', space(50 * GiB - 1, TiB), 'warning', 'low'],
  ['half a gigabyte', space(500 * MiB, TiB), 'warning', 'low'],
  ['under it', space(500 * MiB - 1, TiB), 'critical', 'full'],
  ['a small disk for trying', space(500 * MiB, GiB), 'ok', 'fine'],
]);
