'use strict';

const { isEvictionSevere, HEALTHY_THREADS } = require('./clients');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Whether dirty (or update) data has reached the level at which application threads must evict, and what that
 * level is. The level is not in serverStatus before 9.0; where the configuration is not known, the
 * default is assumed unless what is seen contradicts it.
 *
 * @typedef {'known' | 'assumed' | 'suspected-lower' | 'raised'} How
 * @typedef {{ triggerRatio: number | null, how: How }} Trigger `triggerRatio`: null where only its
 *   being other than the default is known
 * @typedef {Trigger & { by: 'dirty' | 'updates', updates: Trigger, isLowered: boolean, isReached:
 *   boolean }} DirtyLimit `by`: which of the
 *   two triggers clients run into, if any; `isLowered`: whether that trigger is below its default
 */

// WiredTiger's default eviction_dirty_trigger (dist/api_data.py).
const DEFAULT_TRIGGER_RATIO = 0.2;
// Under write pressure the median stood 0 to 2 points above the trigger, so just below it counts
// too (docs/evidence/dirty-thresholds.md).
const NEAR_RATIO = 0.02;
// "Far below 20%": clients that evict for dirty data down here are under a lower trigger.
const FAR_BELOW_RATIO = 0.15;
// Above this level a trigger of 20% is not in effect: 20.3 to 21.5% were seen with it.
const ABOVE_DEFAULT_RATIO = 0.23;
// Each level of update data is half of that of dirty data, as WiredTiger's own defaults are.
const OF_DIRTY = 0.5;
// WiredTiger's default eviction_target, eviction_trigger and eviction_dirty_target
// (dist/api_data.py).
const DEFAULT_FILL_TARGET_RATIO = 0.8;
const DEFAULT_FILL_TRIGGER_RATIO = 0.95;
const DEFAULT_TARGET_RATIO = 0.05;
// Fewer dirty pages a second leave for other reasons, such as files that are closed (heuristic).
const MIN_EVICTED_PER_SEC = 10;
// Share of its trigger: a lower level is not what clients wait for. Project measurement: 256 MB
// under 16 writers were between 70 and 101% of the dirty trigger, with cache used and updates below
// 40% of theirs.
const FAR_SHARE = 0.7;
// Share of samples in which application threads had to evict for it; one sample in 20 is not
// chance.
const HARD_SHARE = 0.05;

/** The metrics that show each kind of data. */
const DIRTY = Object.freeze(
  /** @type {const} */ ({
    scale: 1,
    trigger: 'config.dirtyTriggerRatio',
    level: 'cache.dirtyRatio',
    peak: 'cache.dirtyRatioMax',
    hard: 'cache.dirtyHardShare',
    hardLevel: 'cache.dirtyHardLevelRatio',
  }),
);
const UPDATES = Object.freeze(
  /** @type {const} */ ({
    scale: OF_DIRTY,
    trigger: 'config.updatesTriggerRatio',
    level: 'cache.updatesRatio',
    peak: 'cache.updatesRatioMax',
    hard: 'cache.updatesHardShare',
    hardLevel: 'cache.updatesHardLevelRatio',
  }),
);
/** @typedef {typeof DIRTY | typeof UPDATES} Kind */

/** @param {Metrics} metrics @returns {DirtyLimit} */
function dirtyLimit(metrics) {
  const [dirty, own] = [triggerOf(metrics, DIRTY), triggerOf(metrics, UPDATES)];
  // The updates trigger follows the dirty one: where that is not the default, its half is unknown.
  const updates =
    own.how === 'assumed' && dirty.triggerRatio === null ? { ...own, triggerRatio: null } : own;
  const isDirtyTriggerReached = isAtDirty(metrics, dirty);
  const isUpdatesTriggerReached =
    isAtUpdates(metrics, updates) ||
    isOnlyUpdatesTriggerLeft(metrics, dirty.triggerRatio, updates.triggerRatio);
  const by =
    isUpdatesTriggerReached &&
    (!isDirtyTriggerReached || hardShare(metrics, UPDATES) > hardShare(metrics, DIRTY))
      ? 'updates'
      : 'dirty';
  return {
    ...dirty,
    by,
    updates,
    isLowered: by === 'dirty' ? isLower(dirty, DIRTY) : isLower(updates, UPDATES),
    isReached:
      isDirtyTriggerReached ||
      isUpdatesTriggerReached ||
      isOnlyDirtyTriggerLeft(metrics, dirty.triggerRatio),
  };
}

