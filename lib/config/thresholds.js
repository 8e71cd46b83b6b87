'use strict';

const { GiB, figure } = require('../base/pure/units');
const { LARGEST_PERCENT, toRatio } = require('./setting-table');

/**
 * @import { SettingName } from '../base/types'
 */

/**
 * What WiredTiger makes of the thresholds it is given (src/conn/conn_cache.c in 4.4 to 8.0,
 * src/evict/evict_conn.c from 8.1): it turns bytes into percent and silently mends what
 * contradicts.
 * @typedef {'evictionTarget' | 'evictionTrigger' | 'evictionDirtyTarget' | 'evictionDirtyTrigger' |
 *   'evictionUpdatesTarget' | 'evictionUpdatesTrigger' | 'evictionCheckpointTarget'} Threshold
 * @typedef {Partial<Record<SettingName, number | null>>} Raw as configured; percent, or bytes above 100
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
 * @returns {{ percent: Record<Threshold, number | null>, mended: Mended[] }} percent of the cache
 *   in effect; `null` where an
 *   input is not known
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
  const halve = (/** @type {Threshold} */ setting, /** @type {Threshold} */ of) => {
    if (percent[setting] === 0) mend(setting, half(percent[of]), `0 means half of ${of}`);
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

module.exports = { THRESHOLDS, PAIRS, effective };
