'use strict';

const { GiB, bytes, duration, secondsText, percent, shortPercent } = require('../base/pure/units');
const {
  headroomOf,
  needBytes,
  inCacheBytes,
  BEST_FOUND_SHARE,
  CAP_SHARE,
  halfWayRatio,
} = require('../signals/cache');
const { dirtyLimit, DEFAULT_TRIGGER_RATIO } = require('../signals/dirty-limit');
const { arePagesAtLimit, areReadsSlow } = require('../signals/disk');
const { DEFAULT_SYNCDELAY_SECONDS } = require('../server/pure/facts');
const { roundUpGB, roundDownGB } = require('./cache-effect');

/**
 * @import { Change } from '../base/types'
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Headroom } from '../signals/cache'
 */

/**
 * Computes how large the cache should be, and explains the arithmetic. Readers and writers need
 * different sizes: one published test raised the cache because a read-mostly load missed it,
 * another lowered it because writes outran a slow disk (docs/evidence/published-tests.md). Two
 * things decide: where the clients' time goes, and for writes whether the disk can write out the
 * dirty part of the cache within a checkpoint interval.
 *
 * @typedef {{ change: Change | null, explain: string[] }} Sizing
 */

// A smaller reduction is not worth a change (heuristic).
const MIN_GROWTH = 1.25;
// A cache four times as large gained half as much again under write pressure, one twice as large a
// quarter (docs/evidence/cache-size.md).
const WRITE_FACTORS = Object.freeze([4, 2]);
// Share of the disk's page requests that are writes; at a third, a cache in which all data may be dirty
// gained x 8 where one that just holds it gained x 3 (docs/evidence/advice.md).
const MANY_WRITTEN_SHARE = 0.2;

/** @param {Metrics} metrics @param {'read' | 'write'} boundBy @returns {Sizing} */
function sizeCache(metrics, boundBy) {
  const [headroom, now] = [headroomOf(metrics), metrics['cache.maxBytes']];
  if (headroom === null || now === undefined)
    return {
      change: null,
      explain: ['Memory available to the server is not known: no cache size can be computed.'],
    };
  const { wanted, why } =
    boundBy === 'read' ? forReading(metrics, headroom) : forWriting(metrics, headroom, now);
  const explain = [...arithmetic(metrics, headroom, now), ...why];
  if (wanted === null) return { change: null, explain };
  const limit = roundDownGB(Math.min(headroom.capBytes, BEST_FOUND_SHARE * headroom.memoryBytes));
  const cacheSizeGB = Math.min(roundUpGB(wanted), limit);
  if (cacheSizeGB * GiB < now * MIN_GROWTH)
    return {
      change: null,
      explain: [
        ...explain,
        `No change: the cache is ${bytes(now)}, and the computed size of ` +
          `${bytes(cacheSizeGB * GiB)} is less than 25% larger (maximum on this host: ` +
          `${bytes(limit * GiB)}).`,
      ],
    };
  return {
    change: { cacheSizeGB },
    explain: [
      ...explain,
      `Recommended: ${bytes(cacheSizeGB * GiB)}, ` +
        `${percent((cacheSizeGB * GiB) / headroom.memoryBytes)} of RAM.`,
    ],
  };
}

/**
 * @param {Metrics} metrics
 * @param {Headroom} headroom
 * @param {number} now
 * @returns {string[]}
 */
function arithmetic(metrics, headroom, now) {
  const data = metrics['data.bytes'];
  return [
    `RAM available to the server: ${bytes(headroom.memoryBytes)}. Default cache: 50% of (RAM - 1 GiB) ` +
      `= ${bytes(headroom.defaultBytes)}. mongod warns above ${shortPercent(CAP_SHARE)}.`,
    `The cache is ${bytes(now)}, and mongod uses ${bytes(headroom.otherBytes)} beside it: at most ` +
      `${bytes(headroom.capBytes)} can be cache.`,
    data === undefined
      ? 'Data size is not known.'
      : `Data and indexes: ${bytes(data)} on disk, about ${bytes(inCacheBytes(metrics))} in cache. ` +
        `A cache of ${bytes(needBytes(metrics))} holds them without eviction.`,
  ];
}

/**
 * @param {Metrics} metrics
 * @param {Headroom} headroom
 * @returns {{ wanted: number | null, why: string[] }}
 */
function forReading(metrics, headroom) {
  const need = needBytes(metrics);
  const now = /** @type {number} */ (metrics['cache.maxBytes']);
  if (need === undefined) {
    return now < headroom.defaultBytes
      ? {
          wanted: roundDownGB(headroom.defaultBytes) * GiB,
          why: [
            'Read-bound, and the cache is smaller than the default: use the default first.',
            ...caution(metrics, headroom),
          ],
        }
      : {
          wanted: null,
          why: [
            'Read-bound, but the cache has its default size. Whether a larger one helps depends on ' +
              'the data size, which is not known.',
          ],
        };
  }
  if (need <= now)
    return {
      wanted: null,
      why: ['All data already fits in the cache: a larger one does not help.'],
    };
  const writes = forWritesOfReaders(metrics, headroom, need);
  return {
    wanted: writes?.wanted ?? need,
    why: [
      'Read-bound: application threads wait for page reads, not for eviction. The cache should ' +
        'hold the data, as far as RAM allows.',
      ...(writes?.why ?? []),
      ...caution(metrics, headroom),
    ],
  };
}

