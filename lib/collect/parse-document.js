'use strict';

/**
 * A document as extended JSON, as JSON.stringify writes it, or as the shell of 4.4 and before prints it: JSON but for a few
 * constructors, such as NumberLong(5) and ISODate("…").
 */

const BYTE_ORDER_MARK = /^\uFEFF/;
/** Strings go first, so that what they hold stays as it is. */
const FORMS = /"(?:[^"\\]|\\.)*"|\b(?:new\s+)?([A-Z]\w*)\(\s*("(?:[^"\\]|\\.)*"|[^()"]*)[^()]*\)|\b(?:undefined|NaN|-?Infinity)\b/g;
const NUMBERS = /^(?:Number)?(?:Long|Int|Int32|Decimal|Decimal128|Double)$/;
const TEXTS = /^(?:ISODate|Date|ObjectId|UUID)$/;

/** @param {string} text @returns {unknown} undefined for what is no document */
function parseDocument(text) {
  const json = text.replace(BYTE_ORDER_MARK, '');
  return tryJson(json) ?? tryJson(json.replace(FORMS, asJson));
}

/** @param {string} found @param {string | undefined} name @param {string} value */
function asJson(found, name, value) {
  if (found.startsWith('"')) return found;
  if (name === undefined) return 'null';
  if (NUMBERS.test(name)) return value.replace(/"/g, '').trim() || 'null';
  return TEXTS.test(name) && value.startsWith('"') ? value : 'null';
}

/** @param {string} json @returns {unknown} */
function tryJson(json) {
  try {
    return JSON.parse(json) ?? undefined;
  } catch (_noJson) {
    return undefined;
  }
}

module.exports = { parseDocument };
