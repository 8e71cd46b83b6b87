'use strict';

const { testRule } = require('../../../support/rule-tester');

const blocked = (/** @type {number} */ perSec, /** @type {number} */ waiting = 1) => ({
  'eviction.hazardBlockedPerSec': perSec,
  'eviction.pagesPerSec': 500,
  'clients.waitingThreads': waiting,
});

testRule(__filename, [
  ['none', blocked(0), 'ok', 'fine', { blockedPerSec: 0, evictedPerSec: 500, share: 0 }],
  ['a tenth', blocked(50), 'ok', 'fine'],
  ['just more', blocked(50.2), 'warning', 'in-use'],
  ['more', blocked(51), 'warning', 'in-use', { share: 0.102 }],
  ['more, but nobody loses by it', blocked(51, 0.05), 'info', 'in-use-at-no-cost'],
  ['somebody does', blocked(51, 0.06), 'warning', 'in-use'],
  ['too few to judge', { ...blocked(9.9), 'eviction.pagesPerSec': 0 }, 'ok', 'fine'],
  [
    'enough, and nothing else goes',
    { ...blocked(10), 'eviction.pagesPerSec': 0 },
    'warning',
    'in-use',
    { blockedPerSec: 10, share: 10 },
  ],
  [
    'what it costs is not known',
    { ...blocked(51), 'clients.waitingThreads': undefined },
    'warning',
    'in-use',
  ],
]);
