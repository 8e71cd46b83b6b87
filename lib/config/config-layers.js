'use strict';

const { SETTINGS, SETTING_NAMES } = require('./setting-table');
const { GiB, wholeMB } = require('../base/pure/units');
const { pick, settingsOf } = require('./change');
const { parseEngineConfig, lookUp } = require('./engine-config');

/**
 * @import { Config, Setting } from './effective-config'
 * @import { Entry } from './engine-config'
 * @import { SettingName, Change } from '../base/types'
 */

/**
 * Records what was requested, layer over layer: the defaults of this version, the start-up options,
 * each string set since.
 * @typedef {Record<SettingName, number | null>} Values
 * @typedef {{
 *   opened: string | null, cacheSizeGB: number | null, cacheSizePct?: number | null,
 *   configString: string | null, thresholds?: Change, syncPeriodSecs: number | null
 * }} Startup
 *   `opened`: the whole string that WiredTiger was opened with, if the log still has it;
 *   `thresholds`: those that parameters of mongod set; they come before configString
 * @typedef {{ kind: 'set', config: string, id?: string | null } | { kind: 'gap' }} RunTime `gap`:
 *   an unknown string may have been set here; `id`: the journal entry that sent it, null: another
 *   user sent it, absent: not known
 */

/**
 * mongod's default cache: half of the memory beyond 1 GiB, at least 256 MiB (manual,
 * storage.wiredTiger.engineConfig).
 */
const MEMORY_LEFT_BYTES = GiB;
const CACHE_SHARE = 0.5;
const SMALLEST_DEFAULT_GB = 0.25;

/** @param {number | null} memoryBytes the memory that the server may use @returns {Values} */
function defaultsFor(memoryBytes) {
  const values = /** @type {Values} */ (
    Object.fromEntries(SETTING_NAMES.map((setting) => [setting, SETTINGS[setting].wtDefault]))
  );
  const cacheSizeGB =
    memoryBytes === null
      ? null
      : Math.max(
          SMALLEST_DEFAULT_GB,
          wholeMB(((memoryBytes - MEMORY_LEFT_BYTES) * CACHE_SHARE) / GiB),
        );
  return { ...values, cacheSizeGB };
}

/** mongod takes no more of the memory, and no less than this (storage.wiredTiger.engineConfig). */
const LARGEST_PERCENT = 80;

/**
 * @param {number} percent the value of cacheSizePct
 * @param {number | null} memoryBytes
 * @returns {number | null} GB
 */
const sizeOfPercent = (percent, memoryBytes) =>
  memoryBytes === null
    ? null
    : Math.max(
        SMALLEST_DEFAULT_GB,
        wholeMB((memoryBytes * Math.min(percent, LARGEST_PERCENT)) / 100 / GiB),
      );

/**
 * Reads the start-up options of the engine. The string in the log is exact, but it also has
 * mongod's own defaults, which no one set.
 * @param {Startup} startup
 * @param {Values} defaults
 * @returns {Change}
 */
function askedAtStart(startup, defaults) {
  const { opened, cacheSizeGB, configString, thresholds = {}, syncPeriodSecs } = startup;
  const asked = {
    ...(cacheSizeGB === null ? {} : { cacheSizeGB: wholeMB(cacheSizeGB) }),
    ...thresholds,
    ...settingsIn(configString ?? '', { quoted: false }),
    ...(syncPeriodSecs === null ? {} : { syncdelaySeconds: syncPeriodSecs }),
  };
  const exact = Object.entries(settingsIn(opened ?? '', { quoted: false })).filter(
    ([setting, value]) =>
      setting in asked ||
      (setting !== 'cacheSizeGB' && value !== defaults[/** @type {SettingName} */ (setting)]),
  );
  return { ...asked, ...Object.fromEntries(exact) };
}

/**
 * @param {Change | null} asked the settings at start; null: not known
 * @param {readonly RunTime[]} runTime
 * @param {Values} defaults
 * @returns {Config}
 */
