'use strict';

const { GiB, figure, bytes } = require('../base/pure/units');
const { LARGEST_PERCENT, toRatio, SETTINGS, SETTING_NAMES } = require('./setting-table');
const { settingsOf } = require('./change');

/**
 * @import { SettingName, Change } from '../base/types'
 */

/**
 * Computes what WiredTiger makes of the settings it is given, and which of them contradict each
 * other.
 */

/**
 * Computes what WiredTiger makes of the thresholds it is given (src/conn/conn_cache.c in 4.4 to
 * 8.0, src/evict/evict_conn.c from 8.1): it turns bytes into percent and silently corrects
 * contradictions.
 * @typedef {'evictionTarget' | 'evictionTrigger' | 'evictionDirtyTarget' | 'evictionDirtyTrigger' |
 *   'evictionUpdatesTarget' | 'evictionUpdatesTrigger' | 'evictionCheckpointTarget'} Threshold
 * @typedef {Partial<Record<SettingName, number | null>>} Raw configured values; percent, or bytes
 *   above 100
 */

const THRESHOLDS = Object.freeze(
  /** @type {Threshold[]} */ ([
    'evictionTarget',
    'evictionTrigger',
    'evictionDirtyTarget',
    'evictionDirtyTrigger',
    'evictionUpdatesTarget',
    'evictionUpdatesTrigger',
    'evictionCheckpointTarget',
  ]),
);

/**
 * Each target with its trigger: a mongod that starts with a target at or above its trigger exits.
 */
const PAIRS = Object.freeze(
  /** @type {[Threshold, Threshold][]} */ ([
    ['evictionTarget', 'evictionTrigger'],
    ['evictionDirtyTarget', 'evictionDirtyTrigger'],
    ['evictionUpdatesTarget', 'evictionUpdatesTrigger'],
  ]),
);

/** @typedef {{ setting: Threshold, say: string }} Mended */

/**
 * @param {Raw} raw
 * @returns {{ percent: Record<Threshold, number | null>, mended: Mended[] }} the effective
 *   percentages of the cache; `null` where an input is not known
 */
function effective(raw) {
  const maxBytes = typeof raw.cacheSizeGB === 'number' ? raw.cacheSizeGB * GiB : null;
  const percent = /** @type {Record<Threshold, number | null>} */ (
    Object.fromEntries(THRESHOLDS.map((setting) => [setting, toPercent(raw[setting], maxBytes)]))
  );
  /** @type {Mended[]} */
  const mended = [];
  const mend = (
    /** @type {Threshold} */ setting,
    /** @type {number | null} */ to,
    /** @type {string} */ why,
  ) => {
    if (to !== null)
      mended.push({
        setting,
        say:
          `${setting} ${figure(Number(percent[setting]))} has the effect of ${figure(to)}: ` +
          `${why}`,
      });
    percent[setting] = to;
  };
  const cap = (/** @type {Threshold} */ setting, /** @type {Threshold} */ limit) => {
    if (exceeds(percent[setting], percent[limit]))
      mend(setting, percent[limit], `it cannot be above ${limit}`);
  };
  const halve = (/** @type {Threshold} */ setting, /** @type {Threshold} */ source) => {
    if (percent[setting] === 0) mend(setting, half(percent[source]), `0 means half of ${source}`);
  };
  cap('evictionDirtyTarget', 'evictionTarget');
  if (
    percent.evictionCheckpointTarget !== 0 &&
    exceeds(percent.evictionDirtyTarget, percent.evictionCheckpointTarget)
  ) {
    mend(
      'evictionCheckpointTarget',
      percent.evictionDirtyTarget,
      'it cannot be below evictionDirtyTarget',
    );
  }
  cap('evictionDirtyTrigger', 'evictionTrigger');
  halve('evictionUpdatesTarget', 'evictionDirtyTarget');
  halve('evictionUpdatesTrigger', 'evictionDirtyTrigger');
  cap('evictionUpdatesTrigger', 'evictionTrigger');
  return { percent, mended };
}

/** @param {number | null | undefined} value @param {number | null} maxBytes */
function toPercent(value, maxBytes) {
  if (value === null || value === undefined) return null;
  if (value <= LARGEST_PERCENT) return value;
  return maxBytes === null ? null : toRatio(value, maxBytes) * 100;
}

/** @param {number | null} a @param {number | null} b */
const exceeds = (a, b) => a !== null && b !== null && a > b;

