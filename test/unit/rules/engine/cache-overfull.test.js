'use strict';

const { testRule } = require('../../../support/rule-tester');

const MiB = 2 ** 20;
const use = (/** @type {number} */ mib, /** @type {number | undefined} */ waiting = 0) => ({
  'cache.maxBytes': 256 * MiB,
  'cache.usedBytes': mib * MiB,
  'clients.waitingThreads': waiting,
});

testRule(__filename, [
  [
    'less than it may hold',
    use(200),
    'ok',
    'fits',
    { usedBytes: 200 * 2 ** 20, maxBytes: 256 * 2 ** 20 },
  ],
  ['exactly', use(256), 'ok', 'fits'],
  ['more', use(257), 'warning', 'overfull'],
  ['more, and clients wait little', use(257, 0.05), 'warning', 'overfull'],
  ['more, and clients wait', use(1211, 0.06), 'critical', 'clients-wait', { waitingThreads: 0.06 }],
]);
