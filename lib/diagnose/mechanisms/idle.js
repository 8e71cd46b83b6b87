'use strict';

const { HEALTHY_THREADS } = require('../../signals/clients');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 */

// Operations a second of heartbeats, monitors and a shell; below it no application uses the server
// (heuristic).
const IDLE_OPS_PER_SEC = 10;
// One client busy for a fifth of the time may be a slow query now and then; more is work (heuristic).
const IDLE_CLIENTS = 0.2;
// An idle mongod uses a hundredth of a core, with heartbeats and monitors a few; an index build a
// good part of one (heuristic).
const IDLE_CORES = 0.2;
// Clients wait for these without an operation that ends.
const WAITING = /** @type {const} */ ([
  'clients.readingThreads',
  'clients.evictingThreads',
  'clients.waitingThreads',
  'clients.throttledThreads',
]);

/** @param {Metrics} metrics @returns {boolean} next to no operations, and none of them long */
function isIdle(metrics) {
  const { 'ops.perSec': ops = Infinity, 'ops.replicatedPerSec': replicated = 0 } = metrics;
  return (
    Math.max(ops, replicated) < IDLE_OPS_PER_SEC &&
    busyThreads(metrics) <= IDLE_CLIENTS &&
    (metrics['process.cpuCores'] ?? 0) <= IDLE_CORES &&
    threadsLost(metrics) <= HEALTHY_THREADS
  );
}

/**
 * Counts busy threads. Where the time of operations is not known, the gauge of active clients also
 * counts threads of the server (7 on an idle 3.6), so that it says nothing about clients.
 * @param {Metrics} metrics
 */
const busyThreads = (metrics) =>
  metrics['clients.writing'] === undefined && metrics['process.cpuCores'] !== undefined
    ? 0
    : (metrics['clients.busyThreads'] ?? 0);

/** @param {Metrics} metrics */
const threadsLost = (metrics) => Math.max(...WAITING.map((name) => metrics[name] ?? 0));

module.exports = { isIdle };
