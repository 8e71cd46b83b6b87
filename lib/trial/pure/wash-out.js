'use strict';

const { KNOBS } = require('../../config/knobs');
const { knobsOf } = require('../../config/change');

/**
 * How long after a switch nothing is counted: until the cache has become what it will be. Threads
 * work at once; thresholds move the dirty level; a larger cache must be filled from the disk first,
 * however long its pages take.
 *
 * @typedef {'cache.usedBytes' | 'cache.dirtyBytes'} Level
 * @typedef {{ leastSeconds: number, mostSeconds: number, levels: Level[] }} WashOut over as soon as
 *   the levels rest
 * @typedef {{ atMs: number, metrics: import('../../server/pure/counters').Metrics }} Look
 */

/**
 * By the group of a knob. Eviction threads start and end within a second; a dirty level moves as
 * fast as the disk writes.
 */
const BY_GROUP = Object.freeze(
  /** @type {Record<string, WashOut>} */ ({
    cache: { leastSeconds: 4, mostSeconds: 60, levels: ['cache.usedBytes', 'cache.dirtyBytes'] },
    fill: { leastSeconds: 3, mostSeconds: 30, levels: ['cache.usedBytes'] },
    dirty: { leastSeconds: 3, mostSeconds: 30, levels: ['cache.dirtyBytes'] },
    updates: { leastSeconds: 3, mostSeconds: 30, levels: ['cache.dirtyBytes'] },
    checkpoint: { leastSeconds: 3, mostSeconds: 30, levels: ['cache.dirtyBytes'] },
    threads: { leastSeconds: 2, mostSeconds: 2, levels: [] },
  }),
);
/**
 * However slowly pages move, no more than so many blocks are waited for: what has not come by then
 * is part of what is measured.
 */
const MOST_BLOCKS = 2;
/** Levels are compared over this time. */
const REST_MS = 2000;
/**
 * A level rests when it moves by less than this share of the cache in that time: one held at its
 * trigger swings by 1 to 2 %.
 */
const REST_RATIO = 0.02;
/**
 * A large cache fills for many minutes: of one with room, 0.1 % a second is 3 % more of the data in
 * memory at the end of a block of 30 s than at its beginning.
 */
const FILLING_MS = 5000;
const FILLING_RATIO = 0.005;
/** Below the default target of 80 % nothing holds the level but what is read and written. */
const ROOM_RATIO = 0.75;

/**
 * @param {import('../../config/knobs').Change} change @param {number} seconds of a block
 * @returns {WashOut}
 */
function washOutOf(change, seconds) {
  const parts = knobsOf(change).flatMap((knob) => BY_GROUP[KNOBS[knob].group] ?? []);
  const leastSeconds = Math.max(0, ...parts.map((part) => part.leastSeconds));
  const mostSeconds = Math.max(0, ...parts.map((part) => part.mostSeconds));
  return {
    leastSeconds,
    mostSeconds: Math.max(leastSeconds, Math.min(mostSeconds, MOST_BLOCKS * seconds)),
    levels: [...new Set(parts.flatMap(({ levels }) => levels))],
  };
}

/**
 * @param {WashOut} washOut @param {readonly Look[]} looks since the switch, in order
 * @returns {boolean} whether counting may begin
 */
function isWashedOut({ leastSeconds, mostSeconds, levels }, looks) {
  const [first, last] = [looks[0], looks[looks.length - 1]];
  const seconds = looks.length === 0 ? 0 : (last.atMs - first.atMs) / 1000;
  if (seconds < leastSeconds) return false;
  return seconds >= mostSeconds || isSettled({ levels }, looks);
}

/**
 * @param {Pick<WashOut, 'levels'>} washOut
 * @param {readonly Look[]} looks
 * @returns {boolean} whether the cache has become what the setting makes of it
 */
const isSettled = ({ levels }, looks) =>
  levels.every((level) => isAtRest(level, looks)) &&
  !(levels.includes('cache.usedBytes') && isFilling(looks));

/** @param {readonly Look[]} looks */
function isFilling(looks) {
  const last = looks[looks.length - 1].metrics;
  const [maxBytes, usedBytes] = [last['cache.maxBytes'] ?? NaN, last['cache.usedBytes'] ?? NaN];
  return (
    usedBytes < maxBytes * ROOM_RATIO &&
    movedBy('cache.usedBytes', looks, FILLING_MS) > maxBytes * FILLING_RATIO
  );
}

/** @param {Level} level @param {readonly Look[]} looks */
function isAtRest(level, looks) {
  const maxBytes = looks[looks.length - 1].metrics['cache.maxBytes'] ?? NaN;
  return !(Math.abs(movedBy(level, looks, REST_MS)) > maxBytes * REST_RATIO);
}

/**
 * @param {Level} level
 * @param {readonly Look[]} looks
 * @param {number} ms
 * @returns {number} NaN where it is not known
 */
function movedBy(level, looks, ms) {
  const last = looks[looks.length - 1];
  const recent = looks
    .filter(({ atMs }) => atMs >= last.atMs - ms)
    .flatMap(({ metrics }) => metrics[level] ?? []);
  return recent[recent.length - 1] - recent[0];
}

module.exports = { washOutOf, isWashedOut, isSettled };
