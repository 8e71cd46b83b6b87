'use strict';

/**
 * Reads as much BSON as diagnostic.data needs: it walks by position, makes no objects, keeps
 * duplicate keys and ignores encodings. A driver's parser makes an object, and so loses the second
 * of two equal keys and with it the place of every metric behind it (seen in systemMetrics.mounts).
 */

const TYPE = Object.freeze({
  DOUBLE: 0x01,
  STRING: 0x02,
  DOCUMENT: 0x03,
  ARRAY: 0x04,
  BINARY: 0x05,
  OBJECT_ID: 0x07,
  BOOL: 0x08,
  DATE: 0x09,
  REGEX: 0x0b,
  POINTER: 0x0c,
  CODE: 0x0d,
  SYMBOL: 0x0e,
  CODE_WITH_SCOPE: 0x0f,
  INT32: 0x10,
  TIMESTAMP: 0x11,
  INT64: 0x12,
  DECIMAL: 0x13,
});

/** The bytes of a value by type; -1: no type, -2: the value itself has its length. */
const SIZES = new Int8Array(256).fill(-1);
for (const [type, size] of [
  [TYPE.DOUBLE, 8],
  [0x06, 0],
  [TYPE.OBJECT_ID, 12],
  [TYPE.BOOL, 1],
  [TYPE.DATE, 8],
  [0x0a, 0],
  [TYPE.INT32, 4],
  [TYPE.TIMESTAMP, 8],
  [TYPE.INT64, 8],
  [TYPE.DECIMAL, 16],
  [0x7f, 0],
  [0xff, 0],
  [TYPE.STRING, -2],
  [TYPE.DOCUMENT, -2],
  [TYPE.ARRAY, -2],
  [TYPE.BINARY, -2],
  [TYPE.REGEX, -2],
  [TYPE.POINTER, -2],
  [TYPE.CODE, -2],
  [TYPE.SYMBOL, -2],
  [TYPE.CODE_WITH_SCOPE, -2],
])
  SIZES[type] = size;

const SMALLEST_DOCUMENT = 5;
/** The server nests a dozen deep; a damaged file must not nest until the stack is full. */
const DEEPEST = 100;

/** The bytes are no BSON, or no chunk; the reader skips them and continues behind them. */
class Damaged extends Error {}

/**
 * @param {Buffer} bytes
 * @param {number} at where the document begins
 * @param {(type: number, keyAt: number, valueAt: number, valueEnd: number) => void} visit each
 *   element in order; its key ends
 *   one byte before its value
 * @returns {number} where the document ends
 * @throws {Damaged}
 */
function walk(bytes, at, visit) {
  const end = documentEnd(bytes, at);
  let next = at + 4;
  while (next < end - 1) {
    const keyAt = next + 1;
    const keyEnd = bytes.indexOf(0, keyAt);
    const valueAt = keyEnd + 1;
    const valueEnd = valueAt + sizeOf(bytes, bytes[next], valueAt);
    if (keyEnd < 0 || valueEnd < valueAt || valueEnd > end - 1)
      throw new Damaged('an element is longer than its document');
    visit(bytes[next], keyAt, valueAt, valueEnd);
    next = valueEnd;
  }
  if (next !== end - 1 || bytes[next] !== 0)
    throw new Damaged('a document does not end at its declared length');
  return end;
}

/**
 * Finds where a document ends, by its length.
 * @param {Buffer} bytes
 * @param {number} at
 */
function documentEnd(bytes, at) {
  const length = at + 4 <= bytes.length ? bytes.readInt32LE(at) : 0;
  if (length < SMALLEST_DOCUMENT || at + length > bytes.length)
    throw new Damaged(`a document of ${length} bytes`);
  return at + length;
}

/**
 * Finds how long a value is.
 * @param {Buffer} bytes
 * @param {number} type
 * @param {number} at
 * @returns {number} the bytes of the value
 */
function sizeOf(bytes, type, at) {
  const size = SIZES[type];
  if (size >= 0) return size;
  if (size === -1) throw new Damaged(`unknown BSON type: ${type}`);
  if (type === TYPE.REGEX) return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1 - at;
  const length = at + 4 <= bytes.length ? bytes.readInt32LE(at) : -1;
  if (length < 0) throw new Damaged(`a value of ${length} bytes`);
  return length + extra(type);
}

/** Bytes of a value beyond those its length counts. @param {number} type */
function extra(type) {
  if (type === TYPE.DOCUMENT || type === TYPE.ARRAY || type === TYPE.CODE_WITH_SCOPE) return 0;
  if (type === TYPE.BINARY) return 5;
  return type === TYPE.POINTER ? 16 : 4;
}

/**
 * A document as an object without a prototype; of equal keys the first. What no fact is made of
 * (binary, code …) is left out.
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} [depth]
 * @returns {Record<string, any>}
 * @throws {Damaged}
 */
function toObject(bytes, at, depth = 0) {
  refuseDepth(depth);
  const made = Object.create(null);
  walk(bytes, at, (type, keyAt, valueAt) => {
    const key = bytes.toString('utf8', keyAt, valueAt - 1);
    const value = toValue(bytes, { type, at: valueAt, depth });
    if (value !== undefined && !(key in made)) made[key] = value;
  });
  return made;
}

/**
 * Refuses documents that are nested too deep.
 * @param {number} depth
 */
function refuseDepth(depth) {
  if (depth > DEEPEST) throw new Damaged('documents nested too deeply');
}

/** @param {Buffer} bytes @param {{ type: number, at: number, depth: number }} place */
function toValue(bytes, { type, at, depth }) {
  switch (type) {
    case TYPE.DOUBLE:
      return bytes.readDoubleLE(at);
    case TYPE.STRING:
      return bytes.toString('utf8', at + 4, at + 3 + bytes.readInt32LE(at));
    case TYPE.DOCUMENT:
      return toObject(bytes, at, depth + 1);
    case TYPE.ARRAY:
      return Object.values(toObject(bytes, at, depth + 1));
    case TYPE.BOOL:
      return bytes[at] !== 0;
    case TYPE.DATE:
      return new Date(Number(bytes.readBigInt64LE(at)));
    case TYPE.INT32:
      return bytes.readInt32LE(at);
    case TYPE.INT64:
      return Number(bytes.readBigInt64LE(at));
    default:
      return undefined;
  }
}

module.exports = { TYPE, Damaged, walk, toObject, refuseDepth };
