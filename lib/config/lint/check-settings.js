'use strict';

const { parseEngineConfig, lookUp } = require('../engine-config');
const { settingsIn } = require('../effective-config');
const { SETTINGS } = require('../setting-table');
const { MiB } = require('../../base/pure/units');
const { compareVersions } = require('../../base/pure/version');
const { conflictsOf } = require('../thresholds');
const { inKeys, error, warning } = require('./problem');
const { settingsOf } = require('../change');
const { cautionsFor } = require('../safety');

/**
 * @import { Conflict, Raw } from '../thresholds'
 * @import { Entry } from '../engine-config'
 * @import { SettingName, Change } from '../../base/types'
 * @import { Problem } from './problem'
 */

/**
 * Finds contradictions inside the string, and between the string and earlier settings.
 * @typedef {{
 *   text: string, version: string, at: 'runtime' | 'start',
 *   base: Raw
 * }} Given `base`: the settings that the string is added to
 */

/** WiredTiger checks target against trigger at run time, too, from this release on. */
const CHECKED_LIVE_SINCE = '8.1.0';
/**
 * Before this release WiredTiger never compares a dirty or updates target with its trigger, not
 * even at start (4.4: never).
 */
const DIRTY_CHECKED_SINCE = '5.0.5';
/**
 * These minima come from the code, not from the table: src/support/capacity.c,
 * src/history/hs_conn.c.
 */
const HIDDEN_MINIMA = Object.freeze({
  'io_capacity.total': MiB,
  'history_store.file_max': 100 * MiB,
});

/** @param {Given} given @returns {Problem[]} */
function checkOrders({ text, version, at, base }) {
  const { entries } = parseEngineConfig(text);
  const positionOf = (/** @type {string} */ key) => lookUp(entries, key)?.key.position ?? null;
  return [
    ...contradictions({ given: settingsIn(text), base, version, at }, positionOf),
    ...minima(entries),
  ];
}

/**
 * @param {{
 *   given: Change, base: Given['base'], version: string,
 *   at: Given['at']
 * }} parts
 * @param {(key: string) => number | null} positionOf
 * @returns {Problem[]}
 */
function contradictions({ given, base, version, at }, positionOf) {
  const untouched = new Set(conflictsOf(base).map(({ say }) => say));
  const found = conflictsOf({ ...base, ...given }).filter(
    ({ settings, say }) =>
      !untouched.has(say) || settings.some((setting) => given[setting] !== undefined),
  );
  return found
    .filter((conflict) => !followsFrom(conflict, found, given))
    .map(({ settings, kind, say: words }) => {
      const named = settings.filter((setting) => given[setting] !== undefined);
      const key = SETTINGS[named.at(-1) ?? settings[0]].key;
      const position = key === null ? null : positionOf(key);
      const say = inKeys(kind === 'order' ? withDefaults(words, settings, { given, base }) : words);
      if (kind === 'size')
        return error(
          key,
          position,
          `${say}: WiredTiger rejects it, but keeps a new cache_size`,
          'Give a percentage, or fewer bytes.',
        );
      if (!isChecked(settings[0], version))
        return warning(
          key,
          position,
          `${say}: eviction threads start no earlier than application threads`,
          KEEP_ORDER,
        );
      const always =
        settings[0] === 'evictionThreadsMin' || compareVersions(version, CHECKED_LIVE_SINCE) >= 0;
      const live =
        at === 'runtime' && !always
          ? ': mongod exits at its next start. A running server accepts it'
          : '';
      return error(key, position, `${say}${live}`, KEEP_ORDER, always ? 'always' : 'start');
    });
}

/**
 * A value that no line gives is the default: without that word a reader searches for it in vain.
 * @param {string} words
 * @param {readonly SettingName[]} settings
 * @param {{ given: Change, base: Raw }} values
 */
const withDefaults = (words, settings, { given, base }) =>
  settings
    .filter((one) => given[one] === undefined && base[one] === SETTINGS[one].wtDefault)
    .reduce((text, one) => text.replace(new RegExp(`${one} \\S+`), '$& (default)'), words);

const KEEP_ORDER = 'Keep the target below its trigger, and threads_min at most threads_max.';

/** @param {SettingName} first @param {string} version */
const isChecked = (first, version) =>
  !['evictionDirtyTarget', 'evictionUpdatesTarget'].includes(first) ||
  compareVersions(version, DIRTY_CHECKED_SINCE) >= 0;

/**
 * Whether one conflict follows from another: unset updates thresholds are half of the dirty ones,
 * so they contradict whenever those do.
 * @param {Conflict} conflict
 * @param {readonly Conflict[]} all
 * @param {Change} given
 */
const followsFrom = ({ settings }, all, given) =>
  settings[0] === 'evictionUpdatesTarget' &&
  settings.every((setting) => given[setting] === undefined) &&
  all.some((other) => other.settings[0] === 'evictionDirtyTarget');

/** @param {readonly Entry[]} entries @returns {Problem[]} */
function minima(entries) {
  return Object.entries(HIDDEN_MINIMA).flatMap(([key, min]) => {
    const entry = lookUp(entries, key);
    if (!entry?.number || entry.number < 0 || entry.number >= min) return [];
    return [
      error(
        key,
        entry.value?.position ?? null,
        `${key} must be 0 or at least ${min / MiB} MB`,
        `Give 0 or at least ${min / MiB}M.`,
      ),
    ];
  });
}

/** @param {string} text @returns {Problem[]} */
const nothing = (text) =>
  text.trim() === ''
    ? [
        warning(
          null,
          0,
          'An empty string sets nothing; a running server only clears the last string it reports',
          'Give a setting.',
          'runtime',
        ),
      ]
    : [];

/**
 * Finds values that the server takes although they are not safe.
 * @param {string} text
 * @param {Raw} base the settings that the string is added to
 * @param {number | null} memoryBytes
 * @returns {Problem[]}
 */
function unsafeIn(text, base, memoryBytes) {
  const given = settingsIn(text);
  const { entries } = parseEngineConfig(text);
  return cautionsFor({ ...base, ...given }, settingsOf(given), memoryBytes).map(
    ({ setting, say, todo }) => {
      const key = String(SETTINGS[setting].key);
      return warning(key, lookUp(entries, key)?.value?.position ?? null, inKeys(say), todo);
    },
  );
}

module.exports = { checkOrders, nothing, unsafeIn };
