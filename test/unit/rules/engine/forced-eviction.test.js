'use strict';

const { testRule } = require('../../../support/rule-tester');

const forced = (
  /** @type {number} */ failed,
  /** @type {number} */ perSec = 600,
  /** @type {number} */ waiting = 0.2,
) => ({
  'eviction.forcedPerSec': perSec,
  'eviction.forcedUnableRatio': failed,
  'clients.waitingThreads': waiting,
  'clients.busyThreads': 4,
});

testRule(__filename, [
  ['none', { 'eviction.forcedPerSec': 0 }, 'ok', 'rare', { forcedPerSec: 0, failedRatio: 0 }],
  ['too few to judge', forced(1, 0.99), 'ok', 'rare'],
  ['enough of them', forced(1, 1), 'warning', 'fails', { forcedPerSec: 1, failedRatio: 1 }],
  ['all succeed', forced(0), 'ok', 'fine', { forcedPerSec: 600, failedRatio: 0 }],
  ['a tenth fails', forced(0.1), 'ok', 'fine'],
  ['more', forced(0.101), 'warning', 'fails', { failedRatio: 0.101 }],
  ['30% fail, and clients wait', forced(0.3, 600, 2), 'warning', 'fails'],
  ['more, and clients wait', forced(0.301, 600, 2), 'critical', 'fails', { failedRatio: 0.301 }],
  ['more, and it costs less than a tenth of the time', forced(0.9, 600, 0.3), 'warning', 'fails'],
  [
    'more, and eviction costs next to nothing',
    forced(0.9, 600, 0.05),
    'info',
    'fails-at-no-cost',
    { failedRatio: 0.9 },
  ],
  ['a little more than that', forced(0.9, 600, 0.06), 'warning', 'fails'],
  [
    'what eviction costs is not known',
    { 'eviction.forcedPerSec': 600, 'eviction.forcedUnableRatio': 0.9 },
    'warning',
    'fails',
  ],
]);
