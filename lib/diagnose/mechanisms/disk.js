'use strict';

const { bytes, count, duration, percent } = require('../../base/pure/units');
const { NO_CASE, PHRASES, devicePhrases, evidenceOf, whereTrue, weight } = require('../evidence');
const {
  readingPagesTime,
  isReadingPagesSevere,
  isEvictionSevere,
  timeSpent,
  HEALTHY_THREADS,
} = require('../../signals/clients');
const {
  areReadsSlow,
  areReadsSlowedByMachine,
  areReadsTheLimit,
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
const { queueWords } = require('../../signals/holders');
const { warmingOf, warmingWords } = require('../../signals/warming');
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
  const [loss, warming] = [readingPagesTime(metrics), warmingOf(metrics)];
  if (
    !loss ||
    loss.threads <= HEALTHY_THREADS ||
    !(areReadsSlow(metrics) || warming) ||
    !(isMemoryFull(metrics) || hasHeadroom(metrics) || warming)
  )
    return NO_CASE;
  return {
    score: loss.share,
    because:
      `${warming ? `${warmingWords(warming)} ` : ''}Application threads spend ` +
      `${percent(loss.share)} of their time on page reads of ` +
      `${duration(metrics['eviction.pageReadMs'])} each.` +
      (warming ? '' : ` A larger cache would not help: ${whyNot(metrics)}.`) +
      queueWords(metrics),
    evidence: evidenceOf(metrics, [
      PHRASES.reading,
      PHRASES.readMs,
      ...atWork(metrics),
      PHRASES.reads,
    ]),
    against: whereTrue([
      [!areReadsTheLimit(metrics), timeSpent(loss, 'reading pages into cache')],
      [isNoDiskWaitedFor(metrics, loss.threads), nobodyWaits(metrics)],
      [
        areReadsSlowedByMachine(metrics),
        'the CPUs are fully used and the disks have headroom: page reads wait for CPUs',
      ],
    ]),
  };
}

/** @param {Metrics} metrics */
const whyNot = (metrics) =>
  isMemoryFull(metrics) ? fullMemory(metrics) : 'the cache has free space and is still filling';

/** @param {Metrics} metrics */
const fullMemory = (metrics) =>
  `there is more data (${bytes(metrics['data.bytes'])}) than RAM ` +
  `(${bytes(headroomOf(metrics)?.memoryBytes)}), and the page cache would lose what the cache gains`;

/** A disk with headroom is no evidence for it. @param {Metrics} metrics */
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
      `The server stalled for ${percent(share)} of the time (longest ` +
      `${count(metrics['stalls.longestSeconds'])} s) while clients waited, but not for the cache. ` +
      `${isByWriteback(metrics) ? kernelWrites(metrics) : noAnswer(metrics)}.`,
    evidence: evidenceOf(metrics, [
      PHRASES.stalled,
      ...(isByWriteback(metrics) ? [PHRASES.dirtyPageCache] : []),
      PHRASES.longest,
      PHRASES.waiting,
    ]),
    against: whereTrue([
      [share < MIN_STALL, `the server stalled for only ${percent(share)} of the time`],
      [isEvictionSevere(metrics), 'application threads evict during the stalls'],
      [isStalledByCheckpoint(metrics), 'the stalls were during checkpoints'],
      [isCpuBusy(metrics), 'the CPUs are busy'],
      [isNoDiskWaitedFor(metrics, share), nobodyWaits(metrics)],
    ]),
  };
}

/** @param {Metrics} metrics */
const noAnswer = (metrics) =>
  'The disk took that long to ' +
  `respond${isStalledInQuiet(metrics) && !isOtherThanWriteback(metrics) ? '. WiredTiger wrote nothing meanwhile: it waited for kernel writeback, or for a disk that stopped' : ''}`;

/** @param {Metrics} metrics */
const kernelWrites = (metrics) =>
  'The kernel wrote back its accumulated dirty page cache (up to ' +
  `${bytes(metrics['writeback.dirtyPageBytesMax'])}), and journal syncs waited behind it`;

/** Writers wait for the journal. @param {Metrics} metrics @returns {Case} */
function journal(metrics) {
  if (!areSyncsSlow(metrics)) return NO_CASE;
  const { 'log.syncMs': sync, 'ops.writeLatencyMs': write } = metrics;
  return {
    score: journalShare(metrics),
    because:
      `A journal sync takes ${duration(sync)} and a client write ${duration(write)}: journaled writes ` +
      'wait for the disk.',
    evidence: evidenceOf(metrics, [
      PHRASES.sync,
      PHRASES.writeLatency,
      ...atWork(metrics),
      PHRASES.syncing,
      PHRASES.waiting,
    ]),
    against: whereTrue([
      [
        !isWritingBySync(metrics),
        `few application threads wait for a journal sync (${duration(sync)} each)`,
      ],
      [
        isReadingPagesSevere(metrics) || isEvictionSevere(metrics),
        'application threads wait for the cache',
      ],
      [isHeldByCheckpoint(metrics), 'writes stall only during checkpoints'],
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
    because: `A write takes ${duration(write)}, and the disk is at its limit. The cache is not the cause.`,
    evidence: evidenceOf(metrics, [
      PHRASES.writeLatency,
      ...devicePhrases(metrics),
      PHRASES.diskWriteMs,
    ]),
    against: whereTrue([
      [
        isReadingPagesSevere(metrics) || isEvictionSevere(metrics),
        'application threads wait for the cache',
      ],
      [isHeldByCheckpoint(metrics), 'writes stall only during checkpoints'],
      [isCpuBusy(metrics), 'the CPUs are busy'],
    ]),
  };
}
