'use strict';

const { testRule } = require('../../../support/rule-tester');

const held = (/** @type {number} */ ratio, /** @type {number} */ queued = 0) => ({
  'tickets.delinquentRatio': ratio,
  'clients.queued': queued,
});

testRule(__filename, [
  ['none', held(0, 5), 'ok', 'fine', { heldRatio: 0 }],
  ['just below a tenth', held(0.099, 5), 'ok', 'fine'],
  ['a tenth, and nothing queues', held(0.1, 0.9), 'info', 'late'],
  ['a tenth, and one queues', held(0.1, 1), 'warning', 'queued', { queued: 1 }],
]);
