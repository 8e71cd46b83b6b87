'use strict';

const { percent, duration } = require('../base/pure/units');
const {
  isReadingPagesSevere,
  isEvictionSevere,
  readingPagesTime,
  evictionLoss,
  MIN_THREADS,
} = require('./clients');
const { dirtyLimit } = require('./dirty-limit');
const { isMachineFull } = require('./cpus');
const { warmingOf } = require('./warming');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Judges the busiest disk in the server's diagnostic data, and whether anything on the machine
 * waits for a disk. Where the server does not report it, everything here is unknown, and the
 * verdict rests on the engine's own counters.
 */

// From here on one request is slow for any disk in use today (heuristic; an HDD takes 5 to 10 ms).
const SLOW_MS = 20;
// Requests at a disk at its limit take longer than this: 7 to 12 ms for a read, 20 to 45 ms for a
// page write were seen (docs/evidence/cache-size.md). Flash that serves many requests at once is
// always busy, and answers in 0.1 ms.
const LIMIT_MS = 5;
// Share of the time that a disk at its limit is busy; below it there is headroom.
const BUSY_RATIO = 0.8;
// The mean of fewer requests a second depends on a few odd ones.
const MIN_PER_SEC = 5;
// At least this share of the threads that should wait for a disk is seen waiting, or they do not
// wait for one (heuristic).
const SEEN_RATIO = 0.25;
// Samples of the number of waiting tasks; fewer are chance, as with the gauge of active clients.
const MIN_SECONDS = 9;

/** @param {Metrics} metrics @returns {number} ms; 0 where there are too few reads to tell */
const deviceReadMs = ({ 'disk.readsPerSec': perSec = 0, 'disk.readMs': ms = 0 }) =>
  perSec >= MIN_PER_SEC ? ms : 0;

/** @param {Metrics} metrics @returns {number} ms; 0 where there are too few writes to tell */
const deviceWriteMs = ({ 'disk.writesPerSec': perSec = 0, 'disk.writeMs': ms = 0 }) =>
  perSec >= MIN_PER_SEC ? ms : 0;

/** @param {Metrics} metrics @returns {boolean | undefined} undefined: not known */
function isDeviceAtLimit(metrics) {
  const busy = metrics['disk.busyRatio'];
  return busy === undefined
    ? undefined
    : busy >= BUSY_RATIO && Math.max(deviceReadMs(metrics), deviceWriteMs(metrics)) >= LIMIT_MS;
}

/**
 * Whether threads that would have to wait for a disk are nowhere to be seen: no disk is busy,
 * and no task of the machine waits for one. Also a disk that the server does not show (a network
 * file system, a limit of the container) makes tasks wait.
 * @param {Metrics} metrics
 * @param {number} threads that wait for a disk on average, if they do
 * @returns {boolean} known to be so
 */
function isNoDiskWaitedFor(metrics, threads) {
  const {
    'cpu.blockedTasks': blocked,
    'disk.busyRatio': busy,
    'diagnostics.seconds': seconds = 0,
    'cpu.busyRatio': cpu,
  } = metrics;
  if (blocked === undefined || busy === undefined || cpu === undefined || seconds < MIN_SECONDS)
    return false;
  return blocked < threads * SEEN_RATIO && busy < Math.min(1, threads) * SEEN_RATIO;
}

/** Gives as a reason that the threads do not wait for a disk. @param {Metrics} metrics */
const nobodyWaits = (metrics) =>
  'almost no task of the machine waits for a disk, and the ' +
  `${metrics['disk.isOfData'] ? '' : 'busiest '}disk${named(metrics)} is busy ` +
  `${percent(metrics['disk.busyRatio'])} of the time`;

/**
 * @param {Metrics} metrics
 * @returns {string} a sentence with a space before it; empty where the disk is not known, or
 *   neither one nor the other
 */
