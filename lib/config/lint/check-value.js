'use strict';

const { scan } = require('../scanner');
const { toNumber } = require('../engine-config');
const { SETTINGS, SETTING_NAMES } = require('../setting-table');
const { maxThreads, SMALLEST_BYTES } = require('../change');
const { nearest } = require('../../base/pure/nearest');
const { error, warning } = require('./problem');

/**
 * @import { Key } from '../engine-keys'
 * @import { Item } from '../scanner'
 * @import { Problem } from './problem'
 */

/**
 * Checks one value against its definition.
 * @typedef {{
 *   name: string, key: Item, value: Item | null, definition: Key,
 *   version: string, at: 'runtime' | 'start'
 * }} Given
 */

const UNITS = 'Write a whole number with one of the units B, K, M, G, T, P, such as 1536M.';

/** @param {Given} given @returns {Problem[]} */
function checkValue(given) {
  const check =
    { int: checkInt, boolean: checkBoolean, list: checkList }[given.definition.type] ?? checkText;
  return check(given);
}

/** @param {Given} given @returns {Problem[]} */
function checkInt({ name, key, value, definition: { min, max }, version }) {
  const number = value?.kind === 'number' ? toNumber(value.text) : null;
  if (value === null || number === null)
    return [
      error(
        name,
        (value ?? key).position,
        `${name} must be a whole number, not ${reported(value)}`,
        numberHelp(value),
      ),
    ];
  const beyond = outside(number, min, isThreads(name) ? String(maxThreads(version)) : max);
  return beyond
    ? [error(name, value.position, `${name}=${value.text} is ${beyond.say}`, beyond.todo)]
    : oddNumber({ name, value, number });
}

/** @param {number} number @param {string | null} min @param {string | null} max */
function outside(number, min, max) {
  if (max !== null && number > limit(max))
    return { say: `above the maximum of ${max}`, todo: `Give at most ${max}.` };
  return min !== null && number < limit(min)
    ? { say: `below the minimum of ${min}`, todo: `Give at least ${min}.` }
    : null;
}

/** @param {string} text */
const limit = (text) => Number(toNumber(text));

/** @param {string} name */
const isThreads = (name) =>
  SETTING_NAMES.some(
    (setting) => SETTINGS[setting].key === name && SETTINGS[setting].unit === 'threads',
  );

/** @param {string} name */
const isPercent = (name) =>
  SETTING_NAMES.some(
    (setting) => SETTINGS[setting].key === name && SETTINGS[setting].unit === 'percent',
  );

/**
 * @param {{ name: string, value: Item, number: number }} given
 * @returns {Problem[]} a problem where the server accepts the number and the user hardly means it
 */
function oddNumber({ name, value, number }) {
  if (isPercent(name) && number > 100 && number < SMALLEST_BYTES) {
    return [
      warning(
        name,
        value.position,
        `${name}=${value.text} means bytes: up to 100 is percent, above it bytes`,
        'Give a percentage from 1 to 100.',
      ),
    ];
  }
  if (/[kmgtp].*[kmgtp]/i.test(value.text))
    return [warning(name, value.position, `In ${value.text} every unit letter multiplies`, UNITS)];
  return [];
}

/** @param {Item | null} value */
function numberHelp(value) {
  if (value === null || value.text === '') return UNITS;
  if (value.kind === 'string')
    return `Remove the quotes: WiredTiger reads ${JSON.stringify(value.text)} as text.`;
  if (/^\d+[.,]\d+/.test(value.text)) return `${UNITS} Fractions are not supported: 1.5G is 1536M.`;
  return value.text.endsWith('%') ? 'Remove the percent sign: up to 100 is percent.' : UNITS;
}

/** @param {Given} given @returns {Problem[]} */
function checkBoolean({ name, key, value }) {
  if (
    value === null ||
    ['true', 'false', '0', '1'].includes(value.kind === 'string' ? '' : value.text)
  )
    return [];
  return [
    error(
      name,
      value.position ?? key.position,
      `${name} must be true or false, not ${reported(value)}`,
      'Write true or false.',
    ),
  ];
}

/** @param {Given} given @returns {Problem[]} */
function checkList({ name, key, value, definition: { choices } }) {
  const text = value?.text ?? '';
  if (text === '')
    return choices
      ? [error(name, key.position, `${name} needs a value`, `Write ${key.text}=(…).`)]
      : [];
  if (value === null || value.kind !== 'struct')
    return [
      error(
        name,
        value?.position ?? key.position,
        `${name} must be a list in brackets, not ${reported(value)}`,
        `Write ${key.text}=(${text}).`,
      ),
    ];
  return choices ? checkChoices({ name, value, choices }) : [];
}

/** @param {{ name: string, value: Item, choices: string[] }} list @returns {Problem[]} */
function checkChoices({ name, value, choices }) {
  const { pairs, problem } = scan(value.text, value.position);
  return [
    ...pairs
      .filter(({ key }) => !choices.includes(key.text))
      .map(({ key }) => notAChoice(name, key, choices)),
    ...(problem
      ? [
          error(
            name,
            problem.position,
            `WiredTiger cannot read the list of ${name}: ${problem.say}`,
            'Write (a,b,c).',
          ),
        ]
      : []),
  ];
}

/** @param {string} name @param {Item} item @param {string[]} choices */
function notAChoice(name, item, choices) {
  const like = nearest(item.text, choices);
  return error(
    name,
    item.position,
    `${name} does not accept ${JSON.stringify(item.text)}`,
    like ? `Did you mean ${like}?` : `It accepts: ${choices.join(', ')}.`,
  );
}

/** @param {Given} given @returns {Problem[]} */
function checkText({ name, key, value, definition: { choices } }) {
  if (!choices) return [];
  if (!value?.text)
    return [
      error(name, key.position, `${name} needs a value`, `It accepts: ${choices.join(', ')}.`),
    ];
  return choices.includes(value.text) ? [] : [notAChoice(name, value, choices)];
}

/** @param {Item | null} value */
const reported = (value) => (value === null ? 'a key alone' : JSON.stringify(value.text));

module.exports = { checkValue };
