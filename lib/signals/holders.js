'use strict';

const { many } = require('../base/pure/units');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Operations queue for a ticket until one that holds a ticket ends: the queue is a consequence of
 * what the holders do, so their time is what counts.
 */

// Share of the samples without a ticket left from which the queue is one for tickets; a single one
// is a coincidence (heuristic, as in the rule "tickets").
const EMPTY_SHARE = 0.5;
// mongod's pools until 6.0; later ones follow throughput probing.
const DEFAULT_TICKETS = 128;

const POOLS = Object.freeze(
  /** @type {const} */ ([
    {
      kind: 'read',
      total: 'tickets.readTotal',
      empty: 'tickets.readEmptyShare',
      atStart: 'tickets.isReadSetAtStart',
      parameter: 'wiredTigerConcurrentReadTransactions',
    },
    {
      kind: 'write',
      total: 'tickets.writeTotal',
      empty: 'tickets.writeEmptyShare',
      atStart: 'tickets.isWriteSetAtStart',
      parameter: 'wiredTigerConcurrentWriteTransactions',
    },
  ]),
);

/** @param {Metrics} metrics @returns {boolean} known to be so */
const isQueueForTickets = (metrics) =>
  (metrics['clients.queued'] ?? 0) > 0 &&
  POOLS.some(({ empty }) => (metrics[empty] ?? 0) >= EMPTY_SHARE);

/**
 * @param {Metrics} metrics
 * @returns {number} threads in the server that do not queue for a ticket
 */
function holdingThreads(metrics) {
  const { 'clients.busyThreads': busy = 0, 'clients.queued': queued = 0 } = metrics;
  return isQueueForTickets(metrics) ? Math.max(0, busy - queued) : busy;
}

/**
 * Pools that are smaller than mongod makes them, and in which no ticket was left.
 * @param {Metrics} metrics
 * @returns {{ kind: 'read' | 'write', total: number, parameter: string, how: string }[]}
 */
function loweredPools(metrics) {
  if (metrics['tickets.probing']) return [];
  return POOLS.flatMap(({ kind, total: name, empty, atStart, parameter }) => {
    const total = metrics[name];
    if (total === undefined || total >= DEFAULT_TICKETS || (metrics[empty] ?? 0) < EMPTY_SHARE)
      return [];
    return [{ kind, total, parameter, how: howSet(metrics[atStart]) }];
  });
}

/** @param {number | undefined} atStart 1, 0 or not known */
function howSet(atStart) {
  if (atStart === undefined) return '';
  return atStart === 1 ? ' by a start-up parameter' : ' at run time';
}

/**
 * `The pool of read tickets is set to 5 by a start-up parameter (default 128).`
 * @param {Metrics} metrics
 * @returns {string[]} a sentence for each
 */
const poolWords = (metrics) =>
  loweredPools(metrics).map(
    ({ kind, total, how }) =>
      `The pool of ${kind} tickets is set to ${total}${how} (default ${DEFAULT_TICKETS}).`,
  );

/**
 * Says that operations that queue for a ticket wait for those that read.
 * @param {Metrics} metrics
 * @returns {string} sentences with a space before each; empty where no operation queues
 */
function queueWords(metrics) {
  if (!isQueueForTickets(metrics)) return '';
  const queue = `${many(metrics['clients.queued'], 'more operation')} queue for tickets behind them.`;
  return ['', queue, ...poolWords(metrics)].join(' ');
}

/** @param {Metrics} metrics @returns {string[]} how to go back to the default pools */
const poolRemedy = (metrics) =>
  loweredPools(metrics).map(
    ({ parameter, how }) =>
      `Return to the default: db.adminCommand({ setParameter: 1, ${parameter}: ` +
      `${DEFAULT_TICKETS} })${how.includes('start-up') ? ', and remove it from setParameter in the configuration file' : ''}.`,
  );

/**
 * MongoDB 8.3 and later can let long operations and tasks of the server wait behind short ones; by
 * default it does not (mongod's sources, src/mongo/db/admission, README of execution control).
 */
const GATE_CALL =
  'db.adminCommand({ setParameter: 1, executionControlDeprioritizationGate: true }), on one member first.';

/** @param {Metrics} metrics @returns {string | null} null: not this release, done already, or no queue */
const gateWords = (metrics) =>
  metrics['tickets.prioritizing'] === 0 && isQueueForTickets(metrics)
    ? `So that short operations do not queue behind it: ${GATE_CALL}`
    : null;

module.exports = {
  isQueueForTickets,
  gateWords,
  GATE_CALL,
  holdingThreads,
  loweredPools,
  queueWords,
  poolWords,
  poolRemedy,
  POOLS,
  EMPTY_SHARE,
  DEFAULT_TICKETS,
};