/** @param {Metrics} metrics @param {Kind} kind @returns {Trigger} */
function triggerOf(metrics, kind) {
  const configured = metrics[kind.trigger];
  if (configured !== undefined) return { triggerRatio: configured, how: 'known' };
  const how = guess(metrics, kind);
  return { triggerRatio: how === 'assumed' ? DEFAULT_TRIGGER_RATIO * kind.scale : null, how };
}

/** @param {Metrics} metrics @param {Kind} kind @returns {How} */
function guess(metrics, kind) {
  const meanwhile = wasLoweredMeanwhile(metrics, kind);
  // Large updates jump over their trigger, so only the dirty level shows that one was raised.
  if (kind === DIRTY && (metrics['cache.dirtyRatio'] ?? 0) > ABOVE_DEFAULT_RATIO && !meanwhile)
    return 'raised';
  return (meanwhile || isFarBelow(metrics, kind)) &&
    isEvictionForcedBy(metrics, kind) &&
    isEvictionSevere(metrics)
    ? 'suspected-lower'
    : 'assumed';
}

/**
 * Whether application threads evict for this kind of data: the server says so, or eviction has no
 * other reason.
 * @param {Metrics} metrics
 * @param {Kind} kind
 */
const isEvictionForcedBy = (metrics, kind) =>
  isHard(metrics, kind) ||
  (kind === DIRTY && !isHard(metrics, UPDATES) && evictsForNoDefault(metrics));

/**
 * Dirty pages are evicted although the cache is below all default targets of WiredTiger: a lower
 * one was set. A trigger of 2% under quick updates was seen so, with application threads evicting
 * in one sample of 60 only (docs/evidence/dirty-thresholds.md).
 * @param {Metrics} metrics
 */
function evictsForNoDefault(metrics) {
  const {
    'cache.usedRatioMax': fill = 1,
    'cache.dirtyRatioMax': dirty = 1,
    'cache.updatesRatioMax': updates = 1,
  } = metrics;
  const {
    'config.targetRatio': target = DEFAULT_FILL_TARGET_RATIO,
    'eviction.modifiedPagesPerSec': evicted = 0,
    'eviction.forcedPerSec': forced = 0,
  } = metrics;
  return (
    fill < target &&
    dirty < DEFAULT_TARGET_RATIO &&
    updates < DEFAULT_TARGET_RATIO * OF_DIRTY &&
    evicted - forced >= MIN_EVICTED_PER_SEC
  );
}

/** @param {Metrics} metrics @param {Kind} kind */
function isFarBelow(metrics, { level, peak, scale }) {
  return (
    (metrics[level] ?? 1) < FAR_BELOW_RATIO * scale &&
    (metrics[peak] ?? 1) < (DEFAULT_TRIGGER_RATIO - NEAR_RATIO) * scale
  );
}

/**
 * The peak is of before then; the last samples in which clients were made to evict all were far
 * below.
 * @param {Metrics} metrics
 * @param {Kind} kind
 */
const wasLoweredMeanwhile = (metrics, { hardLevel, scale }) =>
  (metrics[hardLevel] ?? 1) < FAR_BELOW_RATIO * scale;

/** @param {Trigger} trigger @param {Kind} kind */
const isLower = ({ how, triggerRatio }, { scale }) =>
  how === 'suspected-lower' ||
  (how === 'known' && /** @type {number} */ (triggerRatio) < DEFAULT_TRIGGER_RATIO * scale);

/** @param {Metrics} metrics @param {Trigger} trigger */
function isAtDirty(metrics, { how, triggerRatio }) {
  const median = metrics['cache.dirtyRatio'];
  return (
    triggerRatio === null ||
    how === 'raised' ||
    isHard(metrics, DIRTY) ||
    (median !== undefined && median >= triggerRatio - NEAR_RATIO)
  );
}

