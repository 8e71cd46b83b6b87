'use strict';

const { effective } = require('../../config/thresholds');
const { defaultsFor } = require('../../config/config-layers');
const { GiB, bytes } = require('../../base/pure/units');

/**
 * @import { Change } from '../../base/types'
 * @import { Raw, Threshold } from '../../config/thresholds'
 * @import { Counters } from '../../server/pure/counters'
 */

/**
 * Compares how full the cache is with its triggers.
 * @typedef {'used' | 'dirty' | 'updates'} Kind
 * @typedef {{ usedBytes: number | null, dirtyBytes: number | null, updatesBytes: number | null }}
 *   Levels
 * @typedef {{ kind: Kind, trigger: Threshold, belowBytes: number }} Limit to be under before the
 *   trigger is lowered
 * @typedef {{
 *   kind: Kind, trigger: Threshold, fromBytes: number, toBytes: number, isClean: boolean
 * }} Lowered `isClean`: the data that has to leave the cache need not be written, or is counted as
 *   dirty separately
 */

const TRIGGERS = Object.freeze(
  /** @type {{ kind: Kind, trigger: Threshold }[]} */ ([
    { kind: 'used', trigger: 'evictionTrigger' },
    { kind: 'dirty', trigger: 'evictionDirtyTrigger' },
    { kind: 'updates', trigger: 'evictionUpdatesTrigger' },
  ]),
);
/** Percent of the cache, for an engine of which nothing was set. */
const DEFAULT_PERCENT = /** @type {Record<Threshold, number>} */ (
  effective(defaultsFor(null)).percent
);
/** Share of a trigger: a level that only just fits is above its trigger again a moment later. */
const UNDER_RATIO = 0.95;

/**
 * @param {Raw} known the settings before
 * @param {Change} change
 * @returns {Lowered[]} each trigger that the change lowers: directly, as half of the dirty one, or
 *   by a smaller cache
 */
function loweredBy(known, change) {
  // A trigger that is not known, and not set by the change, counts as 0, its default: half of the
  // dirty trigger.
  const unset = change.evictionUpdatesTrigger === undefined ? 0 : null;
  const before = { ...known, evictionUpdatesTrigger: known.evictionUpdatesTrigger ?? unset };
  const after = { ...before, ...change };
  const [old, now] = [triggerBytes(before), triggerBytes(after)];
  return TRIGGERS.flatMap(({ kind, trigger }) => {
    // An unknown trigger may be as high as the cache is large: only the level counts then.
    const was = old[trigger] ?? cacheBytes(before);
    const is = now[trigger] ?? defaultBytes(trigger, { before, after });
    if (was === null || is === null || is >= was) return [];
    return [
      {
        kind,
        trigger,
        fromBytes: was,
        toBytes: is,
        isClean: kind === 'used' && change.cacheSizeGB !== undefined,
      },
    ];
  });
}

/** @param {Raw} raw @returns {number | null} */
const cacheBytes = ({ cacheSizeGB }) =>
  typeof cacheSizeGB === 'number' ? cacheSizeGB * GiB : null;

/**
 * Returns the bytes of a trigger that is not known, in a cache that becomes smaller: those of the
 * default.
 * @param {Threshold} trigger @param {{ before: Raw, after: Raw }} sizes
 * @returns {number | null} null: the cache stays as large as it is
 */
function defaultBytes(trigger, { before, after }) {
  const [was, is] = [cacheBytes(before), cacheBytes(after)];
  return was === null || is === null || is >= was ? null : (DEFAULT_PERCENT[trigger] / 100) * is;
}

/** @param {Raw} before @param {Change} change @returns {Limit[]} */
const limitsAfter = (before, change) =>
  loweredBy(before, change).map(({ kind, trigger, toBytes }) => ({
    kind,
    trigger,
    belowBytes: Math.floor(toBytes * UNDER_RATIO),
  }));

/**
 * @param {Raw} raw @param {Counters} counters
 * @returns {Raw} the values, with the present size of the cache where another session has set a
 *   smaller one since
 */
function withSmallerCache(raw, counters) {
  const nowBytes = counters['cache.maxBytes'] ?? Infinity;
  return nowBytes < (cacheBytes(raw) ?? 0) ? { ...raw, cacheSizeGB: nowBytes / GiB } : raw;
}

/** @param {Raw} raw @returns {Record<Threshold, number | null>} */
function triggerBytes(raw) {
  const { percent } = effective(raw);
  const size = cacheBytes(raw);
  return /** @type {Record<Threshold, number | null>} */ (
    Object.fromEntries(
      TRIGGERS.map(({ trigger }) => {
        const value = percent[trigger];
        return [trigger, size === null || value === null ? null : (value / 100) * size];
      }),
    )
  );
}

/**
 * @param {readonly Limit[]} limits
 * @param {Levels} levels
 * @returns {Limit[]} the limits that the cache exceeds; an unknown level exceeds none
 */
const aboveLimits = (limits, levels) =>
  limits.filter(({ kind, belowBytes }) => (levels[`${kind}Bytes`] ?? -Infinity) >= belowBytes);

/**
 * @param {Counters} counters
 * @returns {Levels} the levels; WiredTiger's dirty trigger compares leaf pages, where the server
 *   reports them
 */
const levelsOf = (counters) => ({
  usedBytes: counters['cache.usedBytes'] ?? null,
  dirtyBytes: counters['cache.dirtyLeafBytes'] ?? counters['cache.dirtyBytes'] ?? null,
  updatesBytes: counters['cache.updatesBytes'] ?? null,
});

const LEVEL_WORDS = Object.freeze(
  /** @type {Record<Kind, string>} */ ({
    used: 'in the cache',
    dirty: 'dirty',
    updates: 'in updates',
  }),
);

/**
 * @param {readonly Limit[]} limits
 * @param {Levels} levels
 * @returns {string} `52 MiB dirty, to be under 48 MiB`
 */
const showLimits = (limits, levels) =>
  limits
    .map(
      ({ kind, belowBytes }) =>
        `${bytes(levels[`${kind}Bytes`])} ${LEVEL_WORDS[kind]}, to be under ${bytes(belowBytes)}`,
    )
    .join('; ');

/** @param {number | null} a @param {number | null} b */
const isBelow = (a, b) => a !== null && b !== null && a < b;

module.exports = {
  loweredBy,
  limitsAfter,
  aboveLimits,
  levelsOf,
  withSmallerCache,
  showLimits,
  isBelow,
  LEVEL_WORDS,
};
