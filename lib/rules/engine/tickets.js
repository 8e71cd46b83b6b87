'use strict';

const { count, percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole, many } = require('../../signals/words');
const { MIN_QUEUED } = require('../../signals/clients');

// Share of the samples in which no ticket was left; a single one is a coincidence. Heuristic.
const EMPTY_SHARE = 0.5;

module.exports = defineRule({
  id: 'tickets',
  area: 'concurrency',
  title: 'Operations queued for tickets or locks',
  why:
    'An operation needs a ticket to enter the storage engine. When all are out, the rest ' +
    'queue. Servers with throughput probing (7.0 and later) hand out few tickets on purpose, ' +
    'so that only the queue tells.',
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
    `Fewer than ${MIN_QUEUED} operation queued on average: healthy, whatever the tickets. ` +
    'From there on: warning; critical when the number of tickets is fixed and none was left in ' +
    `${whole(EMPTY_SHARE)} of the samples.`,
  source: 'MongoDB manual, serverStatus (queues.execution, wiredTiger.concurrentTransactions)',
  advice:
    'Find out why the operations that hold tickets are slow: cache-reads, cache-wait, the ' +
    'disk, or locks (db.currentOp({ waitingForLock: true })).',
  whenNot:
    'Do not raise the number of tickets: more operations at once on a slow disk or a busy ' +
    'processor make each slower, and setting it switches throughput probing off.',
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
    fine: ({ queued }) =>
      `The queue for tickets and locks is ${many(queued, 'operation')} long on average.`,
    queued: (values) => `${queue(values)}.`,
    'no-ticket-left': (values) =>
      `${queue(values)}; no ticket was left in ${percent(values.noTicketShare)} of the samples.`,
  },
});

/** How long the queue is. @param {{ queued: number, queuedMax: number | null }} values */
const queue = ({ queued, queuedMax }) =>
  `The queue for tickets and locks is ${many(queued, 'operation')} long on ` +
  `average${queuedMax === null ? '' : `, at most ${count(queuedMax)}`}`;
