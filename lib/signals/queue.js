'use strict';

const { ownRatioAtMost } = require('./processors');

/**
 * Operations that queue for tickets or locks.
 * @typedef {import('../server/pure/readings').Readings} Readings
 */

// Operations that queue on average; fewer come and go on every busy server. Ours.
const LEAST_QUEUED = 1;
// Share of the operations in the server that only queue; ours.
const QUEUED_SHARE = 0.25;
// Queues form before busy processors too. mongod's share alone must leave room for a client on the
// same machine; ours.
const IDLE_CPU_RATIO = 0.5;

/**
 * @param {Readings} readings in which something queues
 * @returns {number} of the operations in the server
 */
const queuedShare = ({ 'clients.queued': queued, 'clients.busy': busy = 0 }) =>
  Number(queued) / Math.max(Number(queued), busy);

/** @param {Readings} readings @returns {boolean} */
const isQueueGrave = (readings) =>
  (readings['clients.queued'] ?? 0) >= LEAST_QUEUED && queuedShare(readings) >= QUEUED_SHARE;

/**
 * @param {Readings} readings
 * @returns {boolean} nothing tells whether processors are behind a queue
 */
const areProcessorsUnknown = (readings) =>
  ownRatioAtMost(readings, IDLE_CPU_RATIO) === undefined &&
  readings['system.cpuRatio'] === undefined;

module.exports = { LEAST_QUEUED, IDLE_CPU_RATIO, queuedShare, isQueueGrave, areProcessorsUnknown };
