'use strict';

const { MS_PER_SECOND } = require('../base/pure/units');
const { evictionLoss, readingPagesTime } = require('./clients');
const { isQueueForTickets } = require('./holders');
const { isCpuBusy, isMachineFull } = require('./cpus');
const { isJournalWaitedFor, journalShare } = require('./disk');

/**
 * @import { Metric, Metrics } from '../server/pure/metrics'
 */

/**
 * Where the clients' time goes: by Little's law latency times operations is the number of threads
 * in the server; what is known to wait, or to use a CPU, explains a part of them. Each part takes
 * at most what those before it leave, and what is left over is unexplained.
 *
 * @typedef {'reading' | 'eviction' | 'throttled' | 'tickets' | 'locks' | 'writeConcern' |
 *   'journal' | 'cpu' | 'cpuQueue' | 'stall'} Part
 * @typedef {{
 *   threads: number, parts: { what: Part, threads: number }[], unexplainedThreads: number
 * }} Account `threads`: application threads in the server on average
 */

// Less than a thread, or than half of them, comes from what no counter shows: locks of a moment,
// network, scheduling (heuristic).
const MIN_THREADS = 1;
const MIN_SHARE = 0.5;
// Operations that take less lose nothing that anybody would notice (heuristic).
const MIN_MS = 5;
// Fewer operations a second are a few odd ones, such as an index build or a long aggregation.
const MIN_OPS_PER_SEC = 20;
// Seconds: a shorter window holds half of an operation.
const MIN_SECONDS = 9;
// From here on a thread that is ready may well wait for a CPU (as for queues, clients.js).
const CPU_RATIO = 0.5;

/**
 * @param {Metrics} metrics
 * @returns {Account | null} null where the server does not report the time of its operations
 */
function accountOf(metrics) {
  const threads = metrics['clients.busyThreads'];
  if (threads === undefined || metrics['clients.writing'] === undefined) return null;
  let left = threads;
  const parts = partsOf(metrics).flatMap(([what, known]) => {
    const taken = Math.min(left, known);
    left -= taken;
    return taken > 0 ? [{ what, threads: taken }] : [];
  });
  return {
    threads,
    parts: parts.toSorted((a, b) => b.threads - a.threads),
    unexplainedThreads: left,
  };
}

/** Parts that one metric measures. */
const MEASURED = Object.freeze(
  /** @satisfies {Partial<Record<Part, Metric>>} */ ({
    throttled: 'clients.throttledThreads',
    locks: 'clients.handleWaitThreads',
    writeConcern: 'clients.majorityThreads',
    cpu: 'process.cpuCores',
  }),
);

/** @param {Metrics} metrics @returns {[Part, number][]} in the order in which they are taken */
function partsOf(metrics) {
  const measured = (/** @type {keyof typeof MEASURED} */ part) =>
    /** @type {[Part, number]} */ ([part, metrics[MEASURED[part]] ?? 0]);
  const { 'stalls.share': stalled = 0, 'clients.busyThreads': busy = 0 } = metrics;
  return [
    ['reading', readingPagesTime(metrics)?.threads ?? 0],
    ['eviction', evictionLoss(metrics)?.threads ?? 0],
    measured('throttled'),
    [isQueueForTickets(metrics) ? 'tickets' : 'locks', metrics['clients.queued'] ?? 0],
    measured('locks'),
    measured('writeConcern'),
    ['journal', journalTime(metrics)],
    measured('cpu'),
    ['stall', stalled * busy],
    ['cpuQueue', areCpusScarce(metrics) ? Infinity : 0],
  ];
}

/**
 * A share of the writers, as far as their syncs account for it; a write that takes less than half
 * of one does not wait for it.
 * @param {Metrics} metrics
 */
function journalTime(metrics) {
  const { 'ops.writeLatencyMs': write = 0, 'log.syncMs': sync = Infinity } = metrics;
  if (isJournalWaitedFor(metrics)) return metrics['clients.writing'] ?? 0;
  return write >= sync / 2 ? journalShare(metrics) * (metrics['clients.busyThreads'] ?? 0) : 0;
}

/**
 * Threads that are ready wait for a CPU; where nothing is known of the CPUs, they may.
 * @param {Metrics} metrics
 */
function areCpusScarce(metrics) {
  const { 'process.cpuRatio': own, 'cpu.busyRatio': all } = metrics;
  return (
    isCpuBusy(metrics) ||
    isMachineFull(metrics) ||
    (own === undefined && all === undefined) ||
    Math.max(own ?? 0, all ?? 0) >= CPU_RATIO
  );
}

/**
 * @param {Metrics} metrics
 * @returns {Account | null} null where what is unexplained is too little to speak of
 */
function unexplainedAccount(metrics) {
  const account = accountOf(metrics);
  const { 'ops.perSec': ops = 0, 'window.seconds': seconds = 0 } = metrics;
  if (account === null || ops < MIN_OPS_PER_SEC || seconds < MIN_SECONDS) return null;
  const rest = account.unexplainedThreads - mayBeWriteConcern(metrics);
  return rest >= Math.max(MIN_THREADS, account.threads * MIN_SHARE) &&
    (rest / ops) * MS_PER_SECOND >= MIN_MS
    ? account
    : null;
}

/** Writers may wait for other members, where that is not known. @param {Metrics} metrics */
const mayBeWriteConcern = (metrics) =>
  metrics['clients.majorityThreads'] === undefined ? (metrics['clients.writing'] ?? 0) : 0;

module.exports = { accountOf, unexplainedAccount };
