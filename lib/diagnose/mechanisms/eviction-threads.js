'use strict';

const { NO_CASE, PHRASES, evidenceOf, holding } = require('../evidence');
const { evictionLoss, isEvictionSevere, lossWords } = require('../../signals/clients');
const {
  againstMoreThreads,
  allAtWork,
  isAtLimit,
  headroomWords,
  threadsNow,
} = require('../../signals/eviction-threads');

/**
 * @import { Candidate } from '../evidence'
 */

/**
 * The eviction threads are all at work and too few, while CPUs and disk have room.
 * @type {Candidate}
 */
module.exports = {
  name: 'eviction-threads',
  examine(metrics) {
    const loss = evictionLoss(metrics);
    if (loss === undefined || !isEvictionSevere(metrics)) return NO_CASE;
    const reasons = againstMoreThreads(metrics);
    return {
      score: loss.share,
      because:
        `${allAtWork(threadsNow(metrics))} and application threads still evict (${lossWords(loss)}), ` +
        `while ${headroomWords(metrics)}.`,
      evidence: evidenceOf(metrics, [
        loss.threads === metrics['clients.waitingThreads'] ? PHRASES.waiting : PHRASES.evicting,
        PHRASES.writeMs,
        PHRASES.cpu,
        PHRASES.threads,
      ]),
      against: [
        ...reasons,
        ...holding([
          [
            !isAtLimit(metrics),
            'the cache is at none of its limits, so clients do not evict for want of ' +
              'eviction threads',
          ],
        ]),
      ],
    };
  },
};
