'use strict';

const { ownRatioAtMost } = require('./cpus');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Operations that queue for tickets or locks.
 */

// Operations that queue on average; fewer come and go on every busy server. Ours.
const MIN_QUEUED = 1;
// Share of the operations in the server that only queue; ours.
const QUEUED_SHARE = 0.25;
// Queues form before busy processors too. mongod's share alone must leave room for a client on the
// same machine; ours.
const IDLE_CPU_RATIO = 0.5;

/**
 * @param {Metrics} metrics in which something queues
 * @returns {number} of the operations in the server
 */
const queuedShare = ({ 'clients.queued': queued, 'clients.busy': busy = 0 }) =>
  Number(queued) / Math.max(Number(queued), busy);

/** @param {Metrics} metrics @returns {boolean} */
const isQueueSevere = (metrics) =>
  (metrics['clients.queued'] ?? 0) >= MIN_QUEUED && queuedShare(metrics) >= QUEUED_SHARE;

/**
 * @param {Metrics} metrics
 * @returns {boolean} nothing tells whether processors are behind a queue
 */
const areProcessorsUnknown = (metrics) =>
  ownRatioAtMost(metrics, IDLE_CPU_RATIO) === undefined && metrics['cpu.busyRatio'] === undefined;

module.exports = { MIN_QUEUED, IDLE_CPU_RATIO, queuedShare, isQueueSevere, areProcessorsUnknown };
