'use strict';

const { many, percent } = require('../../base/pure/units');
const {
  queuedShare,
  IDLE_CPU_RATIO,
  isQueueSevere,
  isReadingPagesSevere,
  isEvictionSevere,
} = require('../../signals/clients');
const {
  DEFAULT_TICKETS,
  isQueueForTickets,
  loweredPools,
  poolRemedy,
  EMPTY_SHARE,
  POOLS,
} = require('../../signals/holders');
const { isDeviceAtLimit } = require('../../signals/disk');

/**
 * @import { CauseCandidate, CauseCase } from '../cause'
 * @import { Metrics } from '../../server/pure/metrics'
 */

/**
 * Taken at start-up only, in the two versions of mongod's throughput_probing.idl that were read, so that
 * no trial can switch them; other releases were not checked.
 */
const OF_PROBING = 'throughputProbingInitialConcurrency and throughputProbingMinConcurrency';

/** @param {Metrics} metrics @returns {string[]} */
const queueEvidence = (metrics) => [
  `${many(metrics['clients.queued'], 'operation')} queued for tickets on average ` +
    `(${percent(queuedShare(metrics))} of in-flight)`,
];

/** Pools that were set lower than mongod makes them. @param {Metrics} metrics @returns {CauseCase | null} */
function setLow(metrics) {
  const pools = loweredPools(metrics);
  if (pools.length === 0 || !isQueueForTickets(metrics)) return null;
  return {
    say: pools
      .map(({ kind, total, how }) => `the pool of ${kind} tickets is set to ${total}${how}`)
      .join(', and '),
    share: queuedShare(metrics),
    evidence: queueEvidence(metrics),
    remedy: poolRemedy(metrics).join(' '),
  };
}

/** The probing of 7.0 and later that stays low. @param {Metrics} metrics @returns {CauseCase | null} */
function probedLow(metrics) {
  const pool = starvedPool(metrics);
  if (pool === null) return null;
  return {
    say:
      `throughput probing keeps the pool of ${pool.kind} tickets at ${pool.total}, while CPUs and ` +
      'disk are idle',
    share: queuedShare(metrics),
    evidence: [
      ...queueEvidence(metrics),
      `${pool.total} of at most ${DEFAULT_TICKETS} ${pool.kind} tickets, and ` +
        `${percent(metrics['process.cpuRatio'])} of CPU time used`,
    ],
    remedy:
      `Raise ${OF_PROBING}, on one member first: both are set at start-up only (setParameter in the ` +
      'configuration file), so no trial can switch them; compare before and after with ' +
      'tune.report.compare(). Ask your support: they are not documented.',
  };
}

/** @type {CauseCandidate} */
const ticketPools = {
  kind: 'ticket-pools',
  of: ['concurrency', 'unknown'],
  examine: (metrics) => setLow(metrics) ?? probedLow(metrics),
};

/**
 * Throughput probing (MongoDB 7.0 and later) begins with one ticket a core for both pools together,
 * and keeps at least 4 in each (mongod's sources, throughput_probing.idl). Up to twice the cores it is
 * still near its begin (heuristic).
 */
const MIN_FEW_TICKETS = 8;
const TICKETS_PER_CORE = 2;

/** Whether nothing else is known to hold operations back. @param {Metrics} metrics */
function isHeadroomEverywhere(metrics) {
  const own = metrics['process.cpuRatio'];
  return (
    own !== undefined &&
    own <= IDLE_CPU_RATIO &&
    !isDeviceAtLimit(metrics) &&
    !isReadingPagesSevere(metrics) &&
    !isEvictionSevere(metrics)
  );
}

/**
 * Probing that gives out so few tickets that operations queue, though neither CPUs nor disk nor cache
 * hold them back.
 * @param {Metrics} metrics
 * @returns {{ kind: 'read' | 'write', total: number } | null} null: not known to be so
 */
function starvedPool(metrics) {
  if (!metrics['tickets.probing'] || !isQueueSevere(metrics)) return null;
  if (!isHeadroomEverywhere(metrics)) return null;
  const few = Math.max(MIN_FEW_TICKETS, TICKETS_PER_CORE * (metrics['host.cores'] ?? 0));
  for (const { kind, total: name, empty } of POOLS) {
    const total = metrics[name];
    if (total !== undefined && total <= few && (metrics[empty] ?? 0) >= EMPTY_SHARE)
      return { kind, total };
  }
  return null;
}

module.exports = { ticketPools, starvedPool };
