'use strict';

const { ABORTS_SINCE } = require('./warnings');
const { SETTINGS, SETTING_NAMES, LARGEST_PERCENT } = require('./setting-table');
const { conflictsOf } = require('./thresholds');
const { parseEngineConfig, printEngineConfig, configStringOf } = require('./engine-config');
const { settingsIn } = require('./effective-config');
const { compareVersions } = require('../base/pure/version');
const { GiB } = require('../base/pure/units');
const { isCategory } = require('./engine-keys');

/**
 * @import { Config } from './effective-config'
 * @import { Entry } from './engine-config'
 * @import { Item } from './scanner'
 * @import { Conflict, Raw } from './thresholds'
 * @import { Change } from '../base/types'
 */

/**
 * Makes the fragment of mongod.conf that lets settings survive a restart. It also holds the
 * engine's start-up options: the fragment can replace the present lines, and nothing is lost.
 *
 * @typedef {{
 *   cacheSizeGB: number | null, cacheSizePct?: number | null, configString: string | null,
 *   thresholds?: Change, syncPeriodSecs: number | null
 * }} Startup
 * @typedef {{
 *   storage: { syncPeriodSecs?: number, wiredTiger?: { engineConfig: { cacheSizeGB?: number,
 *     cacheSizePct?: number, configString?: string } } },
 *   setParameter?: { wiredTigerEvictionDirtyMaxGB: number }
 * }} Conf
 */

/** mongod takes this range of cacheSizeGB at start, measured on 6.0.5. */
const CONF_CACHE_GB = Object.freeze({ min: 0.25, max: 10_000 });
/** Keys that are set for a while only, and must not be part of every start. */
const NOT_TO_KEEP =
  /^(checkpoint|debug_mode|timing_stress_for_test|error_prefix|compatibility|operation_tracking|shared_cache)\b/;

/**
 * @param {{
 *   startup: Startup | null, runTime?: readonly string[], config: Config | null, change?: Change,
 *   version?: string | null
 * }} parts `runTime`: the strings set since the start, for the keys that are no settings of tune;
 *   `version` of the server
 * @returns {{ conf: Conf, notes: string[], conflict: Conflict | null }} `conflict`: why mongod does
 *   not start with the fragment
 */
function makeConf({ startup, runTime = [], config, change = {}, version = null }) {
  const since = runTime.flatMap((text) => leavesOf(text));
  const wanted = { ...atStart(startup), ...setSince(config), ...change };
  const { cacheSizeGB, syncPeriodSecs, inString, notes } = places(wanted);
  const dirty = dirtyLimitFor(wanted, config, version);
  const configString = mergeStrings(startup?.configString ?? '', since, inString);
  const size = sizeOption(startup, wanted, cacheSizeGB);
  return {
    conf: {
      ...assemble({ ...size.option, configString, syncPeriodSecs }),
      ...(dirty !== null && { setParameter: { wiredTigerEvictionDirtyMaxGB: dirty } }),
    },
    notes: [
      ...notes,
      ...size.notes,
      ...(dirty === null ? [] : [BOTH_LIMITS]),
      ...leftOut(since.map(([key]) => key)),
      ...unknown(config, { change, wanted }),
    ],
    conflict: conflictAtStart(startup, wanted, config),
  };
}

/**
 * Finds a conflict that would stop mongod at its start. A setting that the fragment omits starts
 * with its default, or with the value of the file.
 * @param {Startup | null} startup @param {Change} wanted @param {Config | null} config
 * @returns {Conflict | null}
 */
function conflictAtStart(startup, wanted, config) {
  /** @type {Raw} */
  const values = Object.fromEntries(
    SETTING_NAMES.flatMap((setting) => {
      const omitted = startup === null || setting === 'cacheSizeGB' ? config?.[setting].set : null;
      return [[setting, omitted ?? SETTINGS[setting].wtDefault]];
    }),
  );
  return conflictsOf({ ...values, ...startup?.thresholds, ...wanted })[0] ?? null;
}

