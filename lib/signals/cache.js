'use strict';

const { GiB, MiB } = require('../base/pure/units');
const { HEALTHY_THREADS, isReadingPagesSevere, isSevereAsEviction } = require('./clients');
const { DEFAULT_TRIGGER_RATIO, DEFAULT_TARGET_RATIO, NEAR_RATIO } = require('./dirty-limit');

/**
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Loss } from './clients'
 */

/**
 * Judges what fits the cache: whether it is full, whether memory holds the data, and whether pages
 * leave it for lack of free space or because they are dirty.
 */

/**
 * What the cache could be: the server's memory, its data, and what it holds beside the cache.
 * @typedef {{ memoryBytes: number, defaultBytes: number, capBytes: number, otherBytes: number }}
 *   Headroom
 */

// MongoDB's default cache: half of what is above 1 GiB, at least 256 MB (manual,
// storage.wiredTiger.engineConfig.cacheSizeGB).
const DEFAULT_SHARE = 0.5;
const DEFAULT_SPARED_BYTES = GiB;
const DEFAULT_LEAST_BYTES = 256 * MiB;
// mongod warns at its start above this share of memory (log id 22300).
const CAP_SHARE = 0.8;
// The best of the sizes tried on a read-mostly server with 128 GiB (IBM-Z).
const BEST_FOUND_SHARE = 0.75;
// A page in the cache is larger than its data: 1164 MiB of data filled 1263 MiB
// (docs/evidence/cache-size.md).
const IN_CACHE_FACTOR = 1.1;
// WiredTiger evicts above this share of the cache, so data "fits" only below it (default
// eviction_target).
const TARGET_SHARE = 0.8;

// 8.2 opens a second WiredTiger for sorts and groups that spill; its cache may take this share of the
// memory (spillWiredTigerCacheSizePercentage).
const SPILL_SINCE = 80_200;
const SPILL_SHARE = 0.025;

/**
 * Memory that the spill cache does not hold yet, and may take at any time.
 * @param {Metrics} metrics
 */
function spillBytes(metrics) {
  const { 'spill.unusedBytes': unused, 'host.memoryBytes': memoryBytes = 0 } = metrics;
  if (unused !== undefined) return Math.max(0, unused);
  return (metrics['server.versionNumber'] ?? 0) >= SPILL_SINCE ? SPILL_SHARE * memoryBytes : 0;
}

/** @param {Metrics} metrics @returns {Headroom | null} null where the memory is not known */
function headroomOf(metrics) {
  const memoryBytes = metrics['host.memoryBytes'];
  if (memoryBytes === undefined) return null;
  const otherBytes = (metrics['process.otherBytes'] ?? 0) + spillBytes(metrics);
  return {
    memoryBytes,
    otherBytes,
    defaultBytes: Math.max(
      DEFAULT_SHARE * (memoryBytes - DEFAULT_SPARED_BYTES),
      DEFAULT_LEAST_BYTES,
    ),
    capBytes: Math.max(0, Math.min(CAP_SHARE * memoryBytes, memoryBytes - otherBytes)),
  };
}

/** @param {Metrics} metrics @returns {number | undefined} the data as it is in the cache */
const inCacheBytes = (metrics) =>
  metrics['data.bytes'] === undefined ? undefined : metrics['data.bytes'] * IN_CACHE_FACTOR;

/**
 * @param {Metrics} metrics
 * @returns {number | undefined} the smallest cache that holds all data without evicting
 */
const needBytes = (metrics) => {
  const inside = inCacheBytes(metrics);
  return inside === undefined
    ? undefined
    : inside / (metrics['config.targetRatio'] ?? TARGET_SHARE);
};

/**
 * @param {Metrics} metrics
 * @returns {boolean | undefined} whether there is more data than memory for it, wherever it is
 *   cached; undefined: not known
 */
function isMemoryFull(metrics) {
  const [headroom, inside] = [headroomOf(metrics), inCacheBytes(metrics)];
  return headroom === null || inside === undefined
    ? undefined
    : inside > headroom.memoryBytes - headroom.otherBytes;
}

// A full cache is within a point of its target, 80% by default (heuristic).
const NEAR_TARGET_RATIO = 0.05;
// In a full cache every page read pushes one out; below half of that the cache is still filling
// (heuristic).
const FILLING_RATIO = 0.5;

