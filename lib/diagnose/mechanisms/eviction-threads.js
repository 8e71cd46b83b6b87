'use strict';

const { NO_CASE, PHRASES, evidenceOf, whereTrue } = require('../evidence');
const {
  evictionDoing,
  evictionLoss,
  isEvictionSevere,
  timeSpent,
} = require('../../signals/clients');
const {
  againstMoreThreads,
  allActiveWords,
  isAtLimit,
  headroomWords,
  aboutBusyCpus,
  threadsNow,
} = require('../../signals/eviction-threads');
const { isPagingSevere, pagingWords } = require('../../signals/paging');

/**
 * @import { Candidate } from '../evidence'
 */

/**
 * The eviction threads are all active and too few, while CPUs and disk have headroom.
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
        `${allActiveWords(threadsNow(metrics))}, while ${headroomWords(metrics)}: ` +
        `${timeSpent(loss, evictionDoing(metrics))}.${aboutBusyCpus(metrics)}`,
      evidence: evidenceOf(metrics, [
        loss.threads === metrics['clients.waitingThreads'] ? PHRASES.waiting : PHRASES.evicting,
        PHRASES.writeMs,
        PHRASES.cpu,
        PHRASES.threads,
      ]),
      against: [
        ...reasons,
        ...whereTrue([
          [isPagingSevere(metrics), `the CPUs are busy, and ${pagingWords(metrics)}`],
          [
            !isAtLimit(metrics),
            'the cache is below all of its triggers, so the number of eviction threads is not ' +
              'the cause',
          ],
        ]),
      ],
    };
  },
};