/** @param {number | null} value */
const half = (value) => (value === null ? null : value / 2);

/**
 * Finds settings that contradict each other, also those set earlier.
 * @typedef {{ settings: SettingName[], kind: 'order' | 'size', say: string }} Conflict `order`:
 *   WiredTiger refuses it, at the latest at the next start; `size`: a number of bytes that does not
 *   fit into the cache, which WiredTiger refuses half-way
 */

/**
 * @param {Raw} raw all configured values; an unknown value contradicts nothing
 * @returns {Conflict[]}
 */
function conflictsOf(raw) {
  return [...tooManyBytes(raw), ...threadOrder(raw), ...thresholdOrder(raw)];
}

/** @param {Raw} raw @returns {Conflict[]} */
function threadOrder({ evictionThreadsMin: min, evictionThreadsMax: max }) {
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return [];
  return [
    {
      settings: ['evictionThreadsMin', 'evictionThreadsMax'],
      kind: 'order',
      say: `evictionThreadsMin ${min} is above evictionThreadsMax ${max}`,
    },
  ];
}

/** @param {Raw} raw @returns {Conflict[]} */
function thresholdOrder(raw) {
  const { percent } = effective(raw);
  return PAIRS.flatMap(([target, trigger]) => {
    const [low, high] = [percent[target], percent[trigger]];
    if (low === null || high === null || low < high) return [];
    return [
      {
        settings: [target, trigger],
        kind: /** @type {const} */ ('order'),
        say: `${target} ${show(low)} is not below ${trigger} ${show(high)}`,
      },
    ];
  });
}

/** @param {Raw} raw @returns {Conflict[]} */
function tooManyBytes(raw) {
  const { cacheSizeGB } = raw;
  if (typeof cacheSizeGB !== 'number') return [];
  return SETTING_NAMES.flatMap((setting) => {
    const value = raw[setting];
    if (
      SETTINGS[setting].unit !== 'percent' ||
      typeof value !== 'number' ||
      value <= LARGEST_PERCENT ||
      value <= cacheSizeGB * GiB
    )
      return [];
    return [
      {
        settings: [setting, 'cacheSizeGB'],
        kind: /** @type {const} */ ('size'),
        say: `${setting} is ${bytes(value)}, more than a cache of ${bytes(cacheSizeGB * GiB)}`,
      },
    ];
  });
}

/** @param {number} percent */
const show = (percent) => `${Number(percent.toFixed(2))}%`;

/**
 * @param {Raw} before @param {Change} change
 * @returns {Conflict[]} those that the change makes or touches
 */
function newConflicts(before, change) {
  const known = new Set(conflictsOf(before).map(({ settings }) => settings.join()));
  return conflictsOf({ ...before, ...change }).filter(
    ({ settings }) =>
      !known.has(settings.join()) || settings.some((setting) => change[setting] !== undefined),
  );
}

/** Pairs of settings: the first must stay below the second, or be equal to it. */
const ORDERED = Object.freeze(
  /** @type {[SettingName, SettingName][]} */ ([
    ...PAIRS,
    ['evictionThreadsMin', 'evictionThreadsMax'],
  ]),
);

/**
 * Finds what an undo of a change cannot restore: a setting whose value before is not known; and of
 * two settings in an order also the other one, where its value before contradicts the new one that
 * stays.
 * @param {Change} before the known values
 * @param {Change} change
 * @returns {{ unknown: SettingName[], blocked: SettingName[] }}
 */
function notRestorable(before, change) {
  const unknown = settingsOf(change).filter((setting) => typeof before[setting] !== 'number');
  const blocked = ORDERED.flatMap(([low, high]) => {
    const [stays, back] = unknown.includes(low) ? [low, high] : [high, low];
    if (!unknown.includes(stays) || unknown.includes(back) || change[back] === undefined) return [];
    const values = { ...change, [back]: before[back] };
    return isInOrder(Number(values[low]), Number(values[high]), low) ? [] : [back];
  });
  return { unknown, blocked };
}

/**
 * Compares two settings; bytes and percent cannot be compared without the size of the cache.
 * @param {number} low @param {number} high @param {SettingName} setting
 */
function isInOrder(low, high, setting) {
  if (setting === 'evictionThreadsMin') return low <= high;
  return low > LARGEST_PERCENT === high > LARGEST_PERCENT && low < high;
}

module.exports = { THRESHOLDS, PAIRS, effective, conflictsOf, newConflicts, notRestorable };
