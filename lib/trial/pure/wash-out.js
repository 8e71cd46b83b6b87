'use strict';

const { SETTINGS } = require('../../config/setting-table');
const { settingsOf } = require('../../config/change');

/**
 * @import { Change } from '../../base/types'
 * @import { Counters } from '../../server/pure/counters'
 */

/**
 * Computes how long nothing is counted after a switch: until the cache has settled. Threads work at
 * once; thresholds move the dirty level; a larger cache must be filled from the disk first.
 * @typedef {'cache.usedBytes' | 'cache.dirtyBytes'} Level
 * @typedef {{ minSeconds: number, maxSeconds: number, levels: Level[] }} WashOut it ends as soon as
 *   the levels rest
 * @typedef {{ atMs: number, counters: Counters }} Gathered
 */

/**
 * The wash-out by the group of a setting. Eviction threads start and end within a second; a dirty
 * level moves as fast as the disk writes.
 */
const BY_GROUP = Object.freeze(
  /** @type {Record<string, WashOut>} */ ({
    cache: { minSeconds: 4, maxSeconds: 60, levels: ['cache.usedBytes', 'cache.dirtyBytes'] },
    fill: { minSeconds: 3, maxSeconds: 30, levels: ['cache.usedBytes'] },
    dirty: { minSeconds: 3, maxSeconds: 30, levels: ['cache.dirtyBytes'] },
    updates: { minSeconds: 3, maxSeconds: 30, levels: ['cache.dirtyBytes'] },
    checkpoint: { minSeconds: 3, maxSeconds: 30, levels: ['cache.dirtyBytes'] },
    threads: { minSeconds: 2, maxSeconds: 2, levels: [] },
  }),
);
/**
 * Longest settling time, in blocks: a level that has not settled by then is part of the
 * measurement.
 */
const MAX_BLOCKS = 2;
/** Milliseconds over which levels are compared. */
const REST_MS = 2000;
/**
 * A level rests when it moves by less than this share of the cache in REST_MS: a level held at its
 * trigger swings by 1 to 2%.
 */
const REST_RATIO = 0.02;
/**
 * Milliseconds for a cache with free space, which fills for many minutes: 0.1% a second is 3% more
 * of the data in memory at the end of a block of 30 s than at its beginning.
 */
const FILLING_MS = 5000;
const FILLING_RATIO = 0.005;
/** Below the default target of 80%, only reads and writes decide the level. */
const ROOM_RATIO = 0.75;

/**
 * @param {Change} change @param {number} seconds the length of a block
 * @returns {WashOut}
 */
function washOutOf(change, seconds) {
  const parts = settingsOf(change).flatMap((setting) => BY_GROUP[SETTINGS[setting].group] ?? []);
  const minSeconds = Math.max(0, ...parts.map((part) => part.minSeconds));
  const maxSeconds = Math.max(0, ...parts.map((part) => part.maxSeconds));
  return {
    minSeconds,
    maxSeconds: Math.max(minSeconds, Math.min(maxSeconds, MAX_BLOCKS * seconds)),
    levels: [...new Set(parts.flatMap(({ levels }) => levels))],
  };
}

/**
 * @param {WashOut} washOut @param {readonly Gathered[]} samples since the switch, in order
 * @returns {boolean} whether counting may begin
 */
function isWashedOut({ minSeconds, maxSeconds, levels }, samples) {
  const [first, last] = [samples[0], samples[samples.length - 1]];
  const seconds = samples.length === 0 ? 0 : (last.atMs - first.atMs) / 1000;
  if (seconds < minSeconds) return false;
  return seconds >= maxSeconds || isSettled({ levels }, samples);
}

/**
 * @param {Pick<WashOut, 'levels'>} washOut
 * @param {readonly Gathered[]} samples
 * @returns {boolean} whether the cache has settled under the setting
 */
const isSettled = ({ levels }, samples) =>
  levels.every((level) => isAtRest(level, samples)) &&
  !(levels.includes('cache.usedBytes') && isFilling(samples));

/** @param {readonly Gathered[]} samples */
function isFilling(samples) {
  const last = samples[samples.length - 1].counters;
  const [maxBytes, usedBytes] = [last['cache.maxBytes'] ?? NaN, last['cache.usedBytes'] ?? NaN];
  return (
    usedBytes < maxBytes * ROOM_RATIO &&
    movedBy('cache.usedBytes', samples, FILLING_MS) > maxBytes * FILLING_RATIO
  );
}

/** @param {Level} level @param {readonly Gathered[]} samples */
function isAtRest(level, samples) {
  const maxBytes = samples[samples.length - 1].counters['cache.maxBytes'] ?? NaN;
  return !(Math.abs(movedBy(level, samples, REST_MS)) > maxBytes * REST_RATIO);
}

/**
 * @param {Level} level
 * @param {readonly Gathered[]} samples
 * @param {number} ms
 * @returns {number} NaN where it is not known
 */
function movedBy(level, samples, ms) {
  const last = samples[samples.length - 1];
  const recent = samples
    .filter(({ atMs }) => atMs >= last.atMs - ms)
    .flatMap(({ counters }) => counters[level] ?? []);
  return recent[recent.length - 1] - recent[0];
}

module.exports = { washOutOf, isWashedOut, isSettled };
