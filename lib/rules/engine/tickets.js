'use strict';

const { count, percent, many } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole } = require('../../signals/words');
const { MIN_QUEUED } = require('../../signals/clients');
const { sources, serverStatus } = require('../sources');

// Share of the samples in which no ticket was left; a single one is a coincidence. Heuristic.
const EMPTY_SHARE = 0.5;

module.exports = defineRule({
  id: 'tickets',
  area: 'concurrency',
  title: 'Operations queued for tickets or locks',
  why:
    'An operation needs a ticket to enter the storage engine. When none is left, operations ' +
    'queue. Servers from 7.0 on use few tickets deliberately (throughput probing), so only the ' +
    'queue counts.',
  needs: ['clients.queued'],
  wants: [
    'clients.queuedMax',
    'tickets.readTotal',
    'tickets.writeTotal',
    'tickets.readEmptyShare',
    'tickets.writeEmptyShare',
    'tickets.probing',
  ],
  thresholds: { minQueued: MIN_QUEUED, emptyShare: EMPTY_SHARE },
  threshold:
    `Healthy: fewer than ${MIN_QUEUED} operation queued on average, whatever the number of ` +
    'tickets. Warning: from there. Critical: the number of tickets is fixed, and none was left ' +
    `in ${whole(EMPTY_SHARE)} of the samples.`,
  source: sources(
    serverStatus('queues.execution, wiredTiger.concurrentTransactions'),
    'the thresholds are heuristics',
  ),
  advice:
    'Find out why operations with tickets are slow: page-reads, cache-wait, the disk, or locks ' +
    '(db.currentOp({ waitingForLock: true })).',
  whenNot:
    'Do not raise the number of tickets: on a slow disk or busy CPUs, more operations at once ' +
    'make each slower. It also disables throughput probing.',
  speaksFor: ['concurrency'],
  check(metrics, { minQueued, emptyShare }) {
    const {
      'clients.queued': queued,
      'clients.queuedMax': queuedMax = null,
      'tickets.probing': probing = 0,
      'tickets.readEmptyShare': readShare = 0,
      'tickets.writeEmptyShare': writeShare = 0,
    } = metrics;
    const values = { queued, queuedMax, noTicketShare: Math.max(readShare, writeShare) };
    const evidence = {
      'clients.queued': queued,
      'clients.queuedMax': queuedMax,
      emptyShare: values.noTicketShare,
      probing: probing > 0,
    };
    if (queued < minQueued) return { status: 'ok', code: 'fine', values, evidence };
    return probing > 0 || values.noTicketShare < emptyShare
      ? { status: 'warning', code: 'queued', values, evidence }
      : { status: 'critical', code: 'no-ticket-left', values, evidence };
  },
  messages: {
    fine: ({ queued }) => `${many(queued, 'operation')} queued for tickets and locks on average.`,
    queued: (values) => `${queue(values)}.`,
    'no-ticket-left': (values) =>
      `${queue(values)}; no ticket was left in ${percent(values.noTicketShare)} of the samples.`,
  },
});

/** How long the queue is. @param {{ queued: number, queuedMax: number | null }} values */
const queue = ({ queued, queuedMax }) =>
  `${many(queued, 'operation')} queued for tickets and locks on average` +
  `${queuedMax === null ? '' : ` (max ${count(queuedMax)})`}`;
