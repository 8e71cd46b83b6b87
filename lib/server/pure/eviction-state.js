'use strict';

/**
 * @import { Counters } from './counters'
 */

// Bits of "eviction state" (WiredTiger src/include/cache.h). 7.0 dropped DEBUG (4), so all later
// bits moved down by one place.
const UNTIL_6 = Object.freeze({
  CLEAN: 1,
  CLEAN_HARD: 2,
  DIRTY: 8,
  DIRTY_HARD: 16,
  UPDATES: 128,
  UPDATES_HARD: 256,
});
const SINCE_7 = Object.freeze({
  CLEAN: 1,
  CLEAN_HARD: 2,
  DIRTY: 4,
  DIRTY_HARD: 8,
  UPDATES: 64,
  UPDATES_HARD: 128,
});

/**
 * What eviction works on; `…Hard`: application threads have to evict right now.
 * @param {Counters} counters the mark, not the version, tells which bits are
 *   meant
 * @returns {{
 *   clean: boolean, cleanHard: boolean, dirty: boolean, dirtyHard: boolean, updates: boolean,
 *   updatesHard: boolean
 * } | null}
 */
function readEvictionState(counters) {
  const state = counters['eviction.state'];
  if (state === undefined) return null;
  const bits = counters['eviction.stateMark'] === undefined ? UNTIL_6 : SINCE_7;
  const has = (/** @type {number} */ bit) => (state & bit) !== 0;
  return {
    clean: has(bits.CLEAN),
    cleanHard: has(bits.CLEAN_HARD),
    dirty: has(bits.DIRTY),
    dirtyHard: has(bits.DIRTY_HARD),
    updates: has(bits.UPDATES),
    updatesHard: has(bits.UPDATES_HARD),
  };
}

module.exports = { readEvictionState };