/**
 * Chooses between cacheSizeGB and cacheSizePct: mongod does not start with both.
 * @param {Startup | null} startup @param {Change} wanted @param {number | null} cacheSizeGB
 * @returns {{ option: { cacheSizeGB: number | null, cacheSizePct?: number | null }, notes: string[] }}
 */
function sizeOption(startup, wanted, cacheSizeGB) {
  const cacheSizePct = startup?.cacheSizePct ?? null;
  if (cacheSizePct === null) return { option: { cacheSizeGB }, notes: [] };
  return wanted.cacheSizeGB === undefined
    ? { option: { cacheSizeGB, cacheSizePct }, notes: [] }
    : {
        option: { cacheSizeGB },
        notes: [
          `Remove cacheSizePct: ${cacheSizePct}, which this replaces; with both mongod does not start.`,
        ],
      };
}

const BOTH_LIMITS =
  'wiredTigerEvictionDirtyMaxGB gives eviction_dirty_trigger to the cache-pressure aborts of mongod, ' +
  'too: without it they go by 20% of the cache. It is a size: change it with the cache.';

/**
 * Finds the dirty limit for the parameter that both WiredTiger and mongod's own limit obey.
 * @param {Change} wanted @param {Config | null} config @param {string | null} version
 * @returns {number | null} GB; null where mongod needs no parameter
 */
function dirtyLimitFor(wanted, config, version) {
  const trigger = wanted.evictionDirtyTrigger;
  const sizeGB = wanted.cacheSizeGB ?? config?.cacheSizeGB.value ?? null;
  if (version === null || compareVersions(version, ABORTS_SINCE) < 0) return null;
  if (trigger === undefined || trigger === SETTINGS.evictionDirtyTrigger.wtDefault) return null;
  if (trigger > LARGEST_PERCENT) return roundGB(trigger / GiB);
  return sizeGB === null ? null : roundGB((sizeGB * trigger) / LARGEST_PERCENT);
}

/** mongod takes no smaller limit. */
const SMALLEST_LIMIT_GB = 0.01;
/** @param {number} gb */
const roundGB = (gb) => Math.max(SMALLEST_LIMIT_GB, Math.round(gb / SMALLEST_LIMIT_GB) / 100);

/**
 * Decides which option of mongod holds each setting.
 * @param {Change} settings
 * @returns {{
 *   cacheSizeGB: number | null, syncPeriodSecs: number | null, inString: Change, notes: string[]
 * }}
 */
function places({ cacheSizeGB, syncdelaySeconds, ...inString }) {
  const there = {
    cacheSizeGB: cacheSizeGB ?? null,
    syncPeriodSecs: syncdelaySeconds ?? null,
    inString,
    notes: [],
  };
  if (
    cacheSizeGB === undefined ||
    (cacheSizeGB >= CONF_CACHE_GB.min && cacheSizeGB <= CONF_CACHE_GB.max)
  )
    return there;
  const note =
    `cacheSizeGB accepts ${CONF_CACHE_GB.min} to ${CONF_CACHE_GB.max}, so ${cacheSizeGB} GB is ` +
    'written as cache_size in configString.';
  return { ...there, cacheSizeGB: null, inString: { ...inString, cacheSizeGB }, notes: [note] };
}

/**
 * @param {{
 *   cacheSizeGB: number | null, cacheSizePct?: number | null, configString: string,
 *   syncPeriodSecs: number | null
 * }} parts
 * @returns {Conf} without the options that are null
 */
function assemble({ cacheSizeGB, cacheSizePct = null, configString, syncPeriodSecs }) {
  const engineConfig = {
    ...(cacheSizeGB !== null && { cacheSizeGB }),
    ...(cacheSizePct !== null && { cacheSizePct }),
    ...(configString && { configString }),
  };
  const wiredTiger = Object.keys(engineConfig).length > 0 && { wiredTiger: { engineConfig } };
  return { storage: { ...(syncPeriodSecs !== null && { syncPeriodSecs }), ...wiredTiger } };
}

