'use strict';

const { GiB, bytes, duration, percent } = require('../base/pure/units');
const {
  headroomOf,
  needBytes,
  inCacheBytes,
  BEST_FOUND_SHARE,
  CAP_SHARE,
  halfWayRatio,
} = require('../signals/cache');
const { dirtyLimit, DEFAULT_TRIGGER_RATIO } = require('../signals/dirty-limit');
const { areReadsSlow } = require('../signals/disk');
const { roundUpGB, roundDownGB } = require('./round');
const { whole } = require('../signals/words');

/**
 * @import { Change } from '../base/types'
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Room } from '../signals/cache'
 */

/**
 * How large the cache should be, with its arithmetic. Readers and writers want different things of
 * it: IBM-Z raised the cache because a read-mostly load missed it, OPPO lowered it because writes
 * outran a slow disk. What decides is where the clients' time goes, and for writes whether the disk
 * can write out the dirty part of the cache within a checkpoint interval.
 *
 * @typedef {{ change: Change | null, explain: string[] }} Sizing
 */

// Less more than this is not worth a change (heuristic).
const MIN_GROWTH = 1.25;
// A cache four times as large gained half as much again under write pressure, one twice as large a
// quarter (docs/evidence/cache-size.md).
const WRITE_STEPS = Object.freeze([4, 2]);
// The dirty part must be written out within one checkpoint interval, 60 s by default.
const CHECKPOINT_SECONDS = 60;

/** @param {Metrics} metrics @param {'read' | 'write'} trouble @returns {Sizing} */
function sizeCache(metrics, trouble) {
  const [room, now] = [headroomOf(metrics), metrics['cache.maxBytes']];
  if (room === null || now === undefined)
    return {
      change: null,
      explain: ['How much memory the server may use is not known, so no cache size can be named.'],
    };
  const { wanted, why } =
    trouble === 'read' ? forReading(metrics, room) : forWriting(metrics, room, now);
  const explain = [...arithmetic(metrics, room, now), ...why];
  if (wanted === null) return { change: null, explain };
  const limit = roundDownGB(Math.min(room.capBytes, BEST_FOUND_SHARE * room.memoryBytes));
  const cacheSizeGB = Math.min(roundUpGB(wanted), limit);
  if (cacheSizeGB * GiB < now * MIN_GROWTH)
    return {
      change: null,
      explain: [
        ...explain,
        `The cache is ${bytes(now)} already; ${bytes(limit * GiB)} is the most that leaves ` +
          'the host enough, and that is not worth a change.',
      ],
    };
  return {
    change: { cacheSizeGB },
    explain: [
      ...explain,
      `So: ${bytes(cacheSizeGB * GiB)}, ${percent((cacheSizeGB * GiB) / room.memoryBytes)} ` +
        'of memory.',
    ],
  };
}

/**
 * @param {Metrics} metrics
 * @param {Room} room
 * @param {number} now
 * @returns {string[]}
 */
function arithmetic(metrics, room, now) {
  const data = metrics['data.bytes'];
  return [
    `Memory the server may use: ${bytes(room.memoryBytes)}. The default cache is 50% of ` +
      `(memory − 1 GiB) = ${bytes(room.defaultBytes)}; ${whole(BEST_FOUND_SHARE)} of memory = ` +
      `${bytes(BEST_FOUND_SHARE * room.memoryBytes)} was the best found (IBM-Z, read-mostly); ` +
      `above ${whole(CAP_SHARE)} mongod warns.`,
    `The cache is ${bytes(now)} now; beside it the process holds ${bytes(room.otherBytes)}, ` +
      `which leaves at most ${bytes(room.capBytes)} for the cache.`,
    data === undefined
      ? 'How much data there is is not known.'
      : `Data and indexes are ${bytes(data)}, about ${bytes(inCacheBytes(metrics))} in the ` +
        `cache; ${bytes(needBytes(metrics))} hold them without eviction.`,
  ];
}

