'use strict';

const { lossOf, LEAST_THREADS, EVICTING_SHARE } = require('./losses');

/**
 * A majority of the replica set that lags behind this primary: it keeps old versions for it, and
 * flow control lets writers wait.
 * @typedef {import('../server/pure/readings').Readings} Readings
 */

/**
 * @param {Readings} readings
 * @returns {import('./losses').Loss | undefined} client threads that wait for a permit to write
 */
const throttlingLoss = (readings) =>
  readings['flowControl.laggedShare'] ? lossOf(readings, 'clients.throttled') : undefined;

/** As much time as makes eviction the bottleneck. @param {Readings} readings @returns {boolean} */
function isThrottlingGrave(readings) {
  const loss = throttlingLoss(readings);
  return loss !== undefined && loss.threads >= LEAST_THREADS && loss.share >= EVICTING_SHARE;
}

module.exports = { throttlingLoss, isThrottlingGrave };
