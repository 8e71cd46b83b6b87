'use strict';

const { TYPE, elementsOf, stringOf, textOf, viewOf } = require('./bson-values');

/**
 * BSON as a reader sees it, much as mongosh writes it, made from the bytes: a value that JavaScript has not is shown as what it is, not as another one.
 */

/** @param {Uint8Array} bytes */
const hex = (bytes) => Buffer.from(bytes).toString('hex');
/** @param {string | null} text @param {Uint8Array} bytes */
const quoted = (text, bytes) => (text === null ? `<no UTF-8: ${hex(bytes)}>` : JSON.stringify(text));
/** @param {Uint8Array} value */
const quotedString = (value) => quoted(stringOf(value), value.subarray(4, -1));
const UUID = 4;

/** @type {Readonly<Record<number, (value: Uint8Array) => string>>} */
const TEXTS = Object.freeze({
  [TYPE.double]: (value) => number(viewOf(value).getFloat64(0, true)),
  [TYPE.string]: quotedString,
  [TYPE.object]: (value) => `{${elementsOf(value).map((element) => `${quoted(textOf(element.name), element.name)}: ${shownText(element)}`).join(', ')}}`,
  [TYPE.array]: (value) => `[${elementsOf(value).map(shownText).join(', ')}]`,
  [TYPE.binary]: (value) => (value[4] === UUID && value.length === 21 ? `UUID("${hex(value.subarray(5)).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}")` : `Binary(0x${hex(value.subarray(5))}, ${value[4]})`),
  [TYPE.undefined]: () => 'undefined',
  [TYPE.objectId]: (value) => `ObjectId("${hex(value)}")`,
  [TYPE.boolean]: (value) => String(value[0] === 1),
  [TYPE.date]: (value) => date(viewOf(value).getBigInt64(0, true)),
  [TYPE.null]: () => 'null',
  [TYPE.regex]: (value) => `Regex(0x${hex(value)})`,
  [TYPE.code]: (value) => `Code(${quotedString(value)})`,
  [TYPE.symbol]: (value) => `Symbol(${quotedString(value)})`,
  [TYPE.int32]: (value) => String(viewOf(value).getInt32(0, true)),
  [TYPE.timestamp]: (value) => `Timestamp(${viewOf(value).getUint32(4, true)}, ${viewOf(value).getUint32(0, true)})`,
  [TYPE.int64]: (value) => `Long("${viewOf(value).getBigInt64(0, true)}")`,
  [TYPE.decimal]: (value) => `Decimal128(0x${hex(value)})`,
  [TYPE.minKey]: () => 'MinKey()',
  [TYPE.maxKey]: () => 'MaxKey()',
});

/** @param {number} value */
const number = (value) => (Object.is(value, -0) ? '-0' : String(value));

/** @param {bigint} ms */
function date(ms) {
  const inRange = new Date(Number(ms));
  return Number.isNaN(inRange.getTime()) ? `Date(${ms} ms)` : `ISODate("${inRange.toISOString()}")`;
}

/** @param {import('./bson-values').Element} element @returns {string} */
function shownText({ type, value }) {
  return TEXTS[type]?.(value) ?? `<type ${type}: ${hex(value)}>`;
}

module.exports = { shownText };
