'use strict';

const { duration, percent, bytes } = require('../../base/pure/units');
const { NO_CASE, PHRASES, evidenceOf, holding } = require('../evidence');
const {
  readingPagesTime,
  isReadingPagesSevere,
  lossWords,
  HEALTHY_THREADS,
} = require('../../signals/clients');
const {
  areReadsSlow,
  doReadsReachDisk,
  areReadsSlowedByMachine,
  areReadsBehindWrites,
} = require('../../signals/disk');
const {
  hasHeadroom,
  isHeadroomUnknown,
  isChurnSevere,
  isMemoryFull,
  headroomOf,
} = require('../../signals/cache');
const { isCpuBusy, isMachineShared } = require('../../signals/cpus');
const { many } = require('../../signals/words');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Loss } from '../../signals/clients'
 * @import { Candidate } from '../evidence'
 */

/**
 * The working set does not fit: clients wait for pages that a larger cache would have kept.
 * @type {Candidate}
 */
module.exports = {
  name: 'cache-read',
  examine(metrics) {
    const loss = readingPagesTime(metrics);
    if (loss === undefined || loss.threads <= HEALTHY_THREADS) return NO_CASE;
    return {
      score: loss.share,
      because:
        `Clients spend ${percent(loss.share)} of their time reading pages that did not stay in ` +
        `the cache: ${many(loss.threads, 'thread')} on average${aboutMemory(metrics)}.`,
      evidence: evidenceOf(metrics, [
        PHRASES.reading,
        PHRASES.readMs,
        PHRASES.misses,
        PHRASES.reads,
      ]),
      against: against(metrics, loss),
    };
  },
};

/** @param {Metrics} metrics @param {Loss} loss */
function against(metrics, loss) {
  return holding([
    [!isReadingPagesSevere(metrics), `reading pages costs the clients ${lossWords(loss)}`],
    [
      areReadsBehindWrites(metrics),
      'dirty data is at its limit, and the page reads wait behind the page writes',
    ],
    [
      isChurnSevere(metrics),
      'pages leave the cache because they are dirty, not for lack of free space',
    ],
    [isHeadroomUnknown(metrics), 'whether the cache is full is not known'],
    [
      hasHeadroom(metrics),
      `the cache has room (${percent(metrics['cache.usedRatio'])} full) and keeps what it reads`,
    ],
    [
      isMemoryFull(metrics) === true &&
        (areReadsSlow(metrics) || metrics['eviction.pageReadMs'] === undefined),
      `there is more data than memory (${bytes(metrics['data.bytes'])} for ` +
        `${bytes(headroomOf(metrics)?.memoryBytes)}), so a larger cache only takes from the ` +
        `operating system's`,
    ],
    [
      isWaitingForProcessors(metrics),
      'the CPUs are busy, and a page read takes ' +
        `${duration(metrics['eviction.pageReadMs'])}: it comes from memory`,
    ],
  ]);
}

/** @param {Metrics} metrics */
const isWaitingForProcessors = (metrics) =>
  (isCpuBusy(metrics) || isMachineShared(metrics)) &&
  !doReadsReachDisk(metrics) &&
  (!areReadsSlow(metrics) || areReadsSlowedByMachine(metrics));

/**
 * The counters are the same whether the cache or the RAM is too small; only RAM against data
 * decides.
 * @param {Metrics} metrics
 */
function aboutMemory(metrics) {
  if (headroomOf(metrics) === null)
    return '; how much memory there is is not known, so whether a larger cache helps is not either';
  return metrics['data.bytes'] === undefined ? '; how much data there is is not known' : '';
}
