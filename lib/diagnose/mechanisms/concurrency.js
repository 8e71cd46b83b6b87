'use strict';

const { percent } = require('../../base/pure/units');
const { NO_CASE, evidenceOf, holding } = require('../candidate');
const { isReadingPagesSevere, isEvictionSevere } = require('../../signals/wait-time');
const { BUSY_CPU_RATIO } = require('../../signals/eviction-threads');
const { isThrottlingSevere } = require('../../signals/lag');
const { ownRatioAtMost } = require('../../signals/cpus');
const {
  IDLE_CPU_RATIO,
  queuedShare,
  isQueueSevere,
  areProcessorsUnknown,
} = require('../../signals/queue');
const { PHRASES } = require('../../signals/phrases');
const { many } = require('../../signals/words');

/**
 * @import { Candidate } from '../candidate'
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
        `${percent(share)} of those in the server, while the cache keeps up and the processors ` +
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
          'how busy the processors are is not known, and queues form before busy processors too',
        ],
        [
          cpu !== undefined && cpu > IDLE_CPU_RATIO,
          `mongod uses ${percent(cpu)} of the processors, and queues form before busy ` +
            'processors too',
        ],
        [
          metrics['process.cpuRatio'] === undefined &&
            machine !== undefined &&
            machine > BUSY_CPU_RATIO,
          `${percent(machine)} of the machine's processors are busy, and queues form before ` +
            'busy processors too',
        ],
      ]),
    };
  },
};
