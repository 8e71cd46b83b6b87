'use strict';

const { TYPE, elementsOf, stringOf, textOf, viewOf, formOf } = require('./bson');
const { elementOf } = require('./ids');

/**
 * @import { Element } from './bson'
 * @import { Id } from './ids'
 * @import { Types } from './types'
 */

/**
 * Prints ids for a reader, from their bytes, so that a value that JavaScript does not have is not
 * shown as another one.
 */

const UUID = 4;

/** @param {Uint8Array} bytes */
const hex = (bytes) => Buffer.from(bytes).toString('hex');
/** @param {string | null} text @param {Uint8Array} bytes */
const quoted = (text, bytes) =>
  text === null ? `<no UTF-8: ${hex(bytes)}>` : JSON.stringify(text);
/** @param {Uint8Array} value */
const quotedString = (value) => quoted(stringOf(value), value.subarray(4, -1));
/** @param {number} value */
const numberText = (value) => (Object.is(value, -0) ? '-0' : String(value));

/** @param {Uint8Array} value */
const timestampText = (value) =>
  `Timestamp(${viewOf(value).getUint32(4, true)}, ${viewOf(value).getUint32(0, true)})`;

/** @param {Uint8Array} value */
const objectText = (value) => `{${elementsOf(value).map(fieldText).join(', ')}}`;
/** @param {Element} element */
const fieldText = (element) =>
  `${quoted(textOf(element.name), element.name)}: ${elementText(element)}`;

/** @param {Uint8Array} value */
function binaryText(value) {
  const [subtype, data] = [value[4], hex(value.subarray(5))];
  if (subtype !== UUID || data.length !== 32) return `Binary(0x${data}, ${subtype})`;
  return `UUID("${data.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}")`;
}

/** @param {Uint8Array} value */
function dateText(value) {
  const ms = viewOf(value).getBigInt64(0, true);
  const date = new Date(Number(ms));
  return Number.isNaN(date.getTime()) ? `Date(${ms} ms)` : `ISODate("${date.toISOString()}")`;
}

/** @type {Readonly<Record<number, (value: Uint8Array) => string>>} */
const TEXTS = Object.freeze({
  [TYPE.double]: (value) => numberText(viewOf(value).getFloat64(0, true)),
  [TYPE.string]: quotedString,
  [TYPE.object]: objectText,
  [TYPE.array]: (value) => `[${elementsOf(value).map(elementText).join(', ')}]`,
  [TYPE.binary]: binaryText,
  [TYPE.undefined]: () => 'undefined',
  [TYPE.objectId]: (value) => `ObjectId("${hex(value)}")`,
  [TYPE.boolean]: (value) => String(value[0] === 1),
  [TYPE.date]: dateText,
  [TYPE.null]: () => 'null',
  [TYPE.regex]: (value) => `Regex(0x${hex(value)})`,
  [TYPE.code]: (value) => `Code(${quotedString(value)})`,
  [TYPE.symbol]: (value) => `Symbol(${quotedString(value)})`,
  [TYPE.int32]: (value) => String(viewOf(value).getInt32(0, true)),
  [TYPE.timestamp]: timestampText,
  [TYPE.int64]: (value) => `Long("${viewOf(value).getBigInt64(0, true)}")`,
  [TYPE.decimal]: (value) => `Decimal128(0x${hex(value)})`,
  [TYPE.minKey]: () => 'MinKey()',
  [TYPE.maxKey]: () => 'MaxKey()',
});

/** @param {Element} element @returns {string} */
function elementText({ type, value }) {
  return TEXTS[type]?.(value) ?? `<type ${type}: ${hex(value)}>`;
}

/**
 * Largest number of characters and bytes of an id: a hundred ids are kept in the state of a split;
 * heuristic.
 */
const MAX_SHOWN = 1_000;

/** @param {Element} element @returns {string} */
function shortText(element) {
  const text = elementText(element);
  return text.length > MAX_SHOWN
    ? `${text.slice(0, MAX_SHOWN)}… (${element.value.length} bytes)`
    : text;
}

/** @param {Id} id @returns {string} */
const textOfId = (id) => shortText(elementOf(id));

/**
 * @param {Id} id
 * @param {Types} types
 * @returns {any} its JavaScript value where that is exact, otherwise its text
 */
function shownOf(id, types) {
  const element = elementOf(id);
  const value = element.value.length > MAX_SHOWN ? NOT_EXACT : valueOf(element, types);
  return value === NOT_EXACT ? shortText(element) : value;
}

const NOT_EXACT = Symbol('JavaScript has no such value');
/** @type {readonly number[]} */
const NUMBERS = Object.freeze([TYPE.double, TYPE.int32, TYPE.int64]);
/** @type {readonly number[]} */
const EXACT = Object.freeze([
  TYPE.string,
  TYPE.boolean,
  TYPE.null,
  TYPE.date,
  TYPE.objectId,
  TYPE.binary,
  TYPE.timestamp,
  TYPE.decimal,
]);

/** @param {Element} element @param {Types} types @returns {any} */
function valueOf(element, types) {
  if (element.type === TYPE.object) return objectOf(element.value, types);
  const form = formOf(element, types);
  if (!form || !('value' in form)) return NOT_EXACT;
  if (!NUMBERS.includes(element.type)) return EXACT.includes(element.type) ? form.value : NOT_EXACT;
  const number = Number(form.value);
  return element.type === TYPE.double || Number.isSafeInteger(number) ? number : NOT_EXACT;
}

/**
 * Integer-like names change places in JavaScript; names with `$` or a dot cannot be stored before
 * 5.0.
 */
const PLAIN_NAME = /^[^$.\d][^.]*$/;

/** @param {Uint8Array} bytes @param {Types} types @returns {any} */
function objectOf(bytes, types) {
  const entries = elementsOf(bytes).map((element) => [
    textOf(element.name),
    valueOf(element, types),
  ]);
  const names = entries.map(([name]) => name);
  const isPlain = names.every(
    (name) => name !== null && name !== '__proto__' && PLAIN_NAME.test(name),
  );
  const isExact =
    isPlain &&
    new Set(names).size === names.length &&
    entries.every(([, value]) => value !== NOT_EXACT);
  return isExact ? Object.fromEntries(entries) : NOT_EXACT;
}

module.exports = { textOfId, shownOf };
