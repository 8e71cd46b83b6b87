'use strict';

const { testRule } = require('../../../support/rule-tester');

const wait = (/** @type {number} */ ratio, /** @type {number} */ waiting = 1) => ({
  'eviction.mandatoryRatio': ratio,
  'clients.waitingThreads': waiting,
});

testRule(__filename, [
  ['none', wait(0), 'ok', 'fine', { mandatoryRatio: 0 }],
  ['just below half', wait(0.499), 'ok', 'fine'],
  ['half', wait(0.5), 'warning', 'mandatory', { waitingThreads: 1 }],
  ['half of nearly nothing', wait(0.5, 0.05), 'ok', 'fine'],
]);
