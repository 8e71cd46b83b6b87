'use strict';

const { GiB, MiB } = require('../base/pure/units');
const { toNumber } = require('../base/pure/numbers');

/**
 * @import { SettingName, Change } from '../base/types'
 */

/**
 * THE table of the settings that tune may change. `key`: the place in a WiredTiger configuration
 * string; `wtDefault`: the value of mongod where no one sets another (eviction threads: mongod
 * passes 4/4, WiredTiger itself would take 1/8). Ranges: WT_CONNECTION.reconfigure in WiredTiger's
 * dist/api_data.py, the same from 4.4 to 8.2. Settings in percent: up to 100 a percentage of the
 * cache, above 100 a number of bytes.
 *
 * `group`: keys that WiredTiger checks together are sent in one call, in the order of GROUPS.
 *
 * @typedef {{
 *   key: string | null, group: string, unit: 'GB' | 'threads' | 'percent' | 'seconds', min: number,
 *   max: number, wtDefault: number | null
 * }} SettingDefinition
 */

const GB_PER_TB = 1024;
const TEN_TB_BYTES = 10 * 2 ** 40;
/** More than 20 threads are refused before WT-15039, more than 64 after it (change.js). */
const MAX_EVICTION_THREADS = 20;
const MAX_EVICTION_THREADS_NEW = 64;

/** @type {Readonly<Record<SettingName, SettingDefinition>>} */
const SETTINGS = Object.freeze({
  cacheSizeGB: {
    key: 'cache_size',
    group: 'cache',
    unit: 'GB',
    min: 1 / 1024,
    max: 10 * GB_PER_TB,
    wtDefault: null,
  },
  evictionThreadsMin: {
    key: 'eviction.threads_min',
    group: 'threads',
    unit: 'threads',
    min: 1,
    max: MAX_EVICTION_THREADS,
    wtDefault: 4,
  },
  evictionThreadsMax: {
    key: 'eviction.threads_max',
    group: 'threads',
    unit: 'threads',
    min: 1,
    max: MAX_EVICTION_THREADS,
    wtDefault: 4,
  },
  evictionTarget: {
    key: 'eviction_target',
    group: 'fill',
    unit: 'percent',
    min: 10,
    max: TEN_TB_BYTES,
    wtDefault: 80,
  },
  evictionTrigger: {
    key: 'eviction_trigger',
    group: 'fill',
    unit: 'percent',
    min: 10,
    max: TEN_TB_BYTES,
    wtDefault: 95,
  },
  evictionDirtyTarget: {
    key: 'eviction_dirty_target',
    group: 'dirty',
    unit: 'percent',
    min: 1,
    max: TEN_TB_BYTES,
    wtDefault: 5,
  },
  evictionDirtyTrigger: {
    key: 'eviction_dirty_trigger',
    group: 'dirty',
    unit: 'percent',
    min: 1,
    max: TEN_TB_BYTES,
    wtDefault: 20,
  },
  // 0 means half of the dirty one.
  evictionUpdatesTarget: {
    key: 'eviction_updates_target',
    group: 'updates',
    unit: 'percent',
    min: 0,
    max: TEN_TB_BYTES,
    wtDefault: 0,
  },
  evictionUpdatesTrigger: {
    key: 'eviction_updates_trigger',
    group: 'updates',
    unit: 'percent',
    min: 0,
    max: TEN_TB_BYTES,
    wtDefault: 0,
  },
  evictionCheckpointTarget: {
    key: 'eviction_checkpoint_target',
    group: 'checkpoint',
    unit: 'percent',
    min: 0,
    max: TEN_TB_BYTES,
    wtDefault: 1,
  },
  // This setting is mongod's, not WiredTiger's. No call makes it active on every version (see the
  // rule "checkpoint-interval").
  syncdelaySeconds: {
    key: null,
    group: 'syncdelay',
    unit: 'seconds',
    min: 1,
    max: 9_000_000,
    wtDefault: 60,
  },
});

const SETTING_NAMES = Object.freeze(/** @type {SettingName[]} */ (Object.keys(SETTINGS)));
const GROUPS = Object.freeze([
  'cache',
  'fill',
  'dirty',
  'updates',
  'checkpoint',
  'threads',
  'syncdelay',
]);

/** WiredTiger takes a larger number for bytes. */
const LARGEST_PERCENT = 100;

/**
 * @param {number} value
 * @param {number} maxBytes of the cache
 * @returns {number} share of the cache, 0 to 1
 */
const toRatio = (value, maxBytes) => (value <= LARGEST_PERCENT ? value / 100 : value / maxBytes);

/**
 * Parameters of mongod that set thresholds of the engine at its start: sizes in GB, which come
 * before configString in the string that WiredTiger is opened with
 * (src/mongo/db/storage/wiredtiger: wiredtiger_options.idl).
 */
const THRESHOLD_PARAMETERS = Object.freeze(
  /** @type {const} */ ({
    evictionDirtyTarget: 'wiredTigerEvictionDirtyTargetGB',
    evictionDirtyTrigger: 'wiredTigerEvictionDirtyMaxGB',
    evictionUpdatesTarget: 'wiredTigerEvictionUpdatesTargetGB',
    evictionUpdatesTrigger: 'wiredTigerEvictionUpdatesMaxGB',
  }),
);
const SESSION_MAX = 'wiredTigerSessionMax';

/** Reads a number; an option of the command line is a text. @param {unknown} value */
const numberOf = (value) =>
  typeof value === 'string' && value.trim() !== ''
    ? toNumber(Number(value))
    : toNumber(/** @type {any} */ (value));

/**
 * @param {any} parameters the section setParameter of the start-up options
 * @returns {Change} in bytes, as WiredTiger takes them
 */
const thresholdsIn = (parameters) =>
  Object.fromEntries(
    Object.entries(THRESHOLD_PARAMETERS).flatMap(([setting, name]) => {
      const gb = numberOf(parameters?.[name]);
      return gb === undefined || gb <= 0 ? [] : [[setting, Math.floor((gb * GiB) / MiB) * MiB]];
    }),
  );

/** @param {any} parameters @returns {number | null} null: not set */
const sessionMaxIn = (parameters) => numberOf(parameters?.[SESSION_MAX]) ?? null;

module.exports = {
  SETTINGS,
  SETTING_NAMES,
  GROUPS,
  MAX_EVICTION_THREADS,
  MAX_EVICTION_THREADS_NEW,
  LARGEST_PERCENT,
  toRatio,
  thresholdsIn,
  sessionMaxIn,
  numberOf,
};