function aboutDevice(metrics) {
  const busy = metrics['disk.busyRatio'];
  if (busy === undefined) return '';
  const took = [
    [deviceReadMs(metrics), 'read'],
    [deviceWriteMs(metrics), 'write'],
  ].flatMap(([ms, what]) => (Number(ms) > 0 ? [`a ${what} takes ${duration(Number(ms))}`] : []));
  const seen = [`the disk${named(metrics)} is busy ${percent(busy)} of the time`, ...took].join(
    ', ',
  );
  if (isDeviceAtLimit(metrics)) return ` The disk counters confirm it: ${seen}.`;
  return busy < BUSY_RATIO
    ? ` Yet ${seen}. The limit may be above the disk (container, cloud), or on a disk that the ` +
        'server does not report, such as a network file system.'
    : '';
}

/** @param {Metrics} metrics */
const named = ({ 'disk.name': name, 'disk.isOfData': isOfData }) =>
  name === undefined ? '' : ` ${name}${isOfData ? ' (dbPath)' : ''}`;

/** Finds where the pages that clients read come from. */

// A page out of the operating system's cache took 0.14 ms, one off a disk at its limit 7 to 12 ms
// (docs/evidence/cache-size.md); between them (heuristic).
const SLOW_READ_MS = 1;
// The disk serves at least so many requests for each page that clients read: the pages come off it,
// however quick it is. Ours; a page is one request or more, unless the kernel reads ahead.
const REQUESTS_PER_PAGE = 0.5;
// The mean of fewer reads a second depends on a few odd ones: 64 ms were seen on a healthy server.
const MIN_READS_PER_SEC = 5;

/** @param {Metrics} metrics @returns {boolean} pages come off a disk, not out of memory */
const areReadsSlow = (metrics) =>
  (metrics['eviction.pageReadMs'] ?? 0) >= SLOW_READ_MS &&
  (metrics['eviction.appReadsPerSec'] ?? 0) >= MIN_READS_PER_SEC;

/** @param {Metrics} metrics @returns {boolean} pages come off a disk at its limit, seen or not */
const arePagesAtLimit = (metrics) =>
  areReadsSlow(metrics) && (metrics['eviction.pageReadMs'] ?? 0) >= LIMIT_MS;

/**
 * Whether a busy machine makes reads slow. Then a page from the page cache takes longer than a
 * millisecond, too, since the thread waits for a CPU; the disk has headroom, and nothing is as slow
 * as at a disk at its limit.
 * @param {Metrics} metrics
 * @returns {boolean} true only where that is known
 */
function areReadsSlowedByMachine(metrics) {
  const { 'disk.busyRatio': busy = 1, 'eviction.pageReadMs': pageMs = 0 } = metrics;
  return isMachineFull(metrics) && busy < BUSY_RATIO && pageMs < LIMIT_MS;
}

/**
 * @param {Metrics} metrics
 * @returns {boolean} known to be so: the disk serves about as many reads as clients read pages
 */
function doReadsReachDisk({
  'eviction.appReadsPerSec': pages = 0,
  'disk.readsPerSec': requests = 0,
}) {
  return pages >= MIN_READS_PER_SEC && requests >= pages * REQUESTS_PER_PAGE;
}

/**
 * Compares reads with eviction by thread-seconds. While the cache is being filled, reads must not
 * exceed the eviction. In a full cache they exceed it and are still caused by it (a fifth to a
 * third of the time was eviction, in the recording of writes that outrun a slow disk).
 * @param {Metrics} metrics
 * @returns {boolean} whether application threads evict because dirty data is at its limit, so that
 *   page reads queue behind page writes
 */
const areReadsBehindWrites = (metrics) =>
  isEvictionSevere(metrics) && dirtyLimit(metrics).isReached && !isFillingMost(metrics);

/** @param {Metrics} metrics @returns {boolean} */
const isFillingMost = (metrics) =>
  isReadingPagesSevere(metrics) &&
  warmingOf(metrics) !== null &&
  (readingPagesTime(metrics)?.threads ?? 0) > (evictionLoss(metrics)?.threads ?? 0);

