'use strict';

const { duration, percent, bytes } = require('../../base/pure/units');
const { NO_CASE, evidenceOf, holding } = require('../candidate');
const { readingLoss, isReadingGrave, lossWords, HEALTHY_THREADS } = require('../../signals/losses');
const {
  areReadsSlow,
  doReadsReachDisk,
  areReadsSlowedByMachine,
  hasRoom,
  isRoomUnknown,
  areReadsBehindWrites,
} = require('../../signals/reads');
const { isChurnGrave } = require('../../signals/churn');
const { isMemoryFull, roomOf } = require('../../signals/memory');
const { isCpuBusy, isMachineShared } = require('../../signals/processors');
const { PHRASES } = require('../../signals/phrases');
const { many } = require('../../signals/words');

/** @typedef {import('../candidate').Readings} Readings */

/**
 * The working set does not fit: clients wait for pages that a larger cache would have kept.
 * @type {import('../candidate').Candidate}
 */
module.exports = {
  name: 'cache-read',
  examine(readings) {
    const loss = readingLoss(readings);
    if (loss === undefined || loss.threads <= HEALTHY_THREADS) return NO_CASE;
    return {
      score: loss.share,
      because:
        `Clients spend ${percent(loss.share)} of their time reading pages that did not stay in ` +
        `the cache: ${many(loss.threads, 'thread')} on average${aboutMemory(readings)}.`,
      evidence: evidenceOf(readings, [
        PHRASES.reading,
        PHRASES.readMs,
        PHRASES.misses,
        PHRASES.reads,
      ]),
      against: against(readings, loss),
    };
  },
};

/** @param {Readings} readings @param {import('../../signals/losses').Loss} loss */
function against(readings, loss) {
  return holding([
    [!isReadingGrave(readings), `reading pages costs the clients ${lossWords(loss)}`],
    [
      areReadsBehindWrites(readings),
      'dirty data is at its limit, and the page reads wait behind the page writes',
    ],
    [isChurnGrave(readings), 'pages leave the cache because they are dirty, not for want of room'],
    [isRoomUnknown(readings), 'whether the cache is full is not known'],
    [
      hasRoom(readings),
      `the cache has room (${percent(readings['cache.usedRatio'])} full) and keeps what it reads`,
    ],
    [
      isMemoryFull(readings) === true &&
        (areReadsSlow(readings) || readings['eviction.pageReadMs'] === undefined),
      `there is more data than memory (${bytes(readings['data.bytes'])} for ` +
        `${bytes(roomOf(readings)?.memoryBytes)}), so a larger cache only takes from the ` +
        `operating system's`,
    ],
    [
      isWaitingForProcessors(readings),
      'the processors are busy, and a page read takes ' +
        `${duration(readings['eviction.pageReadMs'])}: it comes from memory`,
    ],
  ]);
}

/** @param {Readings} readings */
const isWaitingForProcessors = (readings) =>
  (isCpuBusy(readings) || isMachineShared(readings)) &&
  !doReadsReachDisk(readings) &&
  (!areReadsSlow(readings) || areReadsSlowedByMachine(readings));

/**
 * The counters are the same whether the cache or the memory is too small; only memory against data
 * tells.
 * @param {Readings} readings
 */
function aboutMemory(readings) {
  if (roomOf(readings) === null)
    return '; how much memory there is is not known, so whether a larger cache helps is not either';
  return readings['data.bytes'] === undefined ? '; how much data there is is not known' : '';
}
