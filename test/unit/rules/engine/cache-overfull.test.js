'use strict';

const { testRule } = require('../../../support/rule-tester');

const MiB = 2 ** 20;
const use = (/** @type {number} */ mib, /** @type {number | undefined} */ waiting = 0) => ({
  'cache.maxBytes': 256 * MiB,
  'cache.usedBytes': mib * MiB,
  'clients.waitingForCache': waiting,
});

testRule(__filename, [
  ['less than it may hold', use(200), 'ok', /200 MiB are in use of 256 MiB/],
  ['exactly', use(256), 'ok'],
  ['more', use(257), 'warning', /100\.4 %/, /tune\.status\(\)/],
  ['more, and clients wait little', use(257, 0.05), 'warning'],
  [
    'more, and clients wait',
    use(1211, 0.06),
    'critical',
    /473\.0 %, with 0\.06 client threads waiting/,
  ],
]);
