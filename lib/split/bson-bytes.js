'use strict';

/**
 * BSON as its bytes.
 * @typedef {{ type: number, name: Uint8Array, value: Uint8Array }} Element `name` and `value` as
 *   bytes
 */

const TYPE = Object.freeze({
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binary: 5,
  undefined: 6,
  objectId: 7,
  boolean: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  code: 13,
  symbol: 14,
  codeWithScope: 15,
  int32: 16,
  timestamp: 17,
  int64: 18,
  decimal: 19,
  minKey: 255,
  maxKey: 127,
});

/** @param {Uint8Array} bytes */
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
/** @param {Uint8Array} bytes @param {number} at */
const afterText = (bytes, at) => bytes.indexOf(0, at) + 1;

/** @param {Uint8Array} bytes @param {number} at */
const stringSize = (bytes, at) => 4 + lengthAt(bytes, at);

/**
 * Bytes of a value by its type; what is not here has none.
 * @type {Readonly<Record<number, (bytes: Uint8Array, at: number) => number>>}
 */
const SIZES = Object.freeze({
  [TYPE.double]: () => 8,
  [TYPE.string]: stringSize,
  [TYPE.object]: lengthAt,
  [TYPE.array]: lengthAt,
  [TYPE.binary]: (bytes, at) => 5 + lengthAt(bytes, at),
  [TYPE.objectId]: () => 12,
  [TYPE.boolean]: () => 1,
  [TYPE.date]: () => 8,
  [TYPE.dbPointer]: (bytes, at) => 16 + lengthAt(bytes, at),
  [TYPE.code]: stringSize,
  [TYPE.symbol]: stringSize,
  [TYPE.codeWithScope]: lengthAt,
  [TYPE.int32]: () => 4,
  [TYPE.timestamp]: () => 8,
  [TYPE.int64]: () => 8,
  [TYPE.decimal]: () => 16,
  [TYPE.regex]: (bytes, at) => afterText(bytes, afterText(bytes, at)) - at,
});
/** @param {Uint8Array} bytes @param {number} at */
function lengthAt(bytes, at) {
  return viewOf(bytes).getInt32(at, true);
}

/** @param {Uint8Array} bytes of a document @returns {Element[]} in their order */
function elementsOf(bytes) {
  /** @type {Element[]} */ const elements = [];
  for (let at = 4; bytes[at] !== 0;) {
    const value = afterText(bytes, at + 1);
    const end = value + (SIZES[bytes[at]]?.(bytes, value) ?? 0);
    elements.push({
      type: bytes[at],
      name: bytes.subarray(at + 1, value - 1),
      value: bytes.subarray(value, end),
    });
    at = end;
  }
  return elements;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/**
 * @param {Uint8Array} bytes
 * @returns {string | null} null: this is no UTF-8, and JavaScript has no string for it
 */
function textOf(bytes) {
  try {
    return UTF8.decode(bytes);
  } catch (_invalid) {
    return null;
  }
}
/** @param {Uint8Array} value of a string, or what is stored as one */
const stringOf = (value) => textOf(value.subarray(4, -1));

/**
 * @param {Uint8Array} bytes of a document or an array
 * @returns {any} its strings and what they stand in, as objects; null for any other value
 */
const namesIn = (bytes) =>
  Object.fromEntries(
    elementsOf(bytes).map(({ type, name, value }) => [textOf(name), nameIn(type, value)]),
  );

/** @param {number} type @param {Uint8Array} value */
function nameIn(type, value) {
  if (type === TYPE.object || type === TYPE.array) return namesIn(value);
  return type === TYPE.string ? stringOf(value) : null;
}

module.exports = { TYPE, elementsOf, namesIn, textOf, stringOf, viewOf, afterText, lengthAt };
