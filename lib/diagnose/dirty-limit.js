'use strict';

const { isEvictionGrave, HEALTHY_THREADS } = require('./losses');

/**
 * Whether dirty (or update) data has reached the level at which clients must evict, and what that level is. The level is not
 * in serverStatus before 9.0; where the configuration is not known, the default is assumed unless what is seen contradicts it.
 *
 * @typedef {import('../model/readings').Readings} Readings
 * @typedef {'known' | 'assumed' | 'suspected-lower' | 'raised'} How
 * @typedef {{ triggerRatio: number | null, how: How, isLowered: boolean, isReached: boolean }} DirtyLimit `triggerRatio`: null
 *   where only its being other than the default is known
 */

// WiredTiger's default eviction_dirty_trigger (dist/api_data.py).
const DEFAULT_TRIGGER_RATIO = 0.2;
// Under write pressure the median stood 0 to 2 points above the trigger, so just below it counts too (docs/evidence/dirty-thresholds.md).
const NEAR_RATIO = 0.02;
// "Far below 20 %": clients that evict for dirty data down here are under a lower trigger.
const FAR_BELOW_RATIO = 0.15;
// Above this a trigger of 20 % is not in force: 20.3 to 21.5 % were seen with it.
const ABOVE_DEFAULT_RATIO = 0.23;
// WiredTiger's default eviction_trigger (dist/api_data.py).
const DEFAULT_FILL_TRIGGER_RATIO = 0.95;
// A level that never reached this share of its trigger is not what clients wait for; ours: 256 MB under 16 writers were seen
// anywhere from 70 to 101 % of the dirty trigger, with fill and updates below 40 % of theirs.
const FAR_SHARE = 0.7;
// Share of the looks in which the server says that clients are made to evict for it; one look in 20 is not chance.
const HARD_SHARE = 0.05;

/** @param {Readings} readings @returns {DirtyLimit} */
function dirtyLimit(readings) {
  const configured = readings['config.dirtyTriggerRatio'];
  const how = configured === undefined ? guess(readings) : 'known';
  const triggerRatio = configured ?? (how === 'assumed' ? DEFAULT_TRIGGER_RATIO : null);
  return {
    triggerRatio, how,
    isLowered: how === 'suspected-lower' || (how === 'known' && /** @type {number} */ (triggerRatio) < DEFAULT_TRIGGER_RATIO),
    isReached: how === 'suspected-lower' || how === 'raised' || isAt(readings, /** @type {number} */ (triggerRatio)) || areUpdatesAt(readings) || isOnlyReasonLeft(readings, triggerRatio),
  };
}

/** @param {Readings} readings @returns {How} */
function guess(readings) {
  const { 'cache.dirtyRatio': median = 0, 'cache.dirtyRatioMax': peak = 0 } = readings;
  if (median > ABOVE_DEFAULT_RATIO && !wasLoweredMeanwhile(readings)) return 'raised';
  const far = (median < FAR_BELOW_RATIO && peak < DEFAULT_TRIGGER_RATIO - NEAR_RATIO) || wasLoweredMeanwhile(readings);
  return far && isHard(readings, 'cache.dirtyHardShare') && isEvictionGrave(readings) ? 'suspected-lower' : 'assumed';
}

/** The peak is of before then; the last looks in which clients were made to evict all were far below. @param {Readings} readings */
const wasLoweredMeanwhile = (readings) => (readings['cache.dirtyHardLevelRatio'] ?? 1) < FAR_BELOW_RATIO;

/** @param {Readings} readings @param {number} triggerRatio */
function isAt(readings, triggerRatio) {
  const median = readings['cache.dirtyRatio'];
  return isHard(readings, 'cache.dirtyHardShare') || (median !== undefined && median >= triggerRatio - NEAR_RATIO);
}

/**
 * Clients wait for the cache for three reasons only: it is full, too much is dirty, or too much is update data. A small cache
 * under a fast writer goes to its trigger and back between two looks; where the other two are far away, this one it is.
 * @param {Readings} readings @param {number | null} triggerRatio
 */
function isOnlyReasonLeft(readings, triggerRatio) {
  const fill = shareOf(readings['cache.usedRatioMax'], readings['config.triggerRatio'] ?? DEFAULT_FILL_TRIGGER_RATIO);
  const updates = shareOf(readings['cache.updatesRatioMax'], readings['config.updatesTriggerRatio'] ?? shareOf(triggerRatio, 2));
  const dirty = shareOf(readings['cache.dirtyRatioMax'], triggerRatio);
  if (fill === null || updates === null || dirty === null) return false;
  return (readings['clients.waitingForCache'] ?? 0) > HEALTHY_THREADS && fill < FAR_SHARE && updates < FAR_SHARE && dirty >= FAR_SHARE;
}

/** @param {number | null | undefined} level @param {number | null} limit */
const shareOf = (level, limit) => (level === undefined || level === null || !limit ? null : level / limit);

/** @param {Readings} readings @returns {boolean} update data has a trigger of its own, half of the dirty one by default */
function areUpdatesAt(readings) {
  const { 'cache.updatesRatio': updates, 'config.updatesTriggerRatio': trigger } = readings;
  return isHard(readings, 'cache.updatesHardShare') || (updates !== undefined && trigger !== undefined && updates >= trigger);
}

/** @param {Readings} readings @param {'cache.dirtyHardShare' | 'cache.updatesHardShare'} name */
const isHard = (readings, name) => (readings[name] ?? 0) >= HARD_SHARE;

module.exports = { dirtyLimit, DEFAULT_TRIGGER_RATIO, ABOVE_DEFAULT_RATIO, NEAR_RATIO };
