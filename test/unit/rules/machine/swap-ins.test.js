'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');
const { testRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

testRule(__filename, [
  ['none', HEALTHY, 'ok', /0 pages a second come back from swap, with 10 GiB of memory available/],
  [
    'a hundred a second',
    { ...HEALTHY, 'memory.swapInPagesPerSec': 100 },
    'warning',
    /100 pages a second/,
    /smaller/,
  ],
  ['a little less', { ...HEALTHY, 'memory.swapInPagesPerSec': 99.9 }, 'info'],
  ['ten', { ...HEALTHY, 'memory.swapInPagesPerSec': 10 }, 'info'],
  ['fewer', { ...HEALTHY, 'memory.swapInPagesPerSec': 9.9 }, 'ok'],
]);

const MiB = 2 ** 20;
const swap = (used, own, rate) => ({
  'memory.swapUsedBytes': used,
  'memory.serverSwappedBytes': own,
  'memory.swapInPagesPerSec': rate,
});

testHostRule(__filename, [
  ['none', swap(0, 0, 0), 'ok', /^Nothing is in swap\.$/],
  ['used, and left there', swap(4096 * MiB, 64 * MiB - 1, 9.9), 'ok', /4 GiB are in swap/],
  ['mongod is in it', swap(4096 * MiB, 64 * MiB, 0), 'warning', /64 MiB of them mongod's/],
  [
    'something comes back all the time',
    swap(4096 * MiB, 0, 100),
    'warning',
    /100 pages a second come back/,
  ],
  ['a few a second', swap(4096 * MiB, 0, 10), 'info', /10 pages/],
  ['both', swap(4096 * MiB, 64 * MiB, 100), 'critical', /64 MiB .* 100 pages/],
]);
