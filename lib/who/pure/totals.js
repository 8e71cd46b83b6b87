'use strict';

const { metricsOf } = require('../../server/pure/metrics');
const { isCpuBusy, isMachineShared } = require('../../signals/cpus');

/**
 * @import { Window } from '../../server/pure/window'
 * @import { Facts } from '../../server/pure/types'
 * @import { Totals } from '../types'
 */

/**
 * What the engine counted of waits over a window, seconds of threads.
 * @param {Window} window
 * @param {Facts} facts
 * @returns {Totals}
 */
function totalsOf(window, facts) {
  const metrics = metricsOf(window, facts);
  const over = (/** @type {number | undefined} */ threads) =>
    threads === undefined ? null : threads * window.seconds;
  const evicting = [metrics['clients.evictingThreads'], metrics['clients.waitingThreads']].flatMap(
    (n) => n ?? [],
  );
  return {
    reading: over(metrics['clients.readingThreads']),
    eviction: evicting.length === 0 ? null : over(Math.max(...evicting)),
    throttled: over(metrics['clients.throttledThreads']),
    majority: over(metrics['clients.majorityThreads']),
    queued: over(metrics['clients.queued']),
    cpu: isCpuBusy(metrics) || isMachineShared(metrics) ? over(metrics['process.cpuCores']) : 0,
  };
}

module.exports = { totalsOf };
