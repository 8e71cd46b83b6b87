'use strict';

const { GiB, bytes, duration, percent } = require('../base/pure/units');
const {
  roomOf,
  needBytes,
  inCacheBytes,
  BEST_FOUND_SHARE,
  CAP_SHARE,
} = require('../signals/memory');
const { dirtyLimit, DEFAULT_TRIGGER_RATIO } = require('../signals/dirty-limit');
const { areReadsSlow } = require('../signals/reads');
const { halfWayRatio } = require('../signals/churn');
const { roundUpGB, roundDownGB } = require('./round');
const { whole } = require('../signals/words');

/**
 * How large the cache should be, with its arithmetic. Readers and writers want different things of
 * it: IBM-Z raised the cache because a read-mostly load missed it, OPPO lowered it because writes
 * outran a slow disk. What decides is where the clients' time goes, and for writes whether the disk
 * can write out the dirty part of the cache within a checkpoint interval.
 *
 * @typedef {import('../server/pure/readings').Readings} Readings
 * @typedef {{ change: import('../config/knobs').Change | null, explain: string[] }} Sizing
 */

// Less more than this is not worth a change; ours.
const LEAST_GROWTH = 1.25;
// A cache four times as large gained half as much again under write pressure, one twice as large a
// quarter (docs/evidence/cache-size.md).
const WRITE_STEPS = Object.freeze([4, 2]);
// The dirty part must be written out within one checkpoint interval, 60 s by default.
const CHECKPOINT_SECONDS = 60;

/** @param {Readings} readings @param {'read' | 'write'} trouble @returns {Sizing} */
function sizeCache(readings, trouble) {
  const [room, now] = [roomOf(readings), readings['cache.maxBytes']];
  if (room === null || now === undefined)
    return {
      change: null,
      explain: ['How much memory the server may use is not known, so no cache size can be named.'],
    };
  const { wanted, why } =
    trouble === 'read' ? forReading(readings, room) : forWriting(readings, room, now);
  const explain = [...arithmetic(readings, room, now), ...why];
  if (wanted === null) return { change: null, explain };
  const limit = roundDownGB(Math.min(room.capBytes, BEST_FOUND_SHARE * room.memoryBytes));
  const cacheSizeGB = Math.min(roundUpGB(wanted), limit);
  if (cacheSizeGB * GiB < now * LEAST_GROWTH)
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
 * @param {Readings} readings
 * @param {import('../signals/memory').Room} room
 * @param {number} now
 * @returns {string[]}
 */
function arithmetic(readings, room, now) {
  const data = readings['data.bytes'];
  return [
    `Memory the server may use: ${bytes(room.memoryBytes)}. The default cache is 50 % of ` +
      `(memory − 1 GiB) = ${bytes(room.defaultBytes)}; ${whole(BEST_FOUND_SHARE)} of memory = ` +
      `${bytes(BEST_FOUND_SHARE * room.memoryBytes)} was the best found (IBM-Z, read-mostly); ` +
      `above ${whole(CAP_SHARE)} mongod warns.`,
    `The cache is ${bytes(now)} now; beside it the process holds ${bytes(room.otherBytes)}, ` +
      `which leaves at most ${bytes(room.capBytes)} for the cache.`,
    data === undefined
      ? 'How much data there is is not known.'
      : `Data and indexes are ${bytes(data)}, about ${bytes(inCacheBytes(readings))} in the ` +
        `cache; ${bytes(needBytes(readings))} hold them without eviction.`,
  ];
}

/**
 * @param {Readings} readings
 * @param {import('../signals/memory').Room} room
 * @returns {{ wanted: number | null, why: string[] }}
 */
function forReading(readings, room) {
  const need = needBytes(readings);
  const now = /** @type {number} */ (readings['cache.maxBytes']);
  if (need === undefined) {
    return now < room.defaultBytes
      ? {
          wanted: roundDownGB(room.defaultBytes) * GiB,
          why: [
            'The problem is reading, and the cache is smaller than the default: take the ' +
              'default first.',
            ...caution(readings, room),
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
      ...caution(readings, room),
    ],
  };
}

/**
 * Slow reads of data that memory could hold: a limit that is not known looks like this too.
 * @param {Readings} readings
 * @param {import('../signals/memory').Room} room
 * @returns {string[]}
 */
function caution(readings, room) {
  if (!areReadsSlow(readings)) return [];
  return [
    `A page read takes ${duration(readings['eviction.pageReadMs'])}, so the operating ` +
      `system's cache does not hold the data either. Should the server run under a memory ` +
      `limit below ${bytes(room.memoryBytes)}, a larger cache would not help.`,
  ];
}

/**
 * @param {Readings} readings
 * @param {import('../signals/memory').Room} room
 * @param {number} now
 * @returns {{ wanted: number | null, why: string[] }}
 */
function forWriting(readings, room, now) {
  const need = allDirtyBytes(readings);
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
  const most = Math.min(room.defaultBytes, need ?? Infinity);
  const tried = WRITE_STEPS.map((step) => ({
    size: Math.min(step * now, most),
    seconds: secondsToWrite(readings, Math.min(step * now, most)),
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
        `in time: ${bytes(dirtyShare(readings) * fits.size)} in ` +
        `${duration(/** @type {number} */ (fits.seconds) * 1000)}, within ` +
        `${CHECKPOINT_SECONDS} s.`,
    ],
  };
}

/**
 * Data that fits is written out all the same once too much of it is dirty. What was counted before
 * an insert load is less than the cache holds now, and says nothing.
 * @param {Readings} readings
 * @returns {number | undefined} of a cache in which all data may be dirty, and none leaves for it
 */
function allDirtyBytes(readings) {
  const inCache = inCacheBytes(readings);
  return inCache === undefined || inCache < (readings['cache.usedBytes'] ?? 0)
    ? undefined
    : inCache / halfWayRatio(readings);
}

/**
 * @param {Readings} readings
 * @param {number} cacheBytes
 * @returns {number | null} to write out all that may be dirty, at the rate seen now
 */
function secondsToWrite(readings, cacheBytes) {
  const perSec = readings['cache.writtenBytesPerSec'];
  return perSec ? (dirtyShare(readings) * cacheBytes) / perSec : null;
}

/**
 * @param {Readings} readings
 * @returns {number} share of the cache that may be dirty; where the trigger was raised to nobody
 *   knows what, the share that is, which told so
 */
const dirtyShare = (readings) =>
  Math.max(
    dirtyLimit(readings).triggerRatio ?? Number(readings['cache.dirtyRatio']),
    DEFAULT_TRIGGER_RATIO,
  );

module.exports = { sizeCache };
