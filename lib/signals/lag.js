'use strict';

const { lossOf, MIN_THREADS, EVICTING_SHARE } = require('./wait-time');

/**
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Loss } from './wait-time'
 */

/**
 * A majority of the replica set that lags behind this primary: it keeps old versions for it, and
 * flow control lets writers wait.
 */

/**
 * @param {Metrics} metrics
 * @returns {Loss | undefined} client threads that wait for a permit to write
 */
const throttlingLoss = (metrics) =>
  metrics['flowControl.laggedShare'] ? lossOf(metrics, 'clients.throttled') : undefined;

/** As much time as makes eviction the bottleneck. @param {Metrics} metrics @returns {boolean} */
function isThrottlingSevere(metrics) {
  const loss = throttlingLoss(metrics);
  return loss !== undefined && loss.threads >= MIN_THREADS && loss.share >= EVICTING_SHARE;
}

module.exports = { throttlingLoss, isThrottlingSevere };
