'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const MiB = 2 ** 20;
const host = (value, swap, own) => ({
  'memory.swappiness': value,
  'memory.swapBytes': swap,
  ...(own === undefined ? {} : { 'memory.serverSwappedBytes': own }),
});
const FIX = (from) => [`vm.swappiness=1 back vm.swappiness=${from}`];

testHostRule(__filename, [
  ['no swap, whatever it is', host(100, 0), 'ok', /no swap, so vm\.swappiness \(100\)/],
  ['the default', host(60, 8 * MiB, 0), 'ok', /is 60, and 0 B of mongod are in swap/],
  ['above it', host(61, 8 * MiB), 'info', /is 61: the kernel would rather/, FIX(61)],
  ['the default, and some of mongod in swap', host(60, 999 * MiB, 64 * MiB - 1), 'ok', /64 MiB/],
  [
    'the default, and much of mongod in swap',
    host(60, 999 * MiB, 64 * MiB),
    'info',
    /is 60, and 64 MiB of mongod are in swap/,
    FIX(60),
  ],
  ['low already', host(1, 999 * MiB, 640 * MiB), 'ok', /is 1/],
  ['a little above that', host(2, 999 * MiB, 640 * MiB), 'info', /is 2/, FIX(2)],
]);
