'use strict';

const { scan } = require('./scanner');
const { SETTINGS, SETTING_NAMES } = require('./setting-table');
const { settingsOf } = require('./change');
const { GiB, MiB } = require('../base/pure/units');

/**
 * @import { Item, Problem } from './scanner'
 * @import { Change } from '../base/types'
 */

/**
 * Reads and writes WiredTiger configuration strings as WiredTiger does.
 * @typedef {{
 *   key: Item, value: Item | null, kind: Item['kind'], number: number | null,
 *   entries: Entry[] | null
 * }} Entry `kind` of the value (a key alone is a boolean); `number`: what WiredTiger would compute
 *   with, true is 1; `entries` inside brackets
 * @typedef {{ entries: Entry[], problem: Problem | null }} Parsed
 */

/**
 * Each of these letters may follow a number and shifts it by so many bits; several in a row add up
 * (`1MB`).
 */
const UNIT_BITS = /** @type {Record<string, number>} */ ({
  b: 0,
  k: 10,
  m: 20,
  g: 30,
  t: 40,
  p: 50,
});
const INT64_MAX = 2n ** 63n - 1n;

/**
 * @param {string} text
 * @returns {Parsed}
 */
const parseEngineConfig = (text) => parseAt(text, 0);

/** @param {string} text @param {number} offset @returns {Parsed} */
function parseAt(text, offset) {
  const { pairs, problem } = scan(text, offset);
  const entries = pairs.map(({ key, value }) => toEntry(key, value));
  return { entries, problem };
}

/** @param {Item} key @param {Item | null} value @returns {Entry} */
function toEntry(key, value) {
  if (value === null) return { key, value, kind: 'boolean', number: 1, entries: null };
  const inner = value.kind === 'struct' ? parseAt(value.text, value.position) : null;
  return {
    key,
    value,
    ...toScalar(value),
    entries: inner?.problem === null ? inner.entries : null,
  };
}

/** @param {Item} value @returns {{ kind: Item['kind'], number: number | null }} */
function toScalar({ kind, text }) {
  if (kind === 'id' && (text === 'true' || text === 'false'))
    return { kind: 'boolean', number: text === 'true' ? 1 : 0 };
  if (kind !== 'number') return { kind, number: null };
  const number = toNumber(text);
  return number === null ? { kind: 'id', number: null } : { kind, number };
}

/**
 * Reads a whole number with unit letters; it takes no fractions and no spaces.
 * @param {string} text
 * @returns {number | null} null: WiredTiger does not take it for a number
 */
function toNumber(text) {
  const [, digits, letters] = /^(-?[0-9]+)([A-Za-z]*)$/.exec(text) ?? [];
  if (digits === undefined) return null;
  const value = [...letters.toLowerCase()].reduce(shift, orNullBeyondInt64(BigInt(digits)));
  return value === null ? null : Number(value);
}

/** @param {bigint | null} value @param {string} letter @returns {bigint | null} */
function shift(value, letter) {
  const bits = UNIT_BITS[letter];
  if (value === null || bits === undefined) return null;
  if (bits === 0) return value;
  return value < 0n ? null : natural(BigInt.asIntN(64, value << BigInt(bits)));
}

/** @param {bigint} value */
const orNullBeyondInt64 = (value) => (value > INT64_MAX || value < -INT64_MAX - 1n ? null : value);

/** @param {bigint} value negative after an overflow */
const natural = (value) => (value < 0n ? null : value);

/**
 * Finds the value that a key has in effect: the last one given wins, and categories given twice add
 * up.
 * @param {readonly Entry[]} entries @param {string} key `eviction.threads_max`
 * @returns {Entry | undefined}
 */
function lookUp(entries, key) {
  const [head, ...rest] = key.split('.');
  const found = entries
    .filter((entry) => entry.key.text === head)
    .map((entry) => (rest.length === 0 ? entry : lookUp(entry.entries ?? [], rest.join('.'))))
    .filter((entry) => entry !== undefined);
  return found.at(-1);
}

/**
 * Prints keys and values; a dotted key goes into its category, and keys of one category stand
 * together.
 * @param {readonly [key: string, value: string | number | boolean][]} pairs
 * @returns {string} `cache_size=2048M,eviction=(threads_min=4,threads_max=8)`
 */
function printEngineConfig(pairs) {
  /** @type {Map<string, [string, string | number | boolean][] | string>} */
  const parts = new Map();
  for (const [key, value] of pairs) {
    const [head, ...rest] = key.split('.');
    const inside = parts.get(head);
    if (rest.length === 0) parts.set(head, String(value));
    else parts.set(head, [...(Array.isArray(inside) ? inside : []), [rest.join('.'), value]]);
  }
  return [...parts]
    .map(
      ([key, value]) => `${key}=${Array.isArray(value) ? `(${printEngineConfig(value)})` : value}`,
    )
    .join(',');
}

/**
 * Prints a cache size without fractions, which WiredTiger does not accept: whole megabytes, or
 * bytes where another session had set an odd number of them.
 * @param {number} gb
 */
function cacheSize(gb) {
  const bytes = Math.round(gb * GiB);
  return bytes % MiB === 0 ? `${bytes / MiB}M` : String(bytes);
}

/**
 * @param {Change} change
 * @returns {string} `cache_size=2048M,eviction=(threads_min=4)`, without settings that are not
 *   WiredTiger's
 */
function configStringOf(change) {
  return printEngineConfig(
    settingsOf(change).flatMap((setting) => {
      const { key, unit } = SETTINGS[setting];
      const value = /** @type {number} */ (change[setting]);
      return key === null
        ? []
        : [
            /** @type {[string, string]} */ ([
              key,
              unit === 'GB' ? cacheSize(value) : String(value),
            ]),
          ];
    }),
  );
}

/**
 * Prints a string for a person, without the blanks at its end: they only distinguish it from the
 * same string of another session.
 * @param {string} config
 */
const shownConfig = (config) => config.trimEnd();

/** The same text in quotes, for a sentence. @param {string} config */
const quoteConfig = (config) => `"${shownConfig(config)}"`;

/**
 * Keys of WiredTiger that are no settings of tune, and were given: such as
 * `cache_eviction_controls.incremental_app_eviction`. tune shows them, and changes none.
 * @typedef {{ key: string, value: string | null, from: 'startup' | 'runtime' }} OtherKey `value`:
 *   null where it may be a secret
 */

const OF_TUNE = new Set(SETTING_NAMES.flatMap((name) => SETTINGS[name].key ?? []));
/** Values in these categories may be secrets. */
const SECRET = /^(encryption|extensions)\b/;

/**
 * @param {string | null} configString the string of the start-up options
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

module.exports = {
  parseEngineConfig,
  printEngineConfig,
  lookUp,
  toNumber,
  configStringOf,
  shownConfig,
  quoteConfig,
  otherKeysOf,
};
