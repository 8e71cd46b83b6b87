'use strict';

const zlib = require('node:zlib');

/**
 * Writes diagnostic data as a server does, and as no server should: what the recordings at hand do
 * not show. Written from the format, apart from the reader, so that the two can disagree.
 *
 * A document is a list of entries, so that keys may come twice; a value is made by one of `as`.
 * @typedef {{ type: number, bytes: Buffer, metrics: bigint[] }} Value `metrics`: what it counts for
 * @typedef {readonly (readonly [string | Buffer, Value])[]} Doc
 */

const int32 = (/** @type {number} */ n) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(n | 0);
  return bytes;
};
const uint32 = (/** @type {number} */ n) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(n >>> 0);
  return bytes;
};
const int64 = (/** @type {bigint} */ n) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt.asIntN(64, n));
  return bytes;
};
const float = (/** @type {number} */ n) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(n);
  return bytes;
};
const string = (/** @type {string} */ text) =>
  Buffer.concat([int32(Buffer.byteLength(text) + 1), Buffer.from(`${text}\0`)]);
const INDEFINITE = -(2n ** 63n);

/** @param {number} type @param {Buffer} bytes @param {bigint[]} [metrics] @returns {Value} */
const value = (type, bytes, metrics = []) => ({ type, bytes, metrics });

const as = {
  double: (/** @type {number} */ n) =>
    value(0x01, float(n), [Math.abs(n) < 2 ** 63 ? BigInt(Math.trunc(n)) : INDEFINITE]),
  string: (/** @type {string} */ text) => value(0x02, string(text)),
  doc: (/** @type {Doc} */ doc) => value(0x03, bsonOf(doc), metricsOf(doc)),
  array: (/** @type {Value[]} */ list) => {
    const doc = list.map((one, i) => /** @type {const} */ ([String(i), one]));
    return value(0x04, bsonOf(doc), metricsOf(doc));
  },
  binary: (/** @type {Buffer} */ bytes) =>
    value(0x05, Buffer.concat([int32(bytes.length), Buffer.from([0]), bytes])),
  undefined: () => value(0x06, Buffer.alloc(0)),
  objectId: () => value(0x07, Buffer.alloc(12, 7)),
  bool: (/** @type {boolean} */ yes) => value(0x08, Buffer.from([yes ? 1 : 0]), [yes ? 1n : 0n]),
  date: (/** @type {number} */ ms) => value(0x09, int64(BigInt(ms)), [BigInt(ms)]),
  null: () => value(0x0a, Buffer.alloc(0)),
  regex: () => value(0x0b, Buffer.from('a+\0i\0')),
  pointer: () => value(0x0c, Buffer.concat([string('db.c'), Buffer.alloc(12, 1)])),
  code: (/** @type {string} */ text) => value(0x0d, string(text)),
  symbol: (/** @type {string} */ text) => value(0x0e, string(text)),
  scoped: () => {
    const inner = Buffer.concat([string('f'), bsonOf([['x', as.int(1)]])]);
    return value(0x0f, Buffer.concat([int32(inner.length + 4), inner]));
  },
  int: (/** @type {number} */ n) => value(0x10, int32(n), [BigInt(n)]),
  timestamp: (/** @type {number} */ seconds, /** @type {number} */ increment) =>
    value(0x11, Buffer.concat([uint32(increment), uint32(seconds)]), [
      BigInt(seconds),
      BigInt(increment),
    ]),
  long: (/** @type {bigint | number} */ n) => value(0x12, int64(BigInt(n)), [BigInt(n)]),
  /** A whole number as a decimal128. */
  decimal: (/** @type {number} */ n) =>
    value(
      0x13,
      Buffer.concat([int64(BigInt(Math.abs(n))), int64((n < 0 ? 1n << 63n : 0n) | (6176n << 49n))]),
      [BigInt(n)],
    ),
  minKey: () => value(0xff, Buffer.alloc(0)),
  maxKey: () => value(0x7f, Buffer.alloc(0)),
};

