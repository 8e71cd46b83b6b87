'use strict';

const { literal } = require('../base/pure/printable');
const {
  SETTINGS,
  SETTING_NAMES,
  GROUPS,
  MAX_EVICTION_THREADS,
  MAX_EVICTION_THREADS_NEW,
  LARGEST_PERCENT,
} = require('./setting-table');
const { bytes, MiB, wholeMB } = require('../base/pure/units');
const { nearest } = require('../base/pure/nearest');
const { toNumber } = require('../base/pure/numbers');
const { compareVersions, parseVersion } = require('../base/pure/version');
const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');

/**
 * @import { SettingName, Change } from '../base/types'
 * @import { Raw } from './thresholds'
 */

/** Checks the values of a change, and prints them. */

/**
 * WT-15039 raised the limit of eviction threads (changelogs of 8.0.24 and 8.2.6); every release
 * line after 8.2 has it from its first release.
 */
const MORE_THREADS_SINCE = Object.freeze({ '8.0': '8.0.24', 8.2: '8.2.6' });
const MORE_THREADS_FROM = '8.3.0';
/** WiredTiger takes a number above 100 for bytes; fewer bytes than this are a slip of the pen. */
const SMALLEST_BYTES = MiB;

/**
 * Checks the change that a person requests, each value by itself.
 * @param {unknown} given
 * @param {string | null} version the server's version; null: not known
 * @returns {Change} cache sizes cut to whole megabytes
 * @throws {TuneError} TUNE-10002, TUNE-10003, TUNE-30001, TUNE-30008
 */
function checkChange(given, version) {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    throw new TuneError(
      'TUNE-10002',
      `A change must be an object such as { cacheSizeGB: 4 }, not ${show(given)}.`,
      { value: given, allowed: SETTING_NAMES },
    );
  }
  const pairs = Object.entries(plainChange(given)).filter(([, value]) => value !== undefined);
  if (pairs.length === 0)
    throw new TuneError('TUNE-30008', 'The change sets nothing.', {
      value: given,
      allowed: SETTING_NAMES,
    });
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, checkValue(checkName(name), value, version)]),
  );
}

/**
 * Checks a change before the release of the server is known: it accepts what any release takes.
 * @param {unknown} given @returns {Change}
 * @throws {TuneError} as checkChange
 */
const checkForm = (given) => checkChange(given, MORE_THREADS_FROM);

/**
 * Puts plain numbers in place of the shell's own: NumberInt(8), Long(8).
 * @param {any} given
 * @returns {any} a value that is no object is returned unchanged
 */
function plainChange(given) {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, plainNumber(value)]),
  );
}

/** @param {unknown} value */
const plainNumber = (value) => (typeof value === 'object' ? (toNumber(value) ?? value) : value);

/** @param {string} name @returns {SettingName} */
function checkName(name) {
  if (Object.hasOwn(SETTINGS, name)) return /** @type {SettingName} */ (name);
  const like = nearest(name, SETTING_NAMES);
  throw new TuneError(
    'TUNE-10003',
    `There is no setting "${name}"${like ? `; did you mean ${like}?` : '.'} Settings: ` +
      `${SETTING_NAMES.join(', ')}.`,
    { value: name, allowed: SETTING_NAMES },
  );
}

/** @param {SettingName} setting @param {unknown} value @param {string | null} version @returns {number} */
function checkValue(setting, value, version) {
  const { unit, min } = SETTINGS[setting];
  const max = unit === 'threads' ? maxThreads(version) : SETTINGS[setting].max;
  const number = checkNumber(setting, value, max);
  if (
    number < min ||
    number > max ||
    (unit === 'percent' && number > LARGEST_PERCENT && number < SMALLEST_BYTES)
  ) {
    throw new TuneError(
      'TUNE-30001',
      `${setting} ${number} is out of range: ${words(setting, max)}.`,
      { value, allowed: { min, max, unit } },
    );
  }
  return unit === 'GB' ? wholeMB(number) : number;
}

/** @param {SettingName} setting @param {unknown} value @param {number} max @returns {number} */
function checkNumber(setting, value, max) {
  const { unit, min } = SETTINGS[setting];
  const allowed = { min, max, unit };
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new TuneError(
      'TUNE-10002',
      `${setting} must be a number (${words(setting, max)}), not ${show(value)}.`,
      { value, allowed },
    );
  }
  if (unit !== 'GB' && !Number.isInteger(value)) {
    throw new TuneError(
      'TUNE-10002',
      `${setting} must be a whole number (${words(setting, max)}), not ${value}: WiredTiger ` +
        'accepts no fractions.',
      { value, allowed },
    );
  }
  // Turn -0 into 0.
  return value + 0;
}

