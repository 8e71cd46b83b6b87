'use strict';

/**
 * A document as extended JSON, as JSON.stringify writes it, or as the shell of 4.4 and before
 * prints it: JSON but for a few constructors, such as NumberLong(5) and ISODate("…").
 */

const BYTE_ORDER_MARK = /^\uFEFF/;
const STRING = '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"';
/**
 * Strings go first, so that what they hold stays as it is; one without an end goes to the end, and
 * is not begun again in its middle.
 */
const FORMS = new RegExp(
  `${STRING}?|\\b(?:new\\s+)?([A-Z]\\w*)\\(([^()"]*(?:${STRING}[^()"]*)*)\\)|-?\\b(?:undefined|NaN|Infinity)\\b`,
  'g',
);
const FIRST_STRING = new RegExp(`^${STRING}`);
const NUMBERS = /^(?:Number)?(?:Long|Int|Int32|Decimal|Decimal128|Double)$/;
const TEXTS = /^(?:ISODate|Date|ObjectId|UUID)$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** @param {string} text @returns {unknown} undefined for what is no document */
function parseDocument(text) {
  const json = text.replace(BYTE_ORDER_MARK, '');
  return tryJson(() => json) ?? tryJson(() => json.replace(FORMS, asJson));
}

/**
 * @param {string} found
 * @param {string | undefined} name
 * @param {string} content between the brackets
 */
function asJson(found, name, content) {
  if (found.startsWith('"')) return found;
  const value = content?.trim() ?? '';
  if (name === undefined) return 'null';
  if (NUMBERS.test(name)) return numberOr(value.replace(/"/g, '').trim(), (number) => number);
  if (!TEXTS.test(name)) return 'null';
  return FIRST_STRING.exec(value)?.[0] ?? numberOr(value, (ms) => `{"$date":${ms}}`);
}

/** @param {string} value @param {(number: string) => string} use */
const numberOr = (value, use) => (NUMBER.test(value) ? use(value) : 'null');

/**
 * @param {() => string} jsonOf fails, too, where there is a string of many megabytes
 * @returns {unknown}
 */
function tryJson(jsonOf) {
  try {
    return JSON.parse(jsonOf()) ?? undefined;
  } catch (_noJson) {
    return undefined;
  }
}

module.exports = { parseDocument };
