'use strict';

const { makeConfig } = require('./effective-config');
const { SETTING_NAMES } = require('./setting-table');

/**
 * @import { EngineGauges } from './types'
 * @import { RunTime, Startup } from './config-layers'
 * @import { Config } from './effective-config'
 * @import { SettingName } from '../base/types'
 */

/**
 * The effective configuration as far as a recording has it. Before 8.0 it has no parameters, so
 * what was set at run time is unknown; what the server reports (cache size, threads, thresholds
 * from 9.0 on) is known, and so is what agrees with it.
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
 * @param {EngineGauges} live whether the server shows what is in effect
 */
const isShown = (setting, live) =>
  READ_BACK.some((name) => name === setting) &&
  live[setting === 'cacheSizeGB' ? 'cache.maxBytes' : 'eviction.threadsActive'] !== undefined;

/** @param {readonly string[]} engineStrings @returns {RunTime[]} */
const runTimeOf = (engineStrings) =>
  engineStrings.filter((config) => config !== '').map((config) => ({ kind: 'set', config }));

module.exports = { recordedConfig };