/**
 * Only the trigger shows what the level means.
 * @param {Metrics} metrics
 * @param {Trigger} trigger
 */
function isAtUpdates(metrics, { how, triggerRatio }) {
  const median = metrics['cache.updatesRatio'];
  return (
    isHard(metrics, UPDATES) ||
    (how === 'known' && median !== undefined && median >= /** @type {number} */ (triggerRatio))
  );
}

/**
 * Clients wait for the cache for three reasons only: it is full, too much is dirty, or too much is
 * update data. A small cache under a fast writer goes to its trigger and back between two samples;
 * where the other two are far away, this one it is.
 * @param {Metrics} metrics
 * @param {number | null} triggerRatio
 */
function isOnlyDirtyTriggerLeft(metrics, triggerRatio) {
  const fill = shareOf(
    metrics['cache.usedRatioMax'],
    metrics['config.triggerRatio'] ?? DEFAULT_FILL_TRIGGER_RATIO,
  );
  const updates = shareOf(
    metrics['cache.updatesRatioMax'],
    metrics['config.updatesTriggerRatio'] ?? shareOf(triggerRatio, 1 / OF_DIRTY),
  );
  const dirty = shareOf(metrics['cache.dirtyRatioMax'], triggerRatio);
  if (fill === null || updates === null || dirty === null) return false;
  return (
    (metrics['clients.waitingThreads'] ?? 0) > HEALTHY_THREADS &&
    fill < FAR_SHARE &&
    updates < FAR_SHARE &&
    dirty >= FAR_SHARE
  );
}

/**
 * Judges update data the same way, as under inserts: it reaches half of the dirty trigger first.
 * The cache may be filled to its target, which is no reason for application threads to evict.
 * @param {Metrics} metrics
 * @param {number | null} dirtyRatio @param {number | null} updatesRatio the triggers
 */
function isOnlyUpdatesTriggerLeft(metrics, dirtyRatio, updatesRatio) {
  const { 'cache.usedRatioMax': fill, 'config.targetRatio': target = DEFAULT_FILL_TARGET_RATIO } =
    metrics;
  const updates = shareOf(metrics['cache.updatesRatioMax'], updatesRatio);
  const dirty = shareOf(metrics['cache.dirtyRatioMax'], dirtyRatio);
  if (fill === undefined || updates === null || dirty === null) return false;
  return (
    (metrics['clients.waitingThreads'] ?? 0) > HEALTHY_THREADS &&
    fill < target + NEAR_RATIO &&
    dirty < FAR_SHARE &&
    updates >= FAR_SHARE
  );
}

/**
 * Whether application threads evict for update data and not for dirty data: the updates trigger
 * alone is the limit.
 * @param {Metrics} metrics
 * @returns {boolean}
 */
function areUpdatesAlone(metrics) {
  const { 'cache.dirtyRatioMax': dirty, 'cache.updatesRatioMax': updates } = metrics;
  if (dirty === undefined || updates === undefined) return false;
  const { by, isReached, isLowered, triggerRatio } = dirtyLimit(metrics);
  if (by !== 'updates' || !isReached || isLowered || triggerRatio === null) return false;
  return !isAtDirty(metrics, { how: 'assumed', triggerRatio });
}

/** @param {number | null | undefined} level @param {number | null} limit */
const shareOf = (level, limit) =>
  level === undefined || level === null || !limit ? null : level / limit;

/** @param {Metrics} metrics @param {Kind} kind @returns {number} */
const hardShare = (metrics, kind) => metrics[kind.hard] ?? 0;

/** @param {Metrics} metrics @param {Kind} kind */
const isHard = (metrics, kind) => hardShare(metrics, kind) >= HARD_SHARE;

module.exports = {
  dirtyLimit,
  areUpdatesAlone,
  DEFAULT_FILL_TARGET_RATIO,
  DEFAULT_FILL_TRIGGER_RATIO,
  DEFAULT_TRIGGER_RATIO,
  DEFAULT_TARGET_RATIO,
  NEAR_RATIO,
  OF_DIRTY,
  HARD_SHARE,
};
