'use strict';

const checks = require('./checks');
const { TuneError } = require('./errors');

/**
 * Declares what one option may be: a person reads the phrase `allowed`, `schema` makes the check
 * that decides.
 * @typedef {{
 *   allowed: string, schema: (v: typeof import('./checks')) => import('./checks').Check, isSwitch?: true
 * }} Option `isSwitch`: yes or no, as a word on its own
 * @typedef {Record<string, Option>} OptionTable
 */

/** @param {{ min?: number, max?: number, integer?: boolean }} [limits] @returns {Option} */
const number = ({ min = -Infinity, max = Infinity, integer = false } = {}) => ({
  allowed: `${integer ? 'a whole number' : 'a number'}${rangeWords(min, max)}`,
  schema: (v) =>
    v.pipe(
      v.number(),
      v.finite(),
      integer ? v.integer() : v.number(),
      v.minValue(min),
      v.maxValue(max),
    ),
});

/** @returns {Option} */
const flag = () => ({ allowed: 'true or false', schema: (v) => v.boolean(), isSwitch: true });

/** @returns {Option} */
const text = () => ({
  allowed: 'a non-empty string',
  schema: (v) => v.pipe(v.string(), v.minLength(1)),
});

/** @param {readonly string[]} names @returns {Option} */
const oneOf = (names) => ({
  allowed: `one of ${names.join(', ')}`,
  schema: (v) => v.picklist(names),
});

/**
 * Checks the options of a command at its entrance.
 * @param {string} command as the user types it, `tune.status`
 * @param {OptionTable} table
 * @param {unknown} given
 * @returns {any} the options, and nothing that the object given, or every object, inherits
 * @throws {TuneError} TUNE-10001 for an unknown name, TUNE-10002 for a wrong value
 */
function checkOptions(command, table, given = {}) {
  const names = Object.keys(table);
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    throw new TuneError(
      'TUNE-10002',
      `${command}: ` +
        `${names.length === 0 ? 'it takes no options' : `options must be an object such as { ${names.join(', ')} }`}, ` +
        `not ${show(given)}.`,
      { value: given, allowed: names },
    );
  }
  // Read the value once: a getter may return another one the next time.
  const options = Object.assign(Object.create(null), given);
  for (const [name, value] of Object.entries(options))
    checkOption({ command, table, names }, name, value);
  return options;
}

/**
 * @param {{ command: string, table: OptionTable, names: string[] }} where
 * @param {string} name
 * @param {unknown} value
 */
function checkOption({ command, table, names }, name, value) {
  if (!Object.hasOwn(table, name)) {
    throw new TuneError(
      'TUNE-10001',
      `${command}: there is no option "${name}". Allowed: ${names.join(', ') || 'none'}.`,
      { value: name, allowed: names },
    );
  }
  if (value !== undefined && !table[name].schema(checks)(value)) {
    throw new TuneError(
      'TUNE-10002',
      `${command}: "${name}" must be ${table[name].allowed}, not ${show(value)}.`,
      { value, allowed: table[name].allowed },
    );
  }
}

/** @param {number} min @param {number} max */
function rangeWords(min, max) {
  if (min === -Infinity && max === Infinity) return '';
  if (max === Infinity) return ` of at least ${min}`;
  return min === -Infinity ? ` of at most ${max}` : ` from ${min} to ${max}`;
}

/** A value as it fits into a sentence. @param {unknown} value */
function show(value) {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (value === null || typeof value !== 'object') return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}

module.exports = { number, flag, text, oneOf, checkOptions, show };
