'use strict';

const { percent } = require('../../base/pure/units');
const { NO_CASE, evidenceOf, holding } = require('../candidate');
const { isReadingGrave, isEvictionGrave } = require('../../signals/losses');
const { BUSY_CPU_RATIO } = require('../../signals/workers');
const { isThrottlingGrave } = require('../../signals/lag');
const { ownRatioAtMost } = require('../../signals/processors');
const {
  IDLE_CPU_RATIO,
  queuedShare,
  isQueueGrave,
  areProcessorsUnknown,
} = require('../../signals/queue');
const { PHRASES } = require('../../signals/phrases');
const { many } = require('../../signals/words');

/**
 * Operations queue for tickets or locks although nothing behind them is slow.
 * @type {import('../candidate').Candidate}
 */
module.exports = {
  name: 'concurrency',
  examine(readings) {
    const queued = readings['clients.queued'] ?? 0;
    if (queued === 0) return NO_CASE;
    const share = queuedShare(readings);
    const [cpu, machine] = [ownRatioAtMost(readings, IDLE_CPU_RATIO), readings['system.cpuRatio']];
    return {
      score: share,
      because:
        `The queue for tickets and locks is ${many(queued, 'operation')} long on average, ` +
        `${percent(share)} of those in the server, while the cache keeps up and the processors ` +
        'have room.',
      evidence: evidenceOf(readings, [
        PHRASES.queued,
        PHRASES.busy,
        PHRASES.cpu,
        PHRASES.cores,
        PHRASES.machine,
      ]),
      against: holding([
        [
          !isQueueGrave(readings),
          `the queue for tickets and locks is ${many(queued, 'operation')} long on average, ` +
            `${percent(share)} of those in the server`,
        ],
        [isReadingGrave(readings), 'tickets are held by clients that wait for pages'],
        [isEvictionGrave(readings), 'tickets are held by clients that evict'],
        [
          isThrottlingGrave(readings),
          'what queues is made to wait by flow control, for members that lag',
        ],
        [
          areProcessorsUnknown(readings),
          'how busy the processors are is not known, and queues form before busy processors too',
        ],
        [
          cpu !== undefined && cpu > IDLE_CPU_RATIO,
          `mongod uses ${percent(cpu)} of the processors, and queues form before busy ` +
            'processors too',
        ],
        [
          readings['process.cpuRatio'] === undefined &&
            machine !== undefined &&
            machine > BUSY_CPU_RATIO,
          `${percent(machine)} of the machine's processors are busy, and queues form before ` +
            'busy processors too',
        ],
      ]),
    };
  },
};
