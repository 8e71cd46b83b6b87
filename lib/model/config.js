'use strict';

const { KNOBS, KNOB_NAMES } = require('./knobs');
const { GiB } = require('./units');
const { parseEngineConfig, lookUp } = require('./engine-config');
const { THRESHOLDS, inForce } = require('./thresholds');

/**
 * The effective configuration, put together from this order of layers: defaults, start-up options, each string set at run time.
 * What the server tells of itself (cache size, threads; thresholds from 9.0 on) wins over the record.
 *
 * @typedef {import('./knobs').Knob} Knob
 * @typedef {import('./facts').Setting & { set: number | null }} Setting `set`: as configured, before WiredTiger mends it
 * @typedef {Record<Knob, Setting>} Config
 * @typedef {{ knob: Knob, recorded: number | null, value: number, say: string }} Drift the server shows another value than the record
 * @typedef {{ kind: 'set', config: string } | { kind: 'gap' }} RunTime `gap`: something may have been set here that nobody knows of
 * @typedef {import('./metrics').Metrics} Metrics
 *
 * @typedef {{
 *   startup: { opened: string | null, cacheSizeGB: number | null, configString: string | null, syncPeriodSecs: number | null } | null,
 *   runTime: readonly RunTime[],
 *   memoryBytes: number | null,
 *   live: Metrics,
 * }} Record_ `startup` null: unknown; `opened`: the whole string that WiredTiger was opened with, if the log still has it
 */

/** mongod's default cache: half of the memory beyond 1 GiB, at least 256 MiB (manual, storage.wiredTiger.engineConfig). */
const MEMORY_LEFT_BYTES = GiB;
const CACHE_SHARE = 0.5;
const SMALLEST_DEFAULT_GB = 0.25;
/** Thresholds told live are percent with two decimals; a byte value comes out rounded. */
const ROUNDING_PERCENT = 0.011;

const LIVE = Object.freeze(/** @type {Partial<Record<Knob, keyof Metrics>>} */ ({
  evictionTarget: 'eviction.targetPercent', evictionTrigger: 'eviction.triggerPercent',
  evictionDirtyTarget: 'eviction.dirtyTargetPercent', evictionDirtyTrigger: 'eviction.dirtyTriggerPercent',
  evictionUpdatesTarget: 'eviction.updatesTargetPercent', evictionUpdatesTrigger: 'eviction.updatesTriggerPercent',
}));

/**
 * @param {Record_} record
 * @returns {{ config: Config, drift: Drift[], mended: string[] }}
 */
function makeConfig(record) {
  const defaults = { ...wiredTigerDefaults(), cacheSizeGB: defaultCacheGB(record.memoryBytes) };
  const layered = addLayers(record, defaults);
  /** @type {Drift[]} */
  const drift = [];
  readBackCache(layered, record, drift);
  readBackThreads(layered, record, drift);
  const { percent, mended } = inForce(Object.fromEntries(KNOB_NAMES.map((knob) => [knob, layered[knob].set])));
  const byDefault = inForce(defaults).percent;
  for (const knob of THRESHOLDS) Object.assign(layered[knob], { value: percent[knob], default: byDefault[knob] });
  readBackThresholds(layered, record, drift);
  return { config: layered, drift, mended: mended.filter(({ knob }) => layered[knob].from !== 'default').map(({ say }) => say) };
}

/** @returns {Record<Knob, number | null>} */
const wiredTigerDefaults = () => /** @type {any} */ (Object.fromEntries(KNOB_NAMES.map((knob) => [knob, KNOBS[knob].wtDefault])));

/** @param {number | null} memoryBytes */
function defaultCacheGB(memoryBytes) {
  return memoryBytes === null ? null : Math.max(SMALLEST_DEFAULT_GB, wholeMB(((memoryBytes - MEMORY_LEFT_BYTES) * CACHE_SHARE) / GiB));
}

/** @param {number} gb */
const wholeMB = (gb) => Math.floor(gb * 1024) / 1024;

/** @param {Record_} record @param {Record<Knob, number | null>} defaults @returns {Config} */
function addLayers({ startup, runTime }, defaults) {
  const atStart = startup && startUpValues(startup, defaults);
  const config = /** @type {Config} */ (Object.fromEntries(KNOB_NAMES.map((knob) => [knob, start(knob, atStart, defaults)])));
  for (const event of runTime) {
    if (event.kind === 'gap') forget(config);
    else for (const [knob, value] of Object.entries(knobsIn(event.config))) setAtRunTime(config[/** @type {Knob} */ (knob)], value);
  }
  return config;
}