/**
 * @param {Metrics} metrics
 * @param {Room} room
 * @returns {{ wanted: number | null, why: string[] }}
 */
function forReading(metrics, room) {
  const need = needBytes(metrics);
  const now = /** @type {number} */ (metrics['cache.maxBytes']);
  if (need === undefined) {
    return now < room.defaultBytes
      ? {
          wanted: roundDownGB(room.defaultBytes) * GiB,
          why: [
            'The problem is reading, and the cache is smaller than the default: take the ' +
              'default first.',
            ...caution(metrics, room),
          ],
        }
      : {
          wanted: null,
          why: [
            'The problem is reading, but the cache has its default size; whether more of it ' +
              'helps depends on how much data there is.',
          ],
        };
  }
  if (need <= now)
    return {
      wanted: null,
      why: ['All data fits into the cache already, so a larger one does not help.'],
    };
  return {
    wanted: need,
    why: [
      'The problem is reading (clients wait for pages, not for eviction), so the cache ' +
        'should hold the data, as far as memory goes.',
      ...caution(metrics, room),
    ],
  };
}

/**
 * Slow reads of data that memory could hold: an unknown limit looks the same.
 * @param {Metrics} metrics
 * @param {Room} room
 * @returns {string[]}
 */
function caution(metrics, room) {
  if (!areReadsSlow(metrics)) return [];
  return [
    `A page read takes ${duration(metrics['eviction.pageReadMs'])}, so the operating ` +
      `system's cache does not hold the data either. Should the server run under a memory ` +
      `limit below ${bytes(room.memoryBytes)}, a larger cache would not help.`,
  ];
}

/**
 * @param {Metrics} metrics
 * @param {Room} room
 * @param {number} now
 * @returns {{ wanted: number | null, why: string[] }}
 */
function forWriting(metrics, room, now) {
  const need = allDirtyBytes(metrics);
  if (need !== undefined && need <= now)
    return {
      wanted: null,
      why: [
        'The problem is writing, and all data could be dirty at once, and no page would ' +
          'leave for it: the size of the cache is not the limit.',
      ],
    };
  if (now >= room.defaultBytes)
    return {
      wanted: null,
      why: [
        'The problem is writing, and the cache has its default size or more: a larger one ' +
          'only holds more that must be written (OPPO lowered theirs for that).',
      ],
    };
  const max = Math.min(room.defaultBytes, need ?? Infinity);
  const tried = WRITE_STEPS.map((step) => ({
    size: Math.min(step * now, max),
    seconds: secondsToWrite(metrics, Math.min(step * now, max)),
  }));
  const fits = tried.find(({ seconds }) => seconds !== null && seconds <= CHECKPOINT_SECONDS);
  if (fits === undefined)
    return {
      wanted: null,
      why: [
        'The problem is writing, and the disk could not write out the dirty part of a larger ' +
          'cache within a checkpoint interval.',
      ],
    };
  return {
    wanted: fits.size,
    why: [
      'The problem is writing: in a larger cache more updates share one page write, and ' +
        'fewer pages are read back. What decides is that the disk can write out its dirty part ' +
        `in time: ${bytes(dirtyShare(metrics) * fits.size)} in ` +
        `${duration(/** @type {number} */ (fits.seconds) * 1000)}, within ` +
        `${CHECKPOINT_SECONDS} s.`,
    ],
  };
}

/**
 * Data that fits is written anyway once too much of it is dirty. A count from before an insert load
 * is smaller than the cache now, and says nothing.
 * @param {Metrics} metrics
 * @returns {number | undefined} of a cache in which all data may be dirty, and none leaves for it
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
 * @returns {number} share of the cache that may be dirty; where the trigger was raised to nobody
 *   knows what, the share that is, which told so
 */
const dirtyShare = (metrics) =>
  Math.max(
    dirtyLimit(metrics).triggerRatio ?? Number(metrics['cache.dirtyRatio']),
    DEFAULT_TRIGGER_RATIO,
  );

module.exports = { sizeCache };