/** @param {Metrics} metrics @returns {boolean} */
const areReadsTheLimit = (metrics) =>
  isReadingPagesSevere(metrics) && !areReadsBehindWrites(metrics);

/** Whether writers wait for the journal. */

// A journal sync on a disk with headroom takes 1 to 3 ms; from 10 ms on writers feel it.
const SLOW_SYNC_MS = 10;
// A write that waits for a sync takes at least half of one (it may come while the sync is on its
// way), and spends at least half of its time so (heuristic).
const MOSTLY_RATIO = 0.5;
// Samples of the gauge of active clients; fewer are chance: five samples with less than half of the
// writers active, while all were, happen once in a hundred times (heuristic).
const MIN_SAMPLES = 5;
// Share of the time with a sync under way: a writer that waits for one waits for more than one (0.9
// seen, with writes that took three syncs: docs/evidence/stalls.md) (heuristic).
const ALWAYS_RATIO = 0.7;
// Share of the clients' time that the syncs must account for (heuristic).
const JOURNAL_SHARE = 0.4;

/**
 * And writes take long enough to wait for one.
 * @param {Metrics} metrics
 * @returns {boolean}
 */
const areSyncsSlow = ({ 'log.syncMs': sync = 0, 'ops.writeLatencyMs': write = 0 }) =>
  sync >= SLOW_SYNC_MS && write >= sync * MOSTLY_RATIO;

/**
 * @param {Metrics} metrics
 * @returns {number} share of the clients' time that they wait for the journal, if they do
 */
function journalShare({
  'log.syncMs': sync = 0,
  'log.syncingRatio': syncing = 0,
  'ops.writeLatencyMs': write = Infinity,
  'clients.writing': writing = 0,
  'clients.busyThreads': busy = 0,
}) {
  const ofWrite = Math.max(sync / write, syncing >= ALWAYS_RATIO ? syncing : 0);
  return writing === 0 ? 0 : (Math.min(1, ofWrite) * writing) / Math.max(writing, busy);
}

/**
 * A write much shorter than a sync does not wait for one, and one much longer waits for something
 * else. A client that waits for the journal holds no lock meanwhile, so it is in an operation but
 * not active; a batch of inserts that takes as long as a sync by itself is both.
 * @param {Metrics} metrics
 */
function isWritingBySync(metrics) {
  const { 'clients.writing': writing = 0 } = metrics;
  return (
    threadsAsleep(metrics) >= Math.max(MIN_THREADS, writing * MOSTLY_RATIO) &&
    journalShare(metrics) >= JOURNAL_SHARE
  );
}

/**
 * Client threads in an operation that hold no lock; unknown counts as none.
 * @param {Metrics} metrics
 * @returns {number}
 */
function threadsAsleep({
  'clients.busyThreads': busy,
  'clients.active': active,
  'window.samples': samples,
}) {
  return busy === undefined ||
    active === undefined ||
    samples === undefined ||
    samples < MIN_SAMPLES
    ? 0
    : busy - active;
}

/** @param {Metrics} metrics @returns {boolean} */
const isJournalWaitedFor = (metrics) => areSyncsSlow(metrics) && isWritingBySync(metrics);

module.exports = {
  deviceReadMs,
  deviceWriteMs,
  isDeviceAtLimit,
  isNoDiskWaitedFor,
  nobodyWaits,
  aboutDevice,
  named,
  SLOW_MS,
  LIMIT_MS,
  BUSY_RATIO,
  MIN_PER_SEC,
  arePagesAtLimit,
  areReadsSlow,
  doReadsReachDisk,
  areReadsSlowedByMachine,
  areReadsBehindWrites,
  areReadsTheLimit,
  areSyncsSlow,
  journalShare,
  isWritingBySync,
  isJournalWaitedFor,
};
