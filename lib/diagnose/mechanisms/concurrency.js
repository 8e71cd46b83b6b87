'use strict';

const { percent } = require('../../base/pure/units');
const { NO_CASE, PHRASES, evidenceOf, holding } = require('../evidence');
const {
  isReadingPagesSevere,
  isEvictionSevere,
  IDLE_CPU_RATIO,
  queuedShare,
  isQueueSevere,
  areProcessorsUnknown,
} = require('../../signals/clients');
const { BUSY_CPU_RATIO } = require('../../signals/eviction-threads');
const { isThrottlingSevere } = require('../../signals/history');
const { ownRatioAtMost } = require('../../signals/cpus');
const { many } = require('../../signals/words');

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
    const [cpu, machine] = [ownRatioAtMost(metrics, IDLE_CPU_RATIO), metrics['cpu.busyRatio']];
    return {
      score: share,
      because:
        `The queue for tickets and locks is ${many(queued, 'operation')} long on average, ` +
        `${percent(share)} of those in the server, while the cache keeps up and the CPUs ` +
        'have room.',
      evidence: evidenceOf(metrics, [
        PHRASES.queued,
        PHRASES.busy,
        PHRASES.cpu,
        PHRASES.cores,
        PHRASES.machine,
      ]),
      against: holding([
        [
          !isQueueSevere(metrics),
          `the queue for tickets and locks is ${many(queued, 'operation')} long on average, ` +
            `${percent(share)} of those in the server`,
        ],
        [isReadingPagesSevere(metrics), 'tickets are held by clients that wait for pages'],
        [isEvictionSevere(metrics), 'tickets are held by clients that evict'],
        [
          isThrottlingSevere(metrics),
          'what queues is made to wait by flow control, for members that lag',
        ],
        [
          areProcessorsUnknown(metrics),
          'how busy the CPUs are is not known, and queues form before busy CPUs too',
        ],
        [
          cpu !== undefined && cpu > IDLE_CPU_RATIO,
          `mongod uses ${percent(cpu)} of the CPUs, and queues form before busy ` + 'CPUs too',
        ],
        [
          metrics['process.cpuRatio'] === undefined &&
            machine !== undefined &&
            machine > BUSY_CPU_RATIO,
          `${percent(machine)} of the machine's CPUs are busy, and queues form before ` +
            'busy CPUs too',
        ],
      ]),
    };
  },
};