/**
 * @param {Metrics} metrics
 * @returns {boolean} the cache has free space: it is not near its target, and hardly anything is
 *   evicted from it
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
  'config.targetRatio': target = TARGET_SHARE,
}) => used !== undefined && used < target - NEAR_TARGET_RATIO;

/**
 * Whether the used data fits: the cache never came near its target, and pages leave it because they
 * are dirty or too large, not for lack of free space. Clean pages that leave as fast as pages come
 * show a lower target.
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
  if (known !== undefined) return known < TARGET_SHARE - NEAR_TARGET_RATIO;
  return (
    evicted !== undefined &&
    modified !== undefined &&
    read > 0 &&
    isFarFromFull(metrics) &&
    evicted - modified >= read * FILLING_RATIO
  );
}

// This is a share of evicted pages; nearly all were dirty, and three of four came back (heuristic).
const MODIFIED_RATIO = 0.9;
const BACK_RATIO = 0.5;

/**
 * Pages that leave a cache which is far from full leave it because they are dirty; where they are
 * read back at once, that is the dirty limit's doing as well, and its price is in the reading.
 * Inserts into three indexes did so: with 256 MB, 33% full, 9,400 a second and 0.15 application threads
 * waiting; with 1 GB 20,200. No client need wait for it: half way from the dirty target to the trigger
 * eviction no longer keeps what it has written (docs/evidence/dirty-thresholds.md).
 * @param {Metrics} metrics
 * @returns {Loss | undefined} what it costs the clients; undefined where it is not so, or not known
 */
function churnLoss(metrics) {
  const {
    'clients.waitingThreads': waiting = 0,
    'clients.readingThreads': reading = 0,
    'clients.busyThreads': busy = 0,
  } = metrics;
  const isItsPrice =
    waiting > HEALTHY_THREADS
      ? isNearLimit(metrics)
      : isHalfWay(metrics) && isReadingPagesSevere(metrics);
  if (!isItsPrice || !isFarFromFull(metrics) || !comesBack(metrics)) return undefined;
  return {
    threads: waiting + reading,
    share: (waiting + reading) / Math.max(waiting + reading, busy),
  };
}

/** @param {Metrics} metrics */
const isNearLimit = ({
  'cache.dirtyRatioMax': peak = 0,
  'config.dirtyTriggerRatio': trigger = DEFAULT_TRIGGER_RATIO,
}) => peak >= trigger - NEAR_RATIO;

/**
 * The level below which eviction writes dirty pages and keeps them; above it they leave the cache
 * (WiredTiger's evict_lru.c, scrubbing).
 * @param {Metrics} metrics
 * @returns {number} share of the cache
 */
const halfWayRatio = ({
  'config.dirtyTargetRatio': target = DEFAULT_TARGET_RATIO,
  'config.dirtyTriggerRatio': trigger = DEFAULT_TRIGGER_RATIO,
}) => (target + trigger) / 2;

/** Whether the cache stays at that level: new pages leave at once. @param {Metrics} metrics */
const isHalfWay = (metrics) =>
  (metrics['cache.dirtyRatio'] ?? 0) >= halfWayRatio(metrics) - NEAR_RATIO;

/** @param {Metrics} metrics */
function comesBack({
  'eviction.pagesPerSec': evicted = 0,
  'eviction.modifiedPagesPerSec': modified = 0,
  'cache.pagesReadPerSec': read = 0,
}) {
  return evicted > 0 && modified >= evicted * MODIFIED_RATIO && read >= evicted * BACK_RATIO;
}

/** @param {Metrics} metrics @returns {boolean} */
const isChurnSevere = (metrics) => isSevereAsEviction(churnLoss(metrics));

module.exports = {
  headroomOf,
  inCacheBytes,
  needBytes,
  isMemoryFull,
  CAP_SHARE,
  BEST_FOUND_SHARE,
  TARGET_SHARE,
  NEAR_TARGET_RATIO,
  hasHeadroom,
  isHeadroomUnknown,
  fitsAlready,
  isTargetLowered,
  churnLoss,
  isChurnSevere,
  halfWayRatio,
};
