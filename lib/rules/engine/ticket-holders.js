'use strict';

const { percent, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { MIN_QUEUED } = require('../../signals/clients');
const { sources, serverStatus } = require('../sources');

// Share of the time by which tickets were held too long; heuristic.
const LATE_RATIO = 0.1;

module.exports = defineRule({
  id: 'ticket-holders',
  area: 'concurrency',
  title: 'Tickets held too long',
  why:
    'An operation gives its ticket back from time to time, so that others get their turn. One that ' +
    'does not keeps a ticket from them: a long step inside of one document or index, or a wait.',
  needs: ['tickets.delinquentRatio'],
  wants: ['clients.queued'],
  evidence: ['tickets.delinquentRatio', 'clients.queued'],
  thresholds: { lateRatio: LATE_RATIO },
  threshold:
    `Information: tickets were held too long for ${shortPercent(LATE_RATIO)} of the time. Warning: while ` +
    `${MIN_QUEUED} operation queues on average. Servers before 8.2 do not report it.`,
  source: sources(
    serverStatus('queues.execution, totalAcquisitionDelinquencyMillis'),
    'the threshold is a heuristic',
  ),
  advice:
    'Find the operations: the slow query log has "delinquencyInfo" of each. Large documents, regular ' +
    'expressions over them and unindexed sorts are the usual ones.',
  whenNot: 'While nothing queues, a ticket that is held too long delays no other operation.',
  check(
    { 'tickets.delinquentRatio': lateRatio, 'clients.queued': queued = 0 },
    { lateRatio: limit },
  ) {
    const values = { heldRatio: lateRatio, queued };
    if (lateRatio < limit) return { status: 'ok', code: 'fine', values };
    return queued >= MIN_QUEUED
      ? { status: 'warning', code: 'queued', values }
      : { status: 'info', code: 'late', values };
  },
  messages: {
    fine: (values) => `${held(values)}.`,
    late: (values) => `${held(values)}.`,
    queued: (values) => `${held(values)}, while operations queue.`,
  },
});

/** @param {{ heldRatio: number }} values */
const held = ({ heldRatio }) =>
  `${percent(heldRatio)} of the time was a ticket held longer than it should be`;
