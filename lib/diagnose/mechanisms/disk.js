'use strict';

const { bytes, count, duration, percent } = require('../../base/pure/units');
const { NO_CASE, evidenceOf, holding, weight } = require('../candidate');
const {
  readingLoss,
  isReadingGrave,
  isEvictionGrave,
  lossWords,
  HEALTHY_THREADS,
} = require('../../signals/losses');
const {
  areReadsSlow,
  areReadsSlowedByMachine,
  hasRoom,
  areReadsTheTrouble,
} = require('../../signals/reads');
const { isMemoryFull, roomOf } = require('../../signals/memory');
const {
  LEAST_STALL,
  isStalledByCheckpoint,
  isStalledInQuiet,
  isHeldByCheckpoint,
} = require('../../signals/standstill');
const { areSyncsSlow, journalShare, isWritingBySync } = require('../../signals/journal');
const {
  isDeviceAtLimit,
  isNoDiskWaitedFor,
  nobodyWaits,
  devicePhrases,
} = require('../../signals/device');
const { isByWriteback, isOtherThanWriteback } = require('../../signals/writeback');
const { isCpuBusy } = require('../../signals/processors');
const { isWritingSlow } = require('./unknown');
const { PHRASES } = require('../../signals/phrases');

/**
 * @typedef {import('../candidate').Readings} Readings
 * @typedef {import('../candidate').Case} Case
 */

/**
 * The device is the limit, in one of the ways that the server's own counters show; its diagnostic
 * data confirms or contradicts.
 * @type {import('../candidate').Candidate}
 */
module.exports = {
  name: 'disk',
  examine: (readings) =>
    [reads(readings), standstill(readings), journal(readings), writes(readings)].reduce((a, b) =>
      weight(a) >= weight(b) ? a : b,
    ),
};

/**
 * Pages come off the disk, and no larger cache would keep them.
 * @param {Readings} readings
 * @returns {Case}
 */
function reads(readings) {
  const loss = readingLoss(readings);
  if (
    !loss ||
    loss.threads <= HEALTHY_THREADS ||
    !areReadsSlow(readings) ||
    !(isMemoryFull(readings) || hasRoom(readings))
  )
    return NO_CASE;
  return {
    score: loss.share,
    because:
      `Clients spend ${percent(loss.share)} of their time on page reads of ` +
      `${duration(readings['eviction.pageReadMs'])}, and a larger cache would not spare them: ` +
      `${isMemoryFull(readings) ? fullMemory(readings) : 'the cache still has room and is being filled'}.`,
    evidence: evidenceOf(readings, [
      PHRASES.reading,
      PHRASES.readMs,
      ...atWork(readings),
      PHRASES.reads,
    ]),
    against: holding([
      [!areReadsTheTrouble(readings), `reading pages costs the clients ${lossWords(loss)}`],
      [isNoDiskWaitedFor(readings, loss.threads), nobodyWaits(readings)],
      [
        areReadsSlowedByMachine(readings),
        'the machine is full and its disks have room: page reads wait for processors',
      ],
    ]),
  };
}

/** @param {Readings} readings */
const fullMemory = (readings) =>
  `there are ${bytes(readings['data.bytes'])} of data for ` +
  `${bytes(roomOf(readings)?.memoryBytes)} of memory, and what the cache gains the operating ` +
  `system's cache loses`;

/** A disk with room is no evidence for it. @param {Readings} readings */
const atWork = (readings) => (isDeviceAtLimit(readings) ? devicePhrases(readings) : []);

/**
 * The server stood still, and neither eviction nor a checkpoint explains it: writes did not come
 * back from the disk.
 * @param {Readings} readings
 * @returns {Case}
 */
function standstill(readings) {
  const share = readings['stalls.share'] ?? 0;
  if (share === 0) return NO_CASE;
  return {
    score: share,
    because:
      `The server stood still for ${percent(share)} of the time (at most ` +
      `${count(readings['stalls.longestSeconds'])} s in one piece) while clients waited, and ` +
      'not for the cache: ' +
      `${isByWriteback(readings) ? kernelWrites(readings) : noAnswer(readings)}.`,
    evidence: evidenceOf(readings, [
      PHRASES.stalled,
      ...(isByWriteback(readings) ? [PHRASES.unwritten] : []),
      PHRASES.longest,
      PHRASES.waiting,
    ]),
    against: holding([
      [share < LEAST_STALL, `the server stood still for ${percent(share)} of the time`],
      [isEvictionGrave(readings), 'clients evict meanwhile'],
      [isStalledByCheckpoint(readings), 'it stood still while checkpoints ran'],
      [isCpuBusy(readings), 'the processors are busy'],
      [isNoDiskWaitedFor(readings, share), nobodyWaits(readings)],
    ]),
  };
}

/** @param {Readings} readings */
const noAnswer = (readings) =>
  'the disk took that long to give an ' +
  `answer${isStalledInQuiet(readings) && !isOtherThanWriteback(readings) ? ', and the engine wrote nothing meanwhile: it waited for the disk to take what the kernel had let pile up, or for a disk that stopped' : ''}`;

/** @param {Readings} readings */
const kernelWrites = (readings) =>
  'the kernel wrote back what it had let pile up, at most ' +
  `${bytes(readings['system.unwrittenBytesMax'])}, and the journal waited behind it`;

/** Writers wait for the journal. @param {Readings} readings @returns {Case} */
function journal(readings) {
  if (!areSyncsSlow(readings)) return NO_CASE;
  const { 'log.syncMs': sync, 'ops.writeLatencyMs': write } = readings;
  return {
    score: journalShare(readings),
    because:
      `A sync of the journal takes ${duration(sync)} and a write ${duration(write)}: clients ` +
      'that ask for a journalled write wait for the disk.',
    evidence: evidenceOf(readings, [
      PHRASES.sync,
      PHRASES.writeLatency,
      ...atWork(readings),
      PHRASES.syncing,
      PHRASES.waiting,
    ]),
    against: holding([
      [
        !isWritingBySync(readings),
        `journal syncs of ${duration(sync)} do not explain writes of ${duration(write)}`,
      ],
      [isReadingGrave(readings) || isEvictionGrave(readings), 'clients wait for the cache'],
      [
        isHeldByCheckpoint(readings),
        'writes stand still only while a checkpoint writes, and go on between them',
      ],
      [isCpuBusy(readings), 'the processors are busy'],
    ]),
  };
}

/**
 * Writes are slow for no reason that the server's own counters show, while its disk is at its
 * limit.
 * @param {Readings} readings
 * @returns {Case}
 */
function writes(readings) {
  const {
    'clients.writing': writing = 0,
    'clients.busy': busy = 0,
    'ops.writeLatencyMs': write,
  } = readings;
  if (!isWritingSlow(readings) || !isDeviceAtLimit(readings)) return NO_CASE;
  return {
    score: writing / Math.max(writing, busy),
    because: `A write takes ${duration(write)}, and not because of the cache: the disk is at its limit.`,
    evidence: evidenceOf(readings, [
      PHRASES.writeLatency,
      ...devicePhrases(readings),
      PHRASES.diskWriteMs,
    ]),
    against: holding([
      [isReadingGrave(readings) || isEvictionGrave(readings), 'clients wait for the cache'],
      [
        isHeldByCheckpoint(readings),
        'writes stand still only while a checkpoint writes, and go on between them',
      ],
      [isCpuBusy(readings), 'the processors are busy'],
    ]),
  };
}
