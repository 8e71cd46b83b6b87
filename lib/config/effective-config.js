'use strict';

const { SETTING_NAMES } = require('./setting-table');
const {
  THREADS,
  readBackCache,
  readBackThreads,
  readBackThresholds,
  readQuoted,
} = require('./read-back');
const { GiB, figure, UNKNOWN } = require('../base/pure/units');
const { THRESHOLDS, effective } = require('./thresholds');
const {
  defaultsFor,
  sizeOfPercent,
  askedAtStart,
  layersOf,
  collapse,
  settingsIn,
} = require('./config-layers');

/**
 * @import { EngineGauges } from './types'
 * @import { RunTime, Startup, Values } from './config-layers'
 * @import { SettingName, Change } from '../base/types'
 */

/**
 * Computes the effective configuration from the record of what was set, and from what the server
 * reports (cache size and threads; thresholds from 9.0 on). Where the two differ, the server is
 * right.
 * @typedef {import('./types').Setting & { set: number | null }} Setting `set`: as configured,
 *   before WiredTiger mends it; null: not known
 * @typedef {Record<SettingName, Setting>} Config
 * @typedef {{ setting: SettingName, recorded: number, value: number, say: string }} Drift the
 *   server shows another value than the record
 * @typedef {{
 *   startup: Startup | null,
 *   runTime: readonly RunTime[], memoryBytes: number | null,
 *   live: EngineGauges
 * }} Known `startup` null: unknown; `memoryBytes`: the memory that the server may use
 */

/**
 * @param {Known} given
 * @returns {{
 *   config: Config, drift: Drift[], mended: string[], startValues: Change | null
 * }} `mended`: how WiredTiger corrects contradictions that a user's setting made; `startValues`:
 *   the values after a restart
 */
function makeConfig(given) {
  const known = { ...given, startup: withSize(given) };
  const { startup, runTime, live } = known;
  const defaults = defaultsSeen(known);
  const asked = startup && askedAtStart(startup, defaults);
  const config = layersOf(asked, runTime, defaults);
  // Threads under a key in quotes follow that, and not their record.
  const threads = readQuoted(config, known, THREADS);
  const drift = [
    ...readBackCache(config, live),
    ...(threads.length > 0 ? threads : readBackThreads(config, live)),
  ];
  collapse(config, asked, defaults);
  const { percent, mended } = effective(
    Object.fromEntries(SETTING_NAMES.map((setting) => [setting, config[setting].set])),
  );
  const byDefault = effective(defaults).percent;
  for (const setting of THRESHOLDS)
    Object.assign(config[setting], { value: percent[setting], default: byDefault[setting] });
  drift.push(...readBackThresholds(config, live), ...readQuoted(config, known, THRESHOLDS));
  return {
    config,
    drift,
    startValues: asked && { .../** @type {any} */ (defaults), ...asked },
    mended: mended
      .filter(({ setting }) => config[setting].from !== 'default')
      .map(({ say }) => say),
  };
}

/**
 * Finds the defaults. mongod may have seen another amount of memory than hostInfo reports: where
 * the cache size was never set, its present size is the default.
 * @param {Known} known
 * @returns {Values}
 */
function defaultsSeen(known) {
  const { startup, memoryBytes } = known;
  const defaults = defaultsFor(memoryBytes);
  if (
    startup === null ||
    startup.cacheSizeGB !== null ||
    settingsIn(startup.configString ?? '').cacheSizeGB !== undefined
  )
    return defaults;
  return { ...defaults, cacheSizeGB: sizeAtStart(known) ?? defaults.cacheSizeGB };
}

/**
 * Finds the size that mongod started with, where no option has it in GB.
 * @param {Known} known
 * @returns {number | null} GB
 */
function sizeAtStart({ startup, runTime, live }) {
  const untouched = runTime.every(
    (event) => event.kind === 'set' && settingsIn(event.config).cacheSizeGB === undefined,
  );
  return (
    settingsIn(startup?.opened ?? '').cacheSizeGB ??
    (untouched && live['cache.maxBytes'] !== undefined ? live['cache.maxBytes'] / GiB : null)
  );
}

/**
 * Turns a size in percent of the memory into one in GB.
 * @param {Known} known
 * @returns {Startup | null}
 */
function withSize(known) {
  const { startup, memoryBytes } = known;
  const percent = startup?.cacheSizePct;
  if (!startup || !percent || startup.cacheSizeGB !== null) return startup;
  return { ...startup, cacheSizeGB: sizeAtStart(known) ?? sizeOfPercent(percent, memoryBytes) };
}

/**
 * @typedef {Record<SettingName, { value: number | null }>} Effective
 *
 * @param {Effective | null} before null: not known @param {Effective} after
 * @returns {string[]} `evictionDirtyTrigger 20 → 15`, one text for each setting whose value differs
 */
function changesBetween(before, after) {
  if (before === null) return [];
  return SETTING_NAMES.filter((setting) => before[setting].value !== after[setting].value).map(
    (setting) => `${setting} ${show(before[setting].value)} → ${show(after[setting].value)}`,
  );
}

/** @param {number | null} value */
const show = (value) => (value === null ? UNKNOWN : figure(value));

/**
 * Computes the effective configuration as far as a recording has it. A recording before 8.0 has no
 * parameters, so that the settings of run time are unknown. What the server reports is known (cache
 * size, threads, thresholds from 9.0 on), and so is what agrees with it.
 * @typedef {{
 *   startup: Startup | null, engineStrings: readonly string[],
 *   memoryBytes: number | null, live: EngineGauges
 * }} Recorded `engineStrings`: each wiredTigerEngineRuntimeConfig that was recorded, in order; the
 *   first may be ""
 */

const READ_BACK = /** @type {const} */ ([
  'cacheSizeGB',
  'evictionThreadsMin',
  'evictionThreadsMax',
]);

/** @param {Recorded} recorded @returns {Config} */
function recordedConfig({ startup, engineStrings, memoryBytes, live }) {
  const shown = runTimeOf(engineStrings);
  const known = makeConfig({ startup, runTime: shown, memoryBytes, live }).config;
  const isWhole = engineStrings[0] === '' || live['eviction.dirtyTriggerPercent'] !== undefined;
  if (isWhole) return known;
  const { config } = makeConfig({
    startup,
    runTime: [{ kind: 'gap' }, ...shown],
    memoryBytes,
    live,
  });
  return /** @type {Config} */ (
    Object.fromEntries(
      SETTING_NAMES.map((setting) => [setting, (isShown(setting, live) ? known : config)[setting]]),
    )
  );
}

/**
 * @param {SettingName} setting
 * @param {EngineGauges} live whether the server shows the effective value
 */
const isShown = (setting, live) =>
  READ_BACK.some((name) => name === setting) &&
  live[setting === 'cacheSizeGB' ? 'cache.maxBytes' : 'eviction.threadsActive'] !== undefined;

/** @param {readonly string[]} engineStrings @returns {RunTime[]} */
const runTimeOf = (engineStrings) =>
  engineStrings.filter((config) => config !== '').map((config) => ({ kind: 'set', config }));

module.exports = {
  makeConfig,
  settingsIn,
  changesBetween,

  recordedConfig,
};
