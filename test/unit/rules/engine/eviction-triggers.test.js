'use strict';

const { testRule } = require('../../../support/rule-tester');

const reached = (/** @type {number} */ perSec, /** @type {number} */ waiting = 0) => ({
  'eviction.triggersReachedPerSec': perSec,
  'clients.waitingThreads': waiting,
});

testRule(__filename, [
  ['never', reached(0, 9), 'ok', 'never', { reachedPerSec: 0 }],
  ['now and then', reached(0.99), 'info', 'reached', { reachedPerSec: 0.99 }],
  ['with waits that are healthy', reached(0.1, 0.05), 'info', 'reached'],
  ['with waits', reached(0.1, 0.06), 'warning', 'with-waits', { lostThreads: 0.06 }],
  ['once a second', reached(1), 'warning', 'often'],
]);
