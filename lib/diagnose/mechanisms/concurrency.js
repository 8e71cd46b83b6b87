'use strict';

const { percent, many } = require('../../base/pure/units');
const { NO_CASE, PHRASES, evidenceOf, whereTrue } = require('../evidence');
const {
  isReadingPagesSevere,
  isEvictionSevere,
  IDLE_CPU_RATIO,
  queuedShare,
  isQueueSevere,
  areCpusUnknown,
} = require('../../signals/clients');
const { BUSY_CPU_RATIO } = require('../../signals/eviction-threads');
const { isThrottlingSevere } = require('../../signals/history');
const { ownRatioAtMost } = require('../../signals/cpus');
const { poolWords } = require('../../signals/holders');

/**
 * @import { Candidate } from '../evidence'
 */

/**
 * Operations queue for tickets or locks although nothing behind them is slow.
 * @type {Candidate}
 */
module.exports = {
  name: 'concurrency',
  examine(metrics) {
    const queued = metrics['clients.queued'] ?? 0;
    if (queued === 0) return NO_CASE;
    const share = queuedShare(metrics);
    const [ownRatio, machineRatio] = [
      ownRatioAtMost(metrics, IDLE_CPU_RATIO),
      metrics['cpu.busyRatio'],
    ];
    return {
      score: share,
      because:
        `${many(queued, 'operation')} queued for tickets and locks on average ` +
        `(${percent(share)} of in-flight), while cache and CPUs have headroom.` +
        `${poolWords(metrics)
          .map((say) => ` ${say}`)
          .join('')}`,
      evidence: evidenceOf(metrics, [
        PHRASES.queued,
        PHRASES.busy,
        PHRASES.cpu,
        PHRASES.cores,
        PHRASES.cpuOfMachine,
      ]),
      against: whereTrue([
        [
          !isQueueSevere(metrics),
          `only ${many(queued, 'operation')} queued on average (${percent(share)} of in-flight)`,
        ],
        [isReadingPagesSevere(metrics), 'operations that wait for page reads hold the tickets'],
        [isEvictionSevere(metrics), 'operations that evict pages hold the tickets'],
        [
          isThrottlingSevere(metrics),
          'flow control throttles the queued writes because members lag',
        ],
        [areCpusUnknown(metrics), 'CPU use is not known, and busy CPUs also cause queues'],
        [
          ownRatio !== undefined && ownRatio > IDLE_CPU_RATIO,
          `mongod uses ${percent(ownRatio)} of CPU time, and busy CPUs also cause queues`,
        ],
        [
          metrics['process.cpuRatio'] === undefined &&
            machineRatio !== undefined &&
            machineRatio > BUSY_CPU_RATIO,
          `${percent(machineRatio)} of the machine's CPU time is used, and busy CPUs also cause queues`,
        ],
      ]),
    };
  },
};
