'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const [MiB, GiB, TiB] = [2 ** 20, 2 ** 30, 2 ** 40];
const space = (free, total) => ({
  'files.freeBytes': free,
  'files.totalBytes': total,
  'files.mountPoint': '/data',
});

testHostRule(__filename, [
  ['a tenth', space(10 * GiB, 100 * GiB), 'ok', /10 GiB of 100 GiB are free \(10\.0 %\)/],
  ['less', space(10 * GiB - 1, 100 * GiB), 'warning', /10\.0 %/],
  ['less, yet plenty', space(50 * GiB, TiB), 'ok'],
  ['less than plenty', space(50 * GiB - 1, TiB), 'warning'],
  ['half a gigabyte', space(500 * MiB, TiB), 'warning'],
  ['under it', space(500 * MiB - 1, TiB), 'critical', /index builds end, and mongod stops/],
  ['a small disk for trying', space(500 * MiB, GiB), 'ok'],
]);