/** @param {Knob} knob @param {Partial<Record<Knob, number>> | null} atStart @param {Record<Knob, number | null>} defaults @returns {Setting} */
function start(knob, atStart, defaults) {
  const byDefault = defaults[knob];
  if (atStart === null) return { value: null, from: 'unknown', default: byDefault, sinceRestart: false, set: null };
  const given = atStart[knob];
  const value = given ?? byDefault;
  return { value, from: given === undefined ? 'default' : 'startup', default: byDefault, sinceRestart: false, set: value };
}

/**
 * What was asked for at start. The log's string is exact, but holds mongod's own defaults too, which nobody asked for.
 * @param {NonNullable<Record_['startup']>} startup @param {Record<Knob, number | null>} defaults
 * @returns {Partial<Record<Knob, number>>}
 */
function startUpValues({ opened, cacheSizeGB, configString, syncPeriodSecs }, defaults) {
  const asked = {
    ...(cacheSizeGB === null ? {} : { cacheSizeGB: wholeMB(cacheSizeGB) }), ...knobsIn(configString ?? ''),
    ...(syncPeriodSecs === null ? {} : { syncdelaySeconds: syncPeriodSecs }),
  };
  const exact = Object.entries(knobsIn(opened ?? '')).filter(([knob, value]) => knob in asked || value !== defaults[/** @type {Knob} */ (knob)]);
  return { ...asked, ...Object.fromEntries(exact.filter(([knob]) => knob in asked || knob !== 'cacheSizeGB')) };
}

/** After a gap nobody knows what mongod's engine has, but syncdelay is not the engine's. @param {Config} config */
function forget(config) {
  for (const knob of KNOB_NAMES) {
    if (KNOBS[knob].key !== null) Object.assign(config[knob], { value: null, from: 'unknown', sinceRestart: false, set: null });
  }
}

/** @param {Setting} setting @param {number} value */
const setAtRunTime = (setting, value) => Object.assign(setting, { value, set: value, from: 'runtime', sinceRestart: true });

/**
 * @param {string} text a configuration string
 * @returns {Partial<Record<Knob, number>>} the knobs it sets, in their units
 */
function knobsIn(text) {
  const { entries } = parseEngineConfig(text);
  return Object.fromEntries(KNOB_NAMES.flatMap((knob) => {
    const { key, unit } = KNOBS[knob];
    const number = key === null ? null : lookUp(entries, key)?.number ?? null;
    return number === null ? [] : [[knob, unit === 'GB' ? number / GiB : number]];
  }));
}

/** @param {Config} config @param {Record_} record @param {Drift[]} drift */
function readBackCache(config, { live, startup }, drift) {
  const maxBytes = live['cache.maxBytes'];
  if (maxBytes === undefined) return;
  const { cacheSizeGB: setting } = config;
  const value = maxBytes / GiB;
  if (setting.value === value) return;
  // The default is worked out from a figure of memory that mongod may have seen differently: what is read back is it.
  if (setting.from === 'default' && startup !== null) return void Object.assign(setting, { value, set: value, default: value });
  readBack(config, { knob: 'cacheSizeGB', value, drift });
}

/** @param {Config} config @param {Record_} record @param {Drift[]} drift */
function readBackThreads(config, { live }, drift) {
  const active = live['eviction.threadsActive'];
  const { evictionThreadsMin: min, evictionThreadsMax: max } = config;
  if (active === undefined || min.value === null || max.value === null) return;
  const fixed = min.value === max.value;
  if (active > max.value || (fixed && active !== max.value)) readBack(config, { knob: 'evictionThreadsMax', value: active, drift });
  if (active < min.value || (fixed && active !== min.value)) readBack(config, { knob: 'evictionThreadsMin', value: active, drift });
}

/** @param {Config} config @param {Record_} record @param {Drift[]} drift */
function readBackThresholds(config, { live }, drift) {
  for (const [name, metric] of Object.entries(LIVE)) {
    const knob = /** @type {Knob} */ (name);
    const value = live[/** @type {keyof Metrics} */ (metric)];
    if (value !== undefined && Math.abs(value - (config[knob].value ?? Infinity)) > ROUNDING_PERCENT) readBack(config, { knob, value, drift });
  }
}

/** @param {Config} config @param {{ knob: Knob, value: number, drift: Drift[] }} seen */
function readBack(config, { knob, value, drift }) {
  const setting = config[knob];
  if (setting.value !== null) {
    drift.push({ knob, recorded: setting.value, value, say: `${knob} is ${value}, but the record says ${setting.value}: something else changed it.` });
  }
  setAtRunTime(setting, value);
}

module.exports = { makeConfig, knobsIn };