/** @param {Doc} doc @returns {Buffer} */
function bsonOf(doc) {
  const elements = doc.map(([key, { type, bytes }]) =>
    Buffer.concat([Buffer.from([type]), Buffer.from(key), Buffer.from([0]), bytes]),
  );
  const body = Buffer.concat([...elements, Buffer.from([0])]);
  return Buffer.concat([int32(body.length + 4), body]);
}

/** @param {Doc} doc @returns {bigint[]} */
const metricsOf = (doc) => doc.flatMap(([, { metrics }]) => metrics);

/**
 * Plain objects of numbers, strings, booleans, dates and more of them, as a document.
 * @param {Record<string, any>} object
 * @returns {Doc}
 */
const docOf = (object) => Object.entries(object).map(([key, plain]) => [key, valueOf(plain)]);

/** @param {any} plain @returns {Value} */
function valueOf(plain) {
  if (typeof plain === 'number') return Number.isInteger(plain) ? as.long(plain) : as.double(plain);
  if (typeof plain === 'bigint') return as.long(plain);
  if (typeof plain === 'string') return as.string(plain);
  if (typeof plain === 'boolean') return as.bool(plain);
  if (plain instanceof Date) return as.date(plain.getTime());
  return as.doc(docOf(plain));
}

/** @param {bigint} n 0 to 2^64 - 1 */
function varint(n) {
  const bytes = [];
  for (let rest = n; ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 127n) | 128);
  }
}

/**
 * @param {readonly bigint[]} numbers column by column; a run of zeros is written as 0 and how many
 *   more there are
 */
function packed(numbers) {
  const parts = [];
  for (let i = 0; i < numbers.length; i++) {
    parts.push(varint(numbers[i]));
    if (numbers[i] !== 0n) continue;
    let more = 0;
    while (numbers[i + 1] === 0n) {
      more++;
      i++;
    }
    parts.push(varint(BigInt(more)));
  }
  return Buffer.concat(parts);
}

/**
 * What is inflated out of a chunk.
 * @param {Doc} reference the first sample
 * @param {readonly (readonly bigint[])[]} rows the metrics of the further samples, in order
 */
function chunkBody(reference, rows) {
  const all = [metricsOf(reference), ...rows];
  const deltas = all[0].flatMap((_, metric) =>
    rows.map((row, i) => BigInt.asUintN(64, row[metric] - all[i][metric])),
  );
  return Buffer.concat([
    bsonOf(reference),
    uint32(all[0].length),
    uint32(rows.length),
    packed(deltas),
  ]);
}

/** The field `data` of a chunk. @param {Buffer} body */
const chunkData = (body) => Buffer.concat([uint32(body.length), zlib.deflateSync(body)]);

/** @param {number} atMs @param {Doc} reference @param {readonly (readonly bigint[])[]} [rows] */
const chunk = (atMs, reference, rows = []) => chunkOf(atMs, chunkData(chunkBody(reference, rows)));

/** @param {number} atMs @param {Buffer} data */
const chunkOf = (atMs, data) =>
  bsonOf([
    ['_id', as.date(atMs)],
    ['type', as.int(1)],
    ['data', as.binary(data)],
  ]);

/** @param {number} atMs @param {Record<string, any>} doc */
const metadata = (atMs, doc) =>
  bsonOf([
    ['_id', as.date(atMs)],
    ['type', as.int(0)],
    ['doc', as.doc(docOf(doc))],
  ]);

/** @param {number} atMs @param {Record<string, any>} doc @param {number} [count] */
const update = (atMs, doc, count = 0) =>
  bsonOf([
    ['_id', as.date(atMs)],
    ['type', as.int(2)],
    ['count', as.int(count)],
    ['doc', as.doc(docOf(doc))],
  ]);

/**
 * A chunk from samples given as plain objects of one shape.
 * @param {readonly Record<string, any>[]} samples with `start`, a Date, in each
 */
function chunkOfSamples(samples) {
  const [reference, ...rest] = samples.map(docOf);
  return chunk(samples[0].start.getTime(), reference, rest.map(metricsOf));
}

module.exports = {
  as,
  bsonOf,
  docOf,
  metricsOf,
  chunk,
  chunkOf,
  chunkBody,
  chunkData,
  chunkOfSamples,
  metadata,
  update,
  varint,
};
