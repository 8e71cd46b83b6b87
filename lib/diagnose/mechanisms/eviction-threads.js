'use strict';

const { NO_CASE, evidenceOf, holding } = require('../candidate');
const { evictionLoss, isEvictionGrave, lossWords } = require('../../signals/losses');
const {
  againstMoreThreads,
  allAtWork,
  isAtLimit,
  roomWords,
  threadsNow,
} = require('../../signals/workers');
const { PHRASES } = require('../../signals/phrases');

/**
 * The eviction threads are all at work and too few, while processors and disk have room.
 * @type {import('../candidate').Candidate}
 */
module.exports = {
  name: 'eviction-threads',
  examine(readings) {
    const loss = evictionLoss(readings);
    if (loss === undefined || !isEvictionGrave(readings)) return NO_CASE;
    const reasons = againstMoreThreads(readings);
    return {
      score: loss.share,
      because:
        `${allAtWork(threadsNow(readings))} and clients still evict (${lossWords(loss)}), ` +
        `while ${roomWords(readings)}.`,
      evidence: evidenceOf(readings, [
        loss.threads === readings['clients.waitingForCache'] ? PHRASES.waiting : PHRASES.evicting,
        PHRASES.writeMs,
        PHRASES.cpu,
        PHRASES.threads,
      ]),
      against: [
        ...reasons,
        ...holding([
          [
            !isAtLimit(readings),
            'the cache is at none of its limits, so clients do not evict for want of ' +
              'eviction threads',
          ],
        ]),
      ],
    };
  },
};