/**
 * @param {string | null} version null: not known
 * @returns {number} the limit; the smaller one, which every release takes, where the version is not
 *   known
 */
function maxThreads(version) {
  if (version === null) return MAX_EVICTION_THREADS;
  const [major, minor] = parseVersion(version);
  const since =
    /** @type {Record<string, string>} */ (MORE_THREADS_SINCE)[`${major}.${minor}`] ??
    MORE_THREADS_FROM;
  return compareVersions(version, since) >= 0 ? MAX_EVICTION_THREADS_NEW : MAX_EVICTION_THREADS;
}

/** @param {SettingName} setting @param {number} max */
function words(setting, max) {
  const { unit, min } = SETTINGS[setting];
  if (unit === 'GB') return '1/1024 to 10240 GB';
  if (unit !== 'percent') return `${min} to ${max}${unit === 'seconds' ? ' seconds' : ''}`;
  return (
    `${min} to ${LARGEST_PERCENT} for percent of the cache, or a number of bytes from ` +
    `${SMALLEST_BYTES} on`
  );
}

/**
 * @param {Change} change
 * @returns {SettingName[]} its own settings, not inherited ones, in the order of the table
 */
const settingsOf = (change) =>
  SETTING_NAMES.filter(
    (setting) => Object.hasOwn(change, setting) && change[setting] !== undefined,
  );

/**
 * @param {Change} change
 * @returns {{ group: string, change: Change }[]} one part per group, in the order they are sent
 */
function byGroup(change) {
  return GROUPS.map((group) => ({
    group,
    change: pick(
      change,
      SETTING_NAMES.filter((setting) => SETTINGS[setting].group === group),
    ),
  })).filter((part) => settingsOf(part.change).length > 0);
}

/** @param {Change} change @param {readonly SettingName[]} settings @returns {Change} */
const pick = (change, settings) =>
  Object.fromEntries(
    settings
      .filter((setting) => Object.hasOwn(change, setting) && change[setting] !== undefined)
      .map((setting) => [setting, change[setting]]),
  );

/**
 * @param {Change} change
 * @param {readonly SettingName[]} settings
 * @returns {Change} the change without those settings
 */
const without = (change, settings) =>
  pick(
    change,
    settingsOf(change).filter((setting) => !settings.includes(setting)),
  );

/**
 * Picks the values that a call can set: a percentage that a server shows may be rounded bytes.
 * @param {Raw} raw @returns {Change}
 */
const settableIn = (raw) =>
  pick(
    /** @type {Change} */ (raw),
    SETTING_NAMES.filter(
      (setting) =>
        typeof raw[setting] === 'number' &&
        (setting === 'cacheSizeGB' || Number.isInteger(raw[setting])),
    ),
  );

/**
 * @param {Change} change
 * @returns {string} `{ cacheSizeGB: 2, evictionDirtyTrigger: 25 }`, as a person types it
 */
const showChange = (change) => literal(pick(change, settingsOf(change)));

/** @param {SettingName} setting @param {number | null | undefined} value @returns {string} `1 GiB` */
function showValue(setting, value) {
  if (value === undefined || value === null) return '?';
  const { unit } = SETTINGS[setting];
  if (unit === 'percent') return value > 100 ? bytes(value) : `${Number(value.toFixed(2))}%`;
  return { GB: `${Number(value.toFixed(3))} GiB`, threads: `${value}`, seconds: `${value} s` }[
    unit
  ];
}

/**
 * @param {Change} change
 * @param {Change | null} before the values that are known
 * @returns {string} `cacheSizeGB  0.25 GiB → 1 GiB`
 */
const changeWords = (change, before) =>
  settingsOf(change)
    .map((setting) => {
      const [old, next] = [before?.[setting], showValue(setting, change[setting])];
      return old === undefined || old === null
        ? `${setting}: ${next}`
        : `${setting}: ${showValue(setting, old)} → ${next}`;
    })
    .join(', ');

module.exports = {
  settingsOf,
  byGroup,
  pick,
  without,
  settableIn,
  showChange,
  showValue,
  changeWords,
  checkChange,
  checkForm,
  plainChange,
  maxThreads,
  SMALLEST_BYTES,
};
