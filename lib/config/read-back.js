'use strict';

const { setSince, quotedIn } = require('./config-layers');
const { GiB, figure } = require('../base/pure/units');

/**
 * @import { Config, Drift } from './effective-config'
 * @import { EngineGauges } from './types'
 * @import { RunTime, Startup } from './config-layers'
 * @import { SettingName } from '../base/types'
 */

/** Compares the record with what the server reports; the server is right. */

/**
 * The server reports thresholds as percent with two decimals, so that a number of bytes comes out
 * rounded.
 */
const ROUNDING_PERCENT = 0.011;

const THREADS = /** @type {const} */ (['evictionThreadsMin', 'evictionThreadsMax']);

const LIVE = Object.freeze(
  /** @type {[SettingName, keyof EngineGauges][]} */ ([
    ['evictionTarget', 'eviction.targetPercent'],
    ['evictionTrigger', 'eviction.triggerPercent'],
    ['evictionDirtyTarget', 'eviction.dirtyTargetPercent'],
    ['evictionDirtyTrigger', 'eviction.dirtyTriggerPercent'],
    ['evictionUpdatesTarget', 'eviction.updatesTargetPercent'],
    ['evictionUpdatesTrigger', 'eviction.updatesTriggerPercent'],
  ]),
);

/** @param {Config} config @param {EngineGauges} live @returns {Drift[]} */
function readBackCache(config, live) {
  const maxBytes = live['cache.maxBytes'];
  return maxBytes === undefined ? [] : readBack(config, 'cacheSizeGB', maxBytes / GiB);
}

/**
 * Compares the number of threads, which moves between its limits.
 * @param {Config} config
 * @param {EngineGauges} live
 * @returns {Drift[]}
 */
function readBackThreads(config, live) {
  const active = live['eviction.threadsActive'];
  const {
    evictionThreadsMin: { value: min },
    evictionThreadsMax: { value: max },
  } = config;
  if (active === undefined || min === null || max === null) return [];
  const fixed = min === max;
  return [
    ...(active > max || fixed ? readBack(config, 'evictionThreadsMax', active) : []),
    ...(active < min || fixed ? readBack(config, 'evictionThreadsMin', active) : []),
  ];
}

/** @param {Config} config @param {EngineGauges} live @returns {Drift[]} */
const readBackThresholds = (config, live) =>
  LIVE.flatMap(([setting, metric]) => {
    const value = live[metric];
    if (value === undefined || isAsShown(config[setting].value, value)) return [];
    const derived = derivedOf(config, setting, value);
    if (derived !== null) {
      Object.assign(config[setting], { value, ...derived });
      return [];
    }
    return readBackPercent(config, setting, value);
  });

/**
 * Compares an effective value with a configured one: the server shows bytes as percent, and 0 as
 * half of the dirty threshold.
 * @param {Config} config @param {SettingName} setting @param {number} value
 * @returns {Drift[]}
 */
function readBackPercent(config, setting, value) {
  const entry = config[setting];
  if (entry.value === null) {
    entry.value = value;
    return [];
  }
  const drift = readBack(config, setting, value);
  if (!Number.isInteger(value)) entry.set = null;
  return drift;
}

/** @param {number | null} percent @param {number} shown */
const isAsShown = (percent, shown) => Math.abs(shown - (percent ?? Infinity)) <= ROUNDING_PERCENT;

/**
 * An updates threshold that is not set follows the dirty one, also one that another session set: it
 * is half of it, or equal to it with precise checkpoints (disaggregated storage, 9.0;
 * src/evict/evict_conn.c). That is no external change.
 */
const DERIVED_FROM = Object.freeze(
  /** @type {Partial<Record<SettingName, SettingName>>} */ ({
    evictionUpdatesTarget: 'evictionDirtyTarget',
    evictionUpdatesTrigger: 'evictionDirtyTrigger',
  }),
);

/**
 * @param {Config} config @param {SettingName} setting @param {number} shown
 * @returns {{ default?: number } | null} what is known of the setting then; null: it does not
 *   follow
 */
function derivedOf(config, setting, shown) {
  const source = DERIVED_FROM[setting];
  if (source === undefined || config[setting].set !== 0) return null;
  if (isAsShown(config[source].value, shown)) return { default: shown };
  return isHalf(config, source, shown) ? {} : null;
}

/** @param {Config} config @param {SettingName} source @param {number} shown */
function isHalf(config, source, shown) {
  const { value } = config[source];
  return value !== null && isAsShown(value / 2, shown);
}

/**
 * @param {Config} config @param {SettingName} setting
 * @returns {number | null} the configured value; where no record has it, the value that the server
 *   shows: half of a dirty threshold counts as not set, and continues to follow it
 */
function configuredOf(config, setting) {
  const { set, value } = config[setting];
  const source = DERIVED_FROM[setting];
  if (set !== null || value === null) return set;
  return source !== undefined && isHalf(config, source, value) ? 0 : value;
}

/**
 * Applies thresholds or threads under a key in quotes, which are in effect until the next string. The
 * server itself shows the effective cache size.
 * @param {Config} config @param {{ startup: Startup | null, runTime: readonly RunTime[] }} known
 * @param {readonly SettingName[]} which
 * @returns {Drift[]}
 */
function readQuoted(config, { startup, runTime }, which) {
  const last = runTime.at(-1);
  if (last?.kind === 'gap') return [];
  const quoted = quotedIn(last?.config ?? startup?.configString ?? '');
  return which.flatMap((setting) => {
    const value = quoted[setting];
    return value === undefined ? [] : readBackQuoted(config, setting, value);
  });
}

/** @param {Config} config @param {SettingName} setting @param {number} value @returns {Drift[]} */
function readBackQuoted(config, setting, value) {
  const isRecorded = config[setting].set !== null;
  const drift = readBack(config, setting, value);
  // The next string sets what is recorded, and that is not known.
  if (!isRecorded) config[setting].set = null;
  return drift;
}

/** @param {Config} config @param {SettingName} setting @param {number} value @returns {Drift[]} */
function readBack(config, setting, value) {
  const recorded = config[setting].value;
  if (recorded === value) return [];
  setSince(config[setting], value);
  return recorded === null
    ? []
    : [
        {
          setting,
          recorded,
          value,
          say:
            `${setting} is ${figure(value)}, but ${figure(recorded)} was recorded: an external ` +
            'change.',
        },
      ];
}

module.exports = {
  THREADS,
  configuredOf,
  readBackCache,
  readBackThreads,
  readBackThresholds,
  readQuoted,
};
