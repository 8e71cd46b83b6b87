'use strict';

const { testRule } = require('../../../support/rule-tester');

const queue = (
  /** @type {number} */ n,
  /** @type {number} */ empty = 0,
  /** @type {number} */ probing = 0,
) => ({
  'clients.queued': n,
  'clients.queuedMax': n * 3,
  'tickets.readEmptyShare': empty,
  'tickets.writeEmptyShare': 0,
  'tickets.probing': probing,
});

testRule(__filename, [
  ['nothing queues', queue(0), 'ok', 'fine'],
  ['no ticket left is no overload by itself', queue(0.9, 1), 'ok', 'fine'],
  ['one queues', queue(1), 'warning', 'queued', { queued: 1, queuedMax: 3 }],
  ['none left in less than half of the samples', queue(5, 0.499), 'warning', 'queued'],
  [
    'none left in half of the samples',
    queue(5, 0.5),
    'critical',
    'no-ticket-left',
    { noTicketShare: 0.5 },
  ],
  [
    'write tickets count as well',
    { 'clients.queued': 5, 'tickets.writeEmptyShare': 1 },
    'critical',
    'no-ticket-left',
  ],
  [
    'those of low priority wait by design',
    { ...queue(500.9, 1), 'clients.lowPriorityQueued': 500 },
    'warning',
    'low-priority-queued',
    { lowPriorityQueued: 500 },
  ],
  [
    'beside them one of normal priority without a ticket',
    { ...queue(501, 1), 'clients.lowPriorityQueued': 500, 'server.versionNumber': 90_002 },
    'critical',
    'no-ticket-left',
    { parameters: 'executionControlConcurrentReadTransactions or …WriteTransactions' },
  ],
  [
    'the parameter of 8.2',
    { ...queue(5, 1), 'server.versionNumber': 80_299 },
    'critical',
    'no-ticket-left',
    { parameters: 'storageEngineConcurrentReadTransactions or …WriteTransactions' },
  ],
  [
    'the parameter of 6.0',
    { ...queue(5, 1), 'server.versionNumber': 69_999 },
    'critical',
    'no-ticket-left',
    { parameters: 'wiredTigerConcurrentReadTransactions or …WriteTransactions' },
  ],
  ['with throughput probing few tickets are meant to be few', queue(5, 1, 1), 'warning', 'queued'],
  [
    'a release that can let short operations go first',
    { ...queue(5, 1, 1), 'tickets.prioritizing': 0 },
    'warning',
    'queued',
    { isGateOff: true },
  ],
  [
    '… and does',
    { ...queue(5, 1, 1), 'tickets.prioritizing': 1 },
    'warning',
    'queued',
    { isGateOff: false },
  ],
  [
    '… with a fixed number of tickets',
    { ...queue(5, 1), 'tickets.prioritizing': 0, 'server.versionNumber': 80_300 },
    'critical',
    'no-ticket-left',
    { isGateOff: true },
  ],
]);
