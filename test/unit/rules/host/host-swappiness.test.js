'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const MiB = 2 ** 20;
const host = (value, swap, own) => ({
  'memory.swappiness': value,
  'memory.swapBytes': swap,
  ...(own === undefined ? {} : { 'memory.serverSwappedBytes': own }),
});
const FIX = (from) => [`vm.swappiness=1 back vm.swappiness=${from}`];

testHostRule(__filename, [
  ['no swap, whatever it is', host(100, 0), 'ok', 'no-swap', { swappiness: 100 }],
  ['the default', host(60, 8 * MiB, 0), 'ok', 'fine', { swappiness: 60, swappedBytes: 0 }],
  ['above it', host(61, 8 * MiB), 'info', 'high', { swappiness: 61 }, FIX(61)],
  [
    'the default, and some of mongod in swap',
    host(60, 999 * MiB, 64 * MiB - 1),
    'ok',
    'fine',
    { swappedBytes: 64 * 2 ** 20 },
  ],
  [
    'the default, and much of mongod in swap',
    host(60, 999 * MiB, 64 * MiB),
    'info',
    'swapped',
    { swappiness: 60, swappedBytes: 64 * 2 ** 20 },
    FIX(60),
  ],
  ['low already', host(1, 999 * MiB, 640 * MiB), 'ok', 'fine', { swappiness: 1 }],
  [
    'a little above that',
    host(2, 999 * MiB, 640 * MiB),
    'info',
    'swapped',
    { swappiness: 2 },
    FIX(2),
  ],
]);
