'use strict';

const { percent, many } = require('../base/pure/units');
const {
  HEALTHY_THREADS,
  MIN_THREADS,
  MIN_READING_THREADS,
} = require('../server/pure/thread-limits');
const { ownRatioAtMost } = require('./cpus');
const { holdingThreads } = require('./holders');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Wait time of clients for the cache. Time counts, not events: between one and eight eviction
 * threads the evictions by application threads changed by a factor of 40 at the same throughput
 * (docs/evidence/app-eviction.md).
 * @typedef {'clients.readingThreads' | 'clients.evictingThreads' | 'clients.waitingThreads' |
 *   'clients.throttledThreads'} LossMetric
 * @typedef {{ threads: number, share: number }} Loss `threads`: mean number of application threads so occupied;
 *   `share`: `threads` divided by the busy threads. Those that queue for a ticket are not busy: they
 *   only wait for the ones that hold tickets
 */

// Share of the clients' time spent reading pages from which the reads are the bottleneck: their
// cure would gain a third. CPU-bound servers whose pages come from the operating system's cache
// lose 10 to 20% (heuristic).
const READING_SHARE = 0.25;
// Share of the clients' time spent evicting. At 10% of it a doubled cache already gained half as
// much again (heuristic).
const EVICTING_SHARE = 0.1;

/**
 * @param {Metrics} metrics @param {LossMetric} name
 * @returns {Loss | undefined} undefined where the server does not report
 */
function lossOf(metrics, name) {
  const threads = metrics[name];
  if (threads === undefined) return undefined;
  return {
    threads,
    share: threads === 0 ? 0 : Math.min(1, threads / Math.max(threads, holdingThreads(metrics))),
  };
}

/** @param {Metrics} metrics */
const readingPagesTime = (metrics) => lossOf(metrics, 'clients.readingThreads');

/**
 * Waiting for the cache contains the evicting done meanwhile, forced evictions come on top: the
 * larger one counts.
 * @param {Metrics} metrics
 */
function evictionLoss(metrics) {
  const losses = /** @type {LossMetric[]} */ ([
    'clients.evictingThreads',
    'clients.waitingThreads',
  ]).flatMap((name) => lossOf(metrics, name) ?? []);
  return losses.length === 0
    ? undefined
    : losses.reduce((a, b) => (a.threads >= b.threads ? a : b));
}

/**
 * Says in a sentence how the time of `evictionLoss` is spent.
 * @param {Metrics} metrics
 */
const evictionDoing = ({
  'clients.evictingThreads': evicting = 0,
  'clients.waitingThreads': waiting = 0,
}) => (evicting > waiting ? 'evicting pages' : 'waiting for cache space');

/** @param {Loss | undefined} loss @param {number} threads @param {number} share */
const isSevere = (loss, threads, share) =>
  loss !== undefined && loss.threads >= threads && loss.share >= share;

/** @param {Metrics} metrics */
const isReadingPagesSevere = (metrics) =>
  isSevere(readingPagesTime(metrics), MIN_READING_THREADS, READING_SHARE);

/** Whether the loss makes eviction the bottleneck. @param {Loss | undefined} loss */
const isSevereAsEviction = (loss) => isSevere(loss, MIN_THREADS, EVICTING_SHARE);

/** @param {Metrics} metrics */
const isEvictionSevere = (metrics) => isSevereAsEviction(evictionLoss(metrics));

/**
 * `application threads spend 40.5% of their time evicting pages (2.99 threads on average)`.
 * @param {Loss} loss
 * @param {string} doing `waiting for cache space`, `reading pages into cache`
 */
const timeSpent = ({ threads, share }, doing) =>
  `application threads spend ${threads < MIN_THREADS ? 'little' : `${percent(share)} of their`} ` +
  `time ${doing} (${many(threads, 'thread')} on average)`;

/** Operations that queue for tickets or locks. */

// The mean number of queued operations; fewer come and go on every busy server (heuristic).
const MIN_QUEUED = 1;
// Share of the operations in the server that only queue (heuristic).
const QUEUED_SHARE = 0.25;
// Queues form before busy CPUs too. mongod's share alone must leave room for a client on the
// same machine (heuristic).
const IDLE_CPU_RATIO = 0.5;

/**
 * @param {Metrics} metrics in which something queues
 * @returns {number} of the operations in the server
 */
const queuedShare = ({ 'clients.queued': queued, 'clients.busyThreads': busy = 0 }) =>
  Number(queued) / Math.max(Number(queued), busy);

/** @param {Metrics} metrics @returns {boolean} */
const isQueueSevere = (metrics) =>
  (metrics['clients.queued'] ?? 0) >= MIN_QUEUED && queuedShare(metrics) >= QUEUED_SHARE;

/**
 * @param {Metrics} metrics
 * @returns {boolean} whether no metric shows if CPUs cause a queue
 */
const areCpusUnknown = (metrics) =>
  ownRatioAtMost(metrics, IDLE_CPU_RATIO) === undefined && metrics['cpu.busyRatio'] === undefined;

module.exports = {
  HEALTHY_THREADS,
  MIN_THREADS,
  MIN_READING_THREADS,
  READING_SHARE,
  EVICTING_SHARE,
  lossOf,
  readingPagesTime,
  evictionDoing,
  evictionLoss,
  isReadingPagesSevere,
  isEvictionSevere,
  isSevereAsEviction,
  timeSpent,
  MIN_QUEUED,
  IDLE_CPU_RATIO,
  queuedShare,
  isQueueSevere,
  areCpusUnknown,
};
