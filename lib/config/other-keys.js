'use strict';

const { SETTINGS, SETTING_NAMES } = require('./setting-table');
const { parseEngineConfig } = require('./engine-config');

/**
 * @import { Entry } from './engine-config'
 */

/**
 * Keys of WiredTiger that are no settings of tune, and were given: such as
 * `cache_eviction_controls.incremental_app_eviction`. tune shows them, and changes none.
 * @typedef {{ key: string, value: string | null, from: 'startup' | 'runtime' }} OtherKey `value`: null
 *   where it may be a secret
 */

const OF_TUNE = new Set(SETTING_NAMES.flatMap((name) => SETTINGS[name].key ?? []));
/** What these hold may be a secret. */
const SECRET = /^(encryption|extensions)\b/;

/**
 * @param {string | null} configString of the start-up options
 * @param {readonly string[]} runTime the strings set since, in their order
 * @returns {OtherKey[]} the last value of each
 */
function otherKeysOf(configString, runTime) {
  /** @type {Map<string, OtherKey>} */
  const found = new Map();
  const take = (/** @type {string} */ text, /** @type {OtherKey['from']} */ from) => {
    for (const [key, value] of flat(parseEngineConfig(text).entries))
      if (!OF_TUNE.has(key)) found.set(key, { key, value: SECRET.test(key) ? null : value, from });
  };
  take(configString ?? '', 'startup');
  for (const text of runTime) take(text, 'runtime');
  return [...found.values()];
}

/**
 * @param {readonly Entry[]} entries
 * @param {string} [above]
 * @returns {[key: string, value: string][]}
 */
const flat = (entries, above = '') =>
  entries.flatMap(({ key, value, entries: inside }) =>
    inside === null
      ? [[above + key.text, value?.text ?? 'true']]
      : flat(inside, `${above}${key.text}.`),
  );

module.exports = { otherKeysOf };
