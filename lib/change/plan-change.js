'use strict';

const { SETTINGS } = require('../config/setting-table');
const { configuredOf } = require('../config/read-back');
const { settingsOf, pick, settableIn } = require('../config/change');
const { makeSteps, unlikeSteps } = require('./pure/steps');
const { checkSafety } = require('../config/safety');
const { warningsFor } = require('../config/warnings');
const { levelsOf } = require('./pure/levels');
const { figure } = require('../base/pure/units');
const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');

/**
 * @import { SettingName, Change } from '../base/types'
 * @import { Raw } from '../config/thresholds'
 * @import { Step } from './pure/steps'
 * @import { Settings } from './types'
 */

/**
 * @typedef {{
 *   change: Change, before: Change, steps: Step[], warnings: string[], drifting: string[]
 * }} Planned `change`: the requested settings that are not active yet; `before`: their present
 *   values, where known; `drifting`: the warnings of settings that any call sets besides
 */

/**
 * Plans which calls a requested change needs.
 * @param {Change} asked the change, already checked
 * @param {Settings} settings
 * @param {{
 *   force: boolean, cores: number | null, original?: Change, wasActive?: boolean,
 *   journalOnly?: boolean, checksLimit?: boolean
 * }} options `original`: as typed, before it was rounded; `wasActive`, `journalOnly`,
 *   `checksLimit`: as in checkSafety()
 * @returns {Planned}
 * @throws {TuneError} TUNE-30002, TUNE-30003, TUNE-30006
 */
function planChange(asked, settings, options) {
  const { force, cores, original = asked, ...history } = options;
  const raw = configuredValues(settings);
  const change = pick(
    asked,
    settingsOf(asked).filter(
      (setting) =>
        SETTINGS[setting].key !== null && !isAlreadySet(settings, setting, asked[setting]),
    ),
  );
  const { memoryBytes } = settings;
  const comesBack = Object.fromEntries(
    otherDrift(settings, change).map(({ setting, recorded }) => [setting, recorded]),
  );
  checkSafety({
    before: raw,
    change,
    comesBack,
    memoryBytes: memoryToCheck(settings, history),
    force,
    ...history,
  });
  const before = pick(settableIn(raw), settingsOf(change));
  const drifting = driftBeside(settings, change);
  if (!force) refuseSmallerCache(settings, change);
  return {
    change,
    before,
    steps: unlikeSteps(makeSteps(raw, change, levelsOf(settings.live)), settings),
    drifting,
    warnings: [
      ...drifting,
      ...warningsFor({
        asked: original,
        change,
        before: raw,
        live: settings.live,
        memoryBytes,
        cores,
        version: settings.run.version,
      }),
    ],
  };
}

/**
 * Returns the memory to check against. Values that were active before ran also under the limit that
 * mongod does not know.
 * @param {Pick<Settings, 'memoryBytes' | 'reportedMemoryBytes'>} settings
 * @param {{ wasActive?: boolean, checksLimit?: boolean }} history
 * @returns {number | null}
 */
const memoryToCheck = ({ memoryBytes, reportedMemoryBytes }, { wasActive, checksLimit }) =>
  wasActive && !checksLimit ? (reportedMemoryBytes ?? memoryBytes) : memoryBytes;

/**
 * Warns of drift: every change makes WiredTiger apply its whole record, so that a setting that
 * differs from it, such as after a string that was refused half-way, changes too, at once and
 * without steps.
 * @param {Settings} settings
 * @param {Change} change
 * @returns {string[]} warnings
 */
const driftBeside = (settings, change) =>
  otherDrift(settings, change).map(
    ({ setting, recorded, say }) =>
      `${say} Any further call sets ${setting} to ${figure(recorded)} again.`,
  );

/**
 * @param {Settings} settings
 * @param {Change} change
 * @throws {TuneError} TUNE-30006
 */
function refuseSmallerCache(settings, change) {
  const cache = otherDrift(settings, change).find(({ setting }) => setting === 'cacheSizeGB');
  if (cache === undefined || cache.recorded >= cache.value) return;
  throw new TuneError(
    'TUNE-30006',
    `${cache.say} Any call would set the cache to ${figure(cache.recorded)} GB at ` +
      'once, which blocks clients until the rest is evicted: tune.apply({ cacheSizeGB: ' +
      `${cache.recorded} }) lowers it in steps.`,
    { value: cache.value, allowed: cache.recorded },
  );
}

/** @param {Settings} settings @param {Change} change */
const otherDrift = ({ drift }, change) =>
  settingsOf(change).length === 0
    ? []
    : drift.filter(({ setting }) => change[setting] === undefined);

/** @param {Settings} settings @returns {Raw} every setting as configured */
const configuredValues = ({ config }) =>
  Object.fromEntries(
    /** @type {SettingName[]} */ (Object.keys(config)).map((setting) => [
      setting,
      configuredOf(config, setting),
    ]),
  );

/**
 * Says whether a setting is active already. A setting that drifted is set again even if it reads
 * back as requested: WiredTiger's own record may hold another value.
 * @param {Settings} settings
 * @param {SettingName} setting
 * @param {number | undefined} value
 */
const isAlreadySet = ({ config, drift }, setting, value) =>
  config[setting].set === value && !drift.some((one) => one.setting === setting);

/**
 * Reads the first argument of a command that changes settings: a change, or an advice that has one.
 * @param {string} command `tune.apply`
 * @param {unknown} what
 * @returns {{ change: any, host: string | null, warnings: string[] }} `host`: the server of the
 *   advice
 * @throws {TuneError} TUNE-10002, TUNE-10004, TUNE-30008
 */
function requestedChange(command, what) {
  if (what === undefined)
    throw new TuneError('TUNE-10004', `${command} needs a change, or an advice of tune.advise().`, {
      allowed: 'a change or an advice',
    });
  if (what === null || typeof what !== 'object' || Array.isArray(what)) {
    throw new TuneError(
      'TUNE-10002',
      `${command}: the change must be an object such as { cacheSizeGB: 4 }, not ${show(what)}.`,
      { value: what, allowed: 'a change or an advice' },
    );
  }
  if (!('change' in what)) return { change: what, host: null, warnings: [] };
  const { change, host = null } = /** @type {{ change: unknown, host?: string | null }} */ (what);
  if (change === null || change === undefined)
    throw new TuneError('TUNE-30008', 'This advice recommends no change.', {
      value: null,
      allowed: 'a change or an advice that has one',
    });
  return { change, host, warnings: host === null ? [NO_HOST] : [] };
}

const NO_HOST = 'The advice does not name its server, so it may be for another one.';

/** @param {string | null} advised @param {string | null} here @throws {TuneError} TUNE-20010 */
function checkHost(advised, here) {
  if (advised === null || here === null || advised === here) return;
  throw new TuneError('TUNE-20010', `The advice is for ${advised}, but this is ${here}.`, {
    value: advised,
    allowed: here,
  });
}

module.exports = { planChange, memoryToCheck, configuredValues, requestedChange, checkHost };
