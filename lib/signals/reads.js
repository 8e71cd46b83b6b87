'use strict';

const { isReadingPagesSevere, isEvictionSevere } = require('./wait-time');
const { dirtyLimit } = require('./dirty-limit');
const { isMachineFull } = require('./cpus');
const { BUSY_RATIO, LIMIT_MS } = require('./device');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Where the pages that clients read come from, and whether the cache is full at all.
 */

// A page out of the operating system's cache took 0.14 ms, one off a disk at its limit 7 to 12 ms
// (docs/evidence/cache-size.md); between them, ours.
const SLOW_READ_MS = 1;
// The disk serves at least so many requests for each page that clients read: the pages come off it,
// however quick it is. Ours; a page is one request or more, unless the kernel reads ahead.
const REQUESTS_PER_PAGE = 0.5;
// Fewer reads a second make a mean that a few odd ones decide: 64 ms were seen on a healthy server.
const MIN_READS_PER_SEC = 5;
// A full cache stands within a point of its target, 80 % by default; ours.
const NEAR_TARGET_RATIO = 0.05;
const TARGET_RATIO = 0.8;
// In a full cache every page read pushes one out; below half of that the cache is still filling;
// ours.
const FILLING_RATIO = 0.5;

/** @param {Metrics} metrics @returns {boolean} pages come off a disk, not out of memory */
const areReadsSlow = (metrics) =>
  (metrics['eviction.pageReadMs'] ?? 0) >= SLOW_READ_MS &&
  (metrics['eviction.appReadsPerSec'] ?? 0) >= MIN_READS_PER_SEC;

/**
 * On a full machine a page out of the operating system's cache takes longer than a millisecond,
 * too: the thread waits for a processor. Then the disk has room, and nothing is as slow as at a
 * disk at its limit.
 * @param {Metrics} metrics
 * @returns {boolean} known to be so
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
 * @param {Metrics} metrics
 * @returns {boolean} the cache has room: it is not near its target, and next to nothing is evicted
 *   from it
 */
function hasHeadroom(metrics) {
  const { 'eviction.pagesPerSec': evicted, 'cache.pagesReadPerSec': read } = metrics;
  if (evicted === undefined || read === undefined) return false;
  return isFarFromFull(metrics) && evicted < read * FILLING_RATIO;
}

/** @param {Metrics} metrics @returns {boolean} nothing tells whether the cache is full */
function isHeadroomUnknown(metrics) {
  const {
    'cache.usedRatioMax': used,
    'eviction.pagesPerSec': evicted,
    'cache.pagesReadPerSec': read,
  } = metrics;
  return (
    used === undefined || (isFarFromFull(metrics) && (evicted === undefined || read === undefined))
  );
}

/** @param {Metrics} metrics @returns {boolean} the cache never came near its target */
const isFarFromFull = ({
  'cache.usedRatioMax': used,
  'config.targetRatio': target = TARGET_RATIO,
}) => used !== undefined && used < target - NEAR_TARGET_RATIO;

/**
 * What is used fits: the cache never came near its target, and what leaves it leaves because it is
 * dirty or too large for a page, not for want of room. Clean pages that go as fast as pages come
 * are a lower target at work.
 * @param {Metrics} metrics
 * @returns {boolean}
 */
function fitsAlready(metrics) {
  const {
    'eviction.pagesPerSec': evicted,
    'eviction.modifiedPagesPerSec': modified = 0,
    'cache.pagesReadPerSec': read,
  } = metrics;
  if (evicted === undefined || read === undefined) return false;
  return isFarFromFull(metrics) && evicted - modified < read * FILLING_RATIO;
}

/**
 * Clean pages leave a cache that is far from full as fast as others come: its target was lowered,
 * since nothing else evicts them.
 * @param {Metrics} metrics
 * @returns {boolean}
 */
function isTargetLowered(metrics) {
  const {
    'config.targetRatio': known,
    'eviction.pagesPerSec': evicted,
    'eviction.modifiedPagesPerSec': modified,
    'cache.pagesReadPerSec': read = 0,
  } = metrics;
  if (known !== undefined) return known < TARGET_RATIO - NEAR_TARGET_RATIO;
  return (
    evicted !== undefined &&
    modified !== undefined &&
    read > 0 &&
    isFarFromFull(metrics) &&
    evicted - modified >= read * FILLING_RATIO
  );
}

/**
 * @param {Metrics} metrics
 * @returns {boolean} clients evict because dirty data is at its limit; page reads then queue behind
 *   the page writes
 */
const areReadsBehindWrites = (metrics) =>
  isEvictionSevere(metrics) && dirtyLimit(metrics).isReached;

/** @param {Metrics} metrics @returns {boolean} */
const areReadsTheTrouble = (metrics) =>
  isReadingPagesSevere(metrics) && !areReadsBehindWrites(metrics);

module.exports = {
  areReadsSlow,
  doReadsReachDisk,
  areReadsSlowedByMachine,
  hasHeadroom,
  isHeadroomUnknown,
  fitsAlready,
  isTargetLowered,
  isFarFromFull,
  areReadsBehindWrites,
  areReadsTheTrouble,
};