/**
 * Merges strings: that of the start, then what was set since (keys that are no settings of tune),
 * then the settings. cache_size is left out, since it has an option of mongod.
 * @param {string} atStart
 * @param {readonly [string, string][]} since
 * @param {Change} settings
 * @returns {string}
 */
function mergeStrings(atStart, since, settings) {
  const kept = since.filter(([key]) => !NOT_TO_KEEP.test(key) && !isSetting(key));
  const keys = new Map([
    ...leavesOf(atStart).filter(([key]) => key !== 'cache_size'),
    ...kept,
    ...leavesOf(configStringOf(settings)),
  ]);
  return printEngineConfig([...keys]);
}

/** @param {Startup | null} startup @returns {Change} */
function atStart(startup) {
  const { cacheSizeGB = null, configString = null, syncPeriodSecs = null } = startup ?? {};
  return {
    ...(cacheSizeGB !== null && { cacheSizeGB }),
    ...settingsIn(configString ?? ''),
    ...(syncPeriodSecs !== null && { syncdelaySeconds: syncPeriodSecs }),
  };
}

/** @param {Config | null} config @returns {Change} the settings that a restart would revert */
function setSince(config) {
  if (config === null) return {};
  return Object.fromEntries(
    SETTING_NAMES.flatMap((setting) =>
      config[setting].sinceRestart && config[setting].set !== null
        ? [[setting, config[setting].set]]
        : [],
    ),
  );
}

/**
 * Splits a configuration string into dotted keys and texts.
 * @param {string} text
 * @returns {[string, string][]}
 */
const leavesOf = (text) => leaves(parseEngineConfig(text).entries, '');

/**
 * @param {readonly Entry[]} entries
 * @param {string} prefix
 * @returns {[string, string][]}
 */
function leaves(entries, prefix) {
  return entries.flatMap(({ key, value, kind, entries: inside }) => {
    const name = prefix + key.text;
    if (inside !== null && isCategory(name)) return leaves(inside, `${name}.`);
    return [/** @type {[string, string]} */ ([name, textOf(kind, value)])];
  });
}

/** @param {string} kind @param {Item | null} value */
function textOf(kind, value) {
  if (value === null) return 'true';
  return kind === 'string' ? `"${value.text}"` : value.text;
}

/** @param {string} key */
const isSetting = (key) => SETTING_NAMES.some((setting) => SETTINGS[setting].key === key);

/** @param {readonly string[]} keys */
function leftOut(keys) {
  const names = [...new Set(keys.filter((key) => NOT_TO_KEEP.test(key)))];
  return names.length === 0
    ? []
    : [`Omitted because they apply at run time only: ${names.join(', ')}.`];
}

/**
 * @param {Config | null} config
 * @param {{ change: Change, wanted: Change }} lines `wanted`: all settings of the fragment, also
 *   those of the start
 */
function unknown(config, { change, wanted }) {
  if (config === null) return [];
  const names = SETTING_NAMES.filter(
    (setting) => config[setting].from === 'unknown' && change[setting] === undefined,
  );
  const [ofStart, omitted] = [true, false].map((isThere) =>
    names.filter((setting) => (wanted[setting] !== undefined) === isThere).join(', '),
  );
  return [
    ...(omitted === '' ? [] : [`Omitted because not known: ${omitted}.`]),
    ...(ofStart === '' ? [] : [`Active value not known, so as at the start: ${ofStart}.`]),
  ];
}

/**
 * The source of each Config, for callers that have only the Config.
 * @typedef {{ startup: Startup | null, runTime: string[], version?: string | null }} Origin
 * @type {WeakMap<object, Origin>}
 */
const ORIGINS = new WeakMap();

/** @param {object | null} config @returns {Origin} */
const startOf = (config) => ORIGINS.get(config ?? {}) ?? { startup: null, runTime: [] };

/** @param {object} config @param {Origin} origin */
const rememberOrigin = (config, origin) => void ORIGINS.set(config, origin);

module.exports = { makeConf, rememberOrigin, startOf };