function layersOf(asked, runTime, defaults) {
  const config = /** @type {Config} */ (
    Object.fromEntries(
      SETTING_NAMES.map((setting) => [setting, atStart(setting, asked, defaults[setting])]),
    )
  );
  for (const event of runTime) {
    if (event.kind === 'gap') forget(config);
    else
      for (const [setting, value] of Object.entries(settingsIn(event.config, { quoted: false })))
        setSince(config[/** @type {SettingName} */ (setting)], value, setterOf(event));
  }
  return config;
}

/**
 * @param {SettingName} setting
 * @param {Change | null} asked
 * @param {number | null} byDefault
 * @returns {Setting}
 */
function atStart(setting, asked, byDefault) {
  if (asked === null)
    return { value: null, from: 'unknown', default: byDefault, sinceRestart: false, set: null };
  const value = asked[setting] ?? byDefault;
  return {
    value,
    from: asked[setting] === undefined ? 'default' : 'startup',
    default: byDefault,
    sinceRestart: false,
    set: value,
  };
}

/**
 * Forgets the engine's settings after a gap; syncdelay is not the engine's, and stays known.
 * @param {Config} config
 */
function forget(config) {
  for (const setting of SETTING_NAMES) {
    if (SETTINGS[setting].key === null) continue;
    Object.assign(config[setting], {
      value: null,
      from: 'unknown',
      sinceRestart: false,
      set: null,
    });
    delete config[setting].by;
  }
}

/** @param {Setting} setting @param {number} value @param {Setting['by']} [by] */
const setSince = (setting, value, by = null) =>
  Object.assign(setting, { value, set: value, from: 'runtime', sinceRestart: true, by });

/**
 * Finds who made a change: only changes by tune have an id, and of some it is unknown.
 * @param {{ id?: string | null }} event
 * @returns {Setting['by']}
 */
function setterOf({ id }) {
  if (id === undefined) return null;
  return id === null ? 'others' : 'tune';
}

/**
 * Drops what was set since the start to the value it had at start: a restart loses nothing.
 * @param {Config} config
 * @param {Change | null} asked
 * @param {Values} defaults
 */
function collapse(config, asked, defaults) {
  for (const setting of SETTING_NAMES) {
    const entry = config[setting];
    if (
      entry.from !== 'runtime' ||
      asked === null ||
      entry.set !== (asked[setting] ?? defaults[setting])
    )
      continue;
    Object.assign(entry, {
      from: asked[setting] === undefined ? 'default' : 'startup',
      sinceRestart: false,
    });
    delete entry.by;
  }
}

/**
 * Reads the settings of a configuration string. WiredTiger obeys a key in quotes, but does not put
 * it into its record: the next string that it accepts sets the recorded value again (seen on
 * 6.0.5).
 * @param {string} text a configuration string
 * @param {{ quoted?: boolean }} [which] `quoted: false`: only the keys that go into the record
 * @returns {Change} the settings that the text sets, in their units
 */
function settingsIn(text, { quoted = true } = {}) {
  const parsed = parseEngineConfig(text).entries;
  const entries = quoted ? parsed : withoutQuoted(parsed);
  return Object.fromEntries(
    SETTING_NAMES.flatMap((setting) => {
      const { key, unit } = SETTINGS[setting];
      const number = key === null ? null : (lookUp(entries, key)?.number ?? null);
      return number === null ? [] : [[setting, unit === 'GB' ? number / GiB : number]];
    }),
  );
}

/** @param {readonly Entry[]} entries @returns {Entry[]} */
const withoutQuoted = (entries) =>
  entries
    .filter(({ key }) => key.kind !== 'string')
    .map((entry) => ({ ...entry, entries: entry.entries && withoutQuoted(entry.entries) }));

/**
 * @param {string} text
 * @returns {Change} the settings under keys in quotes, which any later string ends
 */
function quotedIn(text) {
  const [all, recorded] = [settingsIn(text), settingsIn(text, { quoted: false })];
  return pick(
    all,
    settingsOf(all).filter((setting) => all[setting] !== recorded[setting]),
  );
}

module.exports = {
  quotedIn,
  defaultsFor,
  sizeOfPercent,
  askedAtStart,
  layersOf,
  setSince,
  collapse,
  settingsIn,
};
