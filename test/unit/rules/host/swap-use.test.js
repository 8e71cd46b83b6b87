'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const MiB = 2 ** 20;
const swap = (used, own, rate) => ({
  'memory.swapUsedBytes': used,
  'memory.serverSwappedBytes': own,
  'memory.swapInPagesPerSec': rate,
});

testHostRule(__filename, [
  ['none', swap(0, 0, 0), 'ok', /^Nothing is in swap\.$/],
  [
    'used, and left there',
    swap(4096 * MiB, 64 * MiB - 1, 400 * 1024 - 1),
    'ok',
    /4 GiB are in swap/,
  ],
  ['mongod is in it', swap(4096 * MiB, 64 * MiB, 0), 'warning', /64 MiB of them mongod's/],
  [
    'something comes back all the time',
    swap(4096 * MiB, 0, 400 * 1024),
    'warning',
    /400 KiB a second come back/,
  ],
  ['both', swap(4096 * MiB, 64 * MiB, 400 * 1024), 'critical', /64 MiB .* 400 KiB/],
]);
