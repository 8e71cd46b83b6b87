'use strict';

const { bytes, count, duration, percent } = require('../../base/pure/units');
const { NO_CASE, PHRASES, devicePhrases, evidenceOf, holding, weight } = require('../evidence');
const {
  readingPagesTime,
  isReadingPagesSevere,
  isEvictionSevere,
  lossWords,
  HEALTHY_THREADS,
} = require('../../signals/clients');
const {
  areReadsSlow,
  areReadsSlowedByMachine,
  areReadsTheTrouble,
  areSyncsSlow,
  journalShare,
  isWritingBySync,
  isDeviceAtLimit,
  isNoDiskWaitedFor,
  nobodyWaits,
} = require('../../signals/disk');
const { hasHeadroom, isMemoryFull, headroomOf } = require('../../signals/cache');
const {
  MIN_STALL,
  isStalledByCheckpoint,
  isStalledInQuiet,
  isHeldByCheckpoint,
  isByWriteback,
  isOtherThanWriteback,
} = require('../../signals/stalls');
const { isCpuBusy } = require('../../signals/cpus');
const { isWritingSlow } = require('./unknown');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Candidate, Case } from '../evidence'
 */

/**
 * The device is the limit, in one of the ways that the server's own counters show; its diagnostic
 * data confirms or contradicts.
 * @type {Candidate}
 */
module.exports = {
  name: 'disk',
  examine: (metrics) =>
    [reads(metrics), stall(metrics), journal(metrics), writes(metrics)].reduce((a, b) =>
      weight(a) >= weight(b) ? a : b,
    ),
};

/**
 * Pages come off the disk, and no larger cache would keep them.
 * @param {Metrics} metrics
 * @returns {Case}
 */
function reads(metrics) {
  const loss = readingPagesTime(metrics);
  if (
    !loss ||
    loss.threads <= HEALTHY_THREADS ||
    !areReadsSlow(metrics) ||
    !(isMemoryFull(metrics) || hasHeadroom(metrics))
  )
    return NO_CASE;
  return {
    score: loss.share,
    because:
      `Clients spend ${percent(loss.share)} of their time on page reads of ` +
      `${duration(metrics['eviction.pageReadMs'])}, and a larger cache would not spare them: ` +
      `${isMemoryFull(metrics) ? fullMemory(metrics) : 'the cache still has room and is being filled'}.`,
    evidence: evidenceOf(metrics, [
      PHRASES.reading,
      PHRASES.readMs,
      ...atWork(metrics),
      PHRASES.reads,
    ]),
    against: holding([
      [!areReadsTheTrouble(metrics), `reading pages costs the clients ${lossWords(loss)}`],
      [isNoDiskWaitedFor(metrics, loss.threads), nobodyWaits(metrics)],
      [
        areReadsSlowedByMachine(metrics),
        'the machine is full and its disks have room: page reads wait for CPUs',
      ],
    ]),
  };
}

/** @param {Metrics} metrics */
const fullMemory = (metrics) =>
  `there are ${bytes(metrics['data.bytes'])} of data for ` +
  `${bytes(headroomOf(metrics)?.memoryBytes)} of memory, and what the cache gains the operating ` +
  `system's cache loses`;

/** A disk with room is no evidence for it. @param {Metrics} metrics */
const atWork = (metrics) => (isDeviceAtLimit(metrics) ? devicePhrases(metrics) : []);

/**
 * The server stalled, and neither eviction nor a checkpoint explains it: writes did not come
 * back from the disk.
 * @param {Metrics} metrics
 * @returns {Case}
 */
function stall(metrics) {
  const share = metrics['stalls.share'] ?? 0;
  if (share === 0) return NO_CASE;
  return {
    score: share,
    because:
      `The server stalled for ${percent(share)} of the time (at most ` +
      `${count(metrics['stalls.longestSeconds'])} s in one piece) while clients waited, and ` +
      'not for the cache: ' +
      `${isByWriteback(metrics) ? kernelWrites(metrics) : noAnswer(metrics)}.`,
    evidence: evidenceOf(metrics, [
      PHRASES.stalled,
      ...(isByWriteback(metrics) ? [PHRASES.unwritten] : []),
      PHRASES.longest,
      PHRASES.waiting,
    ]),
    against: holding([
      [share < MIN_STALL, `the server stalled for ${percent(share)} of the time`],
      [isEvictionSevere(metrics), 'application threads evict meanwhile'],
      [isStalledByCheckpoint(metrics), 'it stalled while checkpoints ran'],
      [isCpuBusy(metrics), 'the CPUs are busy'],
      [isNoDiskWaitedFor(metrics, share), nobodyWaits(metrics)],
    ]),
  };
}

/** @param {Metrics} metrics */
const noAnswer = (metrics) =>
  'the disk took that long to give an ' +
  `answer${isStalledInQuiet(metrics) && !isOtherThanWriteback(metrics) ? ', and the engine wrote nothing meanwhile: it waited for the disk to take what the kernel had let accumulate, or for a disk that stopped' : ''}`;

/** @param {Metrics} metrics */
const kernelWrites = (metrics) =>
  'the kernel wrote back what it had let accumulate, at most ' +
  `${bytes(metrics['writeback.dirtyPageBytesMax'])}, and the journal waited behind it`;

/** Writers wait for the journal. @param {Metrics} metrics @returns {Case} */
function journal(metrics) {
  if (!areSyncsSlow(metrics)) return NO_CASE;
  const { 'log.syncMs': sync, 'ops.writeLatencyMs': write } = metrics;
  return {
    score: journalShare(metrics),
    because:
      `A sync of the journal takes ${duration(sync)} and a write ${duration(write)}: clients ` +
      'that ask for a journalled write wait for the disk.',
    evidence: evidenceOf(metrics, [
      PHRASES.sync,
      PHRASES.writeLatency,
      ...atWork(metrics),
      PHRASES.syncing,
      PHRASES.waiting,
    ]),
    against: holding([
      [
        !isWritingBySync(metrics),
        `journal syncs of ${duration(sync)} do not explain writes of ${duration(write)}`,
      ],
      [isReadingPagesSevere(metrics) || isEvictionSevere(metrics), 'clients wait for the cache'],
      [
        isHeldByCheckpoint(metrics),
        'writes stall only while a checkpoint writes, and go on between them',
      ],
      [isCpuBusy(metrics), 'the CPUs are busy'],
    ]),
  };
}

/**
 * Writes are slow for no reason that the server's own counters show, while its disk is at its
 * limit.
 * @param {Metrics} metrics
 * @returns {Case}
 */
function writes(metrics) {
  const {
    'clients.writing': writing = 0,
    'clients.busyThreads': busy = 0,
    'ops.writeLatencyMs': write,
  } = metrics;
  if (!isWritingSlow(metrics) || !isDeviceAtLimit(metrics)) return NO_CASE;
  return {
    score: writing / Math.max(writing, busy),
    because: `A write takes ${duration(write)}, and not because of the cache: the disk is at its limit.`,
    evidence: evidenceOf(metrics, [
      PHRASES.writeLatency,
      ...devicePhrases(metrics),
      PHRASES.diskWriteMs,
    ]),
    against: holding([
      [isReadingPagesSevere(metrics) || isEvictionSevere(metrics), 'clients wait for the cache'],
      [
        isHeldByCheckpoint(metrics),
        'writes stall only while a checkpoint writes, and go on between them',
      ],
      [isCpuBusy(metrics), 'the CPUs are busy'],
    ]),
  };
}
