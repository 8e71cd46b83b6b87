'use strict';

const { bytes, count, duration, percent } = require('../../model/units');
const { NO_CASE, evidenceOf, holding, weight } = require('../candidate');
const { readingLoss, isReadingGrave, isEvictionGrave, lossWords, HEALTHY_THREADS, LEAST_THREADS } = require('../losses');
const { areReadsSlow, hasRoom, areReadsTheTrouble } = require('../reads');
const { isMemoryFull, roomOf } = require('../memory');
const { LEAST_STALL, isStalledByCheckpoint } = require('../standstill');
const { isCpuBusy } = require('../processors');
const { PHRASES } = require('../phrases');

/** @typedef {import('../candidate').Readings} Readings @typedef {import('../candidate').Case} Case */

// A journal sync on a disk with room takes 1 to 3 ms; from 10 ms on writers feel it.
const SLOW_SYNC_MS = 10;
// A write that waits for a sync takes at least half of one (it may come while the sync is on its way), and spends at least half
// of its time so. Ours.
const MOSTLY_RATIO = 0.5;
// The gauge of active clients looked at fewer times than this is chance.
const LEAST_LOOKS = 10;
// Share of the clients' time that the syncs must account for; ours.
const JOURNAL_SHARE = 0.4;

/** The device is the limit, in one of the three ways that the server's own counters show. @type {import('../candidate').Candidate} */
module.exports = {
  name: 'disk',
  examine: (readings) => [reads(readings), standstill(readings), journal(readings)].reduce((a, b) => (weight(a) >= weight(b) ? a : b)),
};

/** Pages come off the disk, and no larger cache would keep them. @param {Readings} readings @returns {Case} */
function reads(readings) {
  const loss = readingLoss(readings);
  if (!loss || loss.threads <= HEALTHY_THREADS || !areReadsSlow(readings) || !(isMemoryFull(readings) || hasRoom(readings))) return NO_CASE;
  return {
    score: loss.share,
    because: `Clients spend ${percent(loss.share)} of their time on page reads of ${duration(readings['eviction.pageReadMs'])}, and a larger cache would not spare them: ${isMemoryFull(readings) ? fullMemory(readings) : 'the cache still has room and is being filled.'}`,
    evidence: evidenceOf(readings, [PHRASES.reading, PHRASES.readMs, PHRASES.reads]),
    against: holding([[!areReadsTheTrouble(readings), `reading pages costs the clients ${lossWords(loss)}`]]),
  };
}

/** @param {Readings} readings */
const fullMemory = (readings) => `there are ${bytes(readings['data.bytes'])} of data for ${bytes(roomOf(readings)?.memoryBytes)} of memory, and what the cache gains the operating system's cache loses.`;

/** The server stood still, and neither eviction nor a checkpoint explains it: writes did not come back from the disk. @param {Readings} readings @returns {Case} */
function standstill(readings) {
  const share = readings['stalls.share'] ?? 0;
  if (share === 0) return NO_CASE;
  return {
    score: share,
    because: `The server stood still for ${percent(share)} of the time (at most ${count(readings['stalls.longestSeconds'])} s in one piece) while clients waited, and not for the cache: the disk took that long to give an answer.`,
    evidence: evidenceOf(readings, [PHRASES.stalled, PHRASES.longest, PHRASES.waiting]),
    against: holding([
      [share < LEAST_STALL, `the server stood still for ${percent(share)} of the time`],
      [isEvictionGrave(readings), 'clients evict meanwhile'],
      [isStalledByCheckpoint(readings), 'it stood still while checkpoints ran'],
      [isCpuBusy(readings), 'the processors are busy'],
    ]),
  };
}

/** Writers wait for the journal. @param {Readings} readings @returns {Case} */
function journal(readings) {
  const { 'log.syncMs': sync = 0, 'ops.writeLatencyMs': write = 0 } = readings;
  if (sync < SLOW_SYNC_MS || write === 0) return NO_CASE;
  return {
    score: journalShare(readings),
    because: `A sync of the journal takes ${duration(sync)} and a write ${duration(write)}: clients that ask for a journalled write wait for the disk.`,
    evidence: evidenceOf(readings, [PHRASES.sync, PHRASES.writeLatency, PHRASES.waiting]),
    against: holding([
      [!isWritingBySync(readings), `journal syncs of ${duration(sync)} do not explain writes of ${duration(write)}`],
      [isReadingGrave(readings) || isEvictionGrave(readings), 'clients wait for the cache'],
      [isCpuBusy(readings), 'the processors are busy'],
    ]),
  };
}

/** @param {Readings} readings @returns {number} share of the clients' time that they wait for the journal, if they do */
function journalShare({ 'log.syncMs': sync = 0, 'ops.writeLatencyMs': write = Infinity, 'clients.writing': writing = 0, 'clients.busy': busy = 0 }) {
  return writing === 0 ? 0 : Math.min(1, sync / write) * writing / Math.max(writing, busy);
}

/**
 * A write much shorter than a sync does not wait for one, and one much longer waits for something else. A client that waits
 * for the journal holds no lock meanwhile, so it is in an operation but not active; a batch of inserts that takes as long as
 * a sync by itself is both.
 * @param {Readings} readings
 */
function isWritingBySync(readings) {
  const { 'log.syncMs': sync = 0, 'ops.writeLatencyMs': write = 0, 'clients.writing': writing = 0 } = readings;
  return write >= sync * MOSTLY_RATIO && threadsAsleep(readings) >= Math.max(LEAST_THREADS, writing * MOSTLY_RATIO) && journalShare(readings) >= JOURNAL_SHARE;
}

/** Client threads in an operation that hold no lock; unknown counts as none. @param {Readings} readings @returns {number} */
function threadsAsleep({ 'clients.busy': busy, 'clients.active': active, 'window.samples': looks }) {
  return busy === undefined || active === undefined || looks === undefined || looks < LEAST_LOOKS ? 0 : busy - active;
}
