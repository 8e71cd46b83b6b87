'use strict';

const { duration, percent, bytes, many, capital } = require('../../base/pure/units');
const { NO_CASE, PHRASES, evidenceOf, whereTrue } = require('../evidence');
const {
  readingPagesTime,
  isReadingPagesSevere,
  timeSpent,
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
const { isCpuBusy, isMachineShared, ownRatio } = require('../../signals/cpus');
const { queueWords } = require('../../signals/holders');
const { isPagingSevere, pagingShare, pagingWords } = require('../../signals/paging');
const { warmingOf } = require('../../signals/warming');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Loss } from '../../signals/clients'
 * @import { Candidate, Case } from '../evidence'
 */

/**
 * The working set does not fit: clients wait for pages that a larger cache would have kept.
 * @type {Candidate}
 */
module.exports = {
  name: 'cache-read',
  examine(metrics) {
    if (isPagingSevere(metrics) && (!isReadingPagesSevere(metrics) || isWaitingForCpus(metrics)))
      return paging(metrics);
    const loss = readingPagesTime(metrics);
    if (loss === undefined || loss.threads <= HEALTHY_THREADS) return NO_CASE;
    return {
      score: loss.share,
      because:
        `Application threads spend ${percent(loss.share)} of their time reading pages into cache ` +
        `(${many(loss.threads, 'thread')} on average).${queueWords(metrics)}${aboutMemory(metrics)}`,
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

/**
 * Pages come quickly, so that clients wait little for them, and CPUs spend their time on them.
 * @param {Metrics} metrics
 * @returns {Case}
 */
const paging = (metrics) => ({
  score: Math.max(pagingShare(metrics), ownRatio(metrics)),
  because: `The CPUs are busy. ${capital(pagingWords(metrics))}: a cache that holds the data saves it.`,
  evidence: evidenceOf(metrics, [PHRASES.misses, PHRASES.cpu, PHRASES.reads, PHRASES.used]),
  against: [],
});

/** @param {Metrics} metrics @param {Loss} loss */
function against(metrics, loss) {
  return whereTrue([
    [!isReadingPagesSevere(metrics), timeSpent(loss, 'reading pages into cache')],
    [
      areReadsBehindWrites(metrics),
      'dirty data is at its trigger, and page reads wait behind page writes',
    ],
    [
      isChurnSevere(metrics),
      'eviction removes pages because they are dirty, not because the cache is full',
    ],
    [isHeadroomUnknown(metrics), 'cache used is not known'],
    [warmingOf(metrics) !== null, 'the cache is still warming up'],
    [
      hasHeadroom(metrics),
      `the cache has free space (${percent(metrics['cache.usedRatio'])} used) and keeps what it reads`,
    ],
    [
      isMemoryFull(metrics) === true &&
        (areReadsSlow(metrics) || metrics['eviction.pageReadMs'] === undefined),
      `there is more data (${bytes(metrics['data.bytes'])}) than RAM ` +
        `(${bytes(headroomOf(metrics)?.memoryBytes)}): a larger cache would only shrink the page cache`,
    ],
    [
      isWaitingForCpus(metrics),
      'the CPUs are busy, and a page read takes ' +
        `${duration(metrics['eviction.pageReadMs'])}: it comes from RAM`,
    ],
  ]);
}

/** @param {Metrics} metrics */
const isWaitingForCpus = (metrics) =>
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
    return ' RAM is not known, so the effect of a larger cache is not known.';
  return metrics['data.bytes'] === undefined ? ' Data size is not known.' : '';
}