/**
 * Sizes the cache for reads that queue behind writes. At a disk at its limit, dirty pages that
 * eviction writes take requests from the reads; a larger cache holds them until a checkpoint.
 * @param {Metrics} metrics
 * @param {Headroom} headroom
 * @param {number} need bytes that hold all data
 * @returns {{ wanted: number, why: string[] } | null} null: it would not help, or is not known to
 */
function forWritesOfReaders(metrics, headroom, need) {
  const all = allDirtyBytes(metrics);
  const { 'cache.pagesReadPerSec': reads = 0, 'eviction.modifiedPagesPerSec': writes = 0 } =
    metrics;
  const share = reads + writes > 0 ? writes / (reads + writes) : 0;
  if (all === undefined || share < MANY_WRITTEN_SHARE || !arePagesAtLimit(metrics)) return null;
  const wanted = Math.min(all, headroom.defaultBytes);
  const seconds = secondsToWrite(metrics, wanted);
  // Without reads the disk can write that much more.
  const isInTime = seconds !== null && seconds * share <= DEFAULT_SYNCDELAY_SECONDS;
  if (wanted <= need || !isInTime) return null;
  return {
    wanted,
    why: [
      `Eviction writes ${shortPercent(share)} of the pages that the disk serves. A cache of ` +
        `${bytes(wanted)} holds dirty pages until a checkpoint writes them.`,
    ],
  };
}

/**
 * Warns where reads are slow although memory could hold the data: an unknown limit of the disk
 * looks the same.
 * @param {Metrics} metrics
 * @param {Headroom} headroom
 * @returns {string[]}
 */
function caution(metrics, headroom) {
  if (!areReadsSlow(metrics)) return [];
  return [
    `A page read takes ${duration(metrics['eviction.pageReadMs'])}: the operating system's page ` +
      `cache does not hold the data either. Under a memory limit below ` +
      `${bytes(headroom.memoryBytes)}, a larger cache would not help.`,
  ];
}

/**
 * @param {Metrics} metrics
 * @param {Headroom} headroom
 * @param {number} now
 * @returns {{ wanted: number | null, why: string[] }}
 */
function forWriting(metrics, headroom, now) {
  const need = allDirtyBytes(metrics);
  if (need !== undefined && need <= now)
    return {
      wanted: null,
      why: [
        'Write-bound, but all data could be dirty without evicting a page: the cache size is not ' +
          'the limit.',
      ],
    };
  if (now >= headroom.defaultBytes)
    return {
      wanted: null,
      why: [
        'Write-bound, and the cache has its default size or more: a larger one would only hold ' +
          'more data that must be written.',
      ],
    };
  const max = Math.min(headroom.defaultBytes, need ?? Infinity);
  const tried = WRITE_FACTORS.map((factor) => ({
    size: Math.min(factor * now, max),
    seconds: secondsToWrite(metrics, Math.min(factor * now, max)),
  }));
  const fits = tried.find(
    ({ seconds }) => seconds !== null && seconds <= DEFAULT_SYNCDELAY_SECONDS,
  );
  if (fits === undefined)
    return {
      wanted: null,
      why: [
        'Write-bound, and the disk cannot flush the dirty data of a larger cache within a ' +
          'checkpoint interval.',
      ],
    };
  return {
    wanted: fits.size,
    why: [
      'Write-bound. A larger cache batches more updates per page write. The disk can flush ' +
        `${bytes(dirtyShare(metrics) * fits.size)} in ` +
        `${secondsText(fits.seconds)} (limit: ` +
        `${DEFAULT_SYNCDELAY_SECONDS} s checkpoint interval).`,
    ],
  };
}

/**
 * Data that fits is written anyway once too much of it is dirty. A count from before an insert load
 * is smaller than the cache now, and says nothing.
 * @param {Metrics} metrics
 * @returns {number | undefined} bytes of a cache in which all data may be dirty without evicting a
 *   page; undefined: not known
 */
function allDirtyBytes(metrics) {
  const inCache = inCacheBytes(metrics);
  return inCache === undefined || inCache < (metrics['cache.usedBytes'] ?? 0)
    ? undefined
    : inCache / halfWayRatio(metrics);
}

/**
 * @param {Metrics} metrics
 * @param {number} cacheBytes
 * @returns {number | null} to write out all that may be dirty, at the rate seen now
 */
function secondsToWrite(metrics, cacheBytes) {
  const perSec = metrics['cache.writtenBytesPerSec'];
  return perSec ? (dirtyShare(metrics) * cacheBytes) / perSec : null;
}

/**
 * @param {Metrics} metrics
 * @returns {number} the share of the cache that may be dirty; where a trigger was raised to an
 *   unknown value, the share that is dirty, which showed it
 */
const dirtyShare = (metrics) =>
  Math.max(
    dirtyLimit(metrics).triggerRatio ?? Number(metrics['cache.dirtyRatio']),
    DEFAULT_TRIGGER_RATIO,
  );

module.exports = { sizeCache, allDirtyBytes };
