'use strict';

const { testRule } = require('../../../support/rule-tester');

const forced = (
  /** @type {number} */ failed,
  /** @type {number} */ perSec = 600,
  /** @type {number} */ waiting = 0.2,
) => ({
  'eviction.forcedPerSec': perSec,
  'eviction.forcedUnableRatio': failed,
  'clients.waitingForCache': waiting,
  'clients.busy': 4,
});

testRule(__filename, [
  ['none', { 'eviction.forcedPerSec': 0 }, 'ok', /0 pages a second .*next to none/],
  ['too few to judge', forced(1, 0.99), 'ok'],
  ['enough of them', forced(1, 1), 'warning', /^1 page a second/],
  ['all succeed', forced(0), 'ok', /600 pages a second .*0\.0 %/],
  ['a tenth fails', forced(0.1), 'ok'],
  ['more', forced(0.101), 'warning', /10\.1 %/, /hot pages/],
  ['30 % fail, and clients wait', forced(0.3, 600, 2), 'warning'],
  ['more, and clients wait', forced(0.301, 600, 2), 'critical', /30\.1 %/],
  ['more, and it costs less than a tenth of the time', forced(0.9, 600, 0.3), 'warning'],
  ['more, and eviction costs next to nothing', forced(0.9, 600, 0.05), 'info', /90\.0 %/],
  ['a little more than that', forced(0.9, 600, 0.06), 'warning'],
  [
    'what eviction costs is not known',
    { 'eviction.forcedPerSec': 600, 'eviction.forcedUnableRatio': 0.9 },
    'warning',
  ],
]);
