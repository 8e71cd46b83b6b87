'use strict';

const { TYPE, Damaged, walk, refuseDepth } = require('./bson');

/** Between the keys of a path: the one character that no key of BSON can hold. */
const SEPARATOR = '\0';

/** The types of a metric's first value in the reference document. */
const AS = Object.freeze({ DOUBLE: 0, BOOL: 1, INT32: 2, UINT32: 3, INT64: 4, DECIMAL: 5 });

const FIXED = new Int8Array(256).fill(-1);
for (const [type, as] of [
  [TYPE.DOUBLE, AS.DOUBLE],
  [TYPE.BOOL, AS.BOOL],
  [TYPE.INT32, AS.INT32],
  [TYPE.INT64, AS.INT64],
  [TYPE.DATE, AS.INT64],
  [TYPE.DECIMAL, AS.DECIMAL],
])
  FIXED[type] = as;

/** A timestamp makes two metrics: its seconds, which are stored behind its increment, go first. */
const TIMESTAMP_PARTS = Object.freeze([
  ['t', 4],
  ['i', 0],
]);

/**
 * A few thousand are usual, a few ten thousand were seen; and a path of them all. More than this is
 * not a server's.
 */
const MAX_METRICS = 2 ** 17;
const MAX_CHARACTERS = 2 ** 23;

const BEYOND_INT64 = 2 ** 63;
const HIGH = 2 ** 32;

/**
 * Finds the metrics of a reference document and their places: numbers, booleans, dates and
 * timestamps, in the order of the document.
 */
class Layout {
  /**
   * @param {Buffer} reference from the beginning to the end of the document
   * @throws {import('./bson').Damaged}
   */
  constructor(reference) {
    this.reference = Buffer.from(reference);
    /**
     * 1 where a byte may differ without making another layout: values, not keys, types and lengths.
     */
    this.mask = new Uint8Array(reference.length);
    /** @type {string[]} */
    this.paths = [];
    /** @type {number[]} */
    this.places = [];
    /** @type {number[]} */
    this.kinds = [];
    this.characters = 0;
    this.addDocument(0, '');
  }

  get count() {
    return this.paths.length;
  }

  /** @param {number} at @param {string} prefix @param {number} [depth] */
  addDocument(at, prefix, depth = 0) {
    refuseDepth(depth);
    walk(this.reference, at, (type, keyAt, valueAt, valueEnd) => {
      const path = prefix + this.reference.toString('utf8', keyAt, valueAt - 1);
      if (type === TYPE.DOCUMENT || type === TYPE.ARRAY)
        return this.addDocument(valueAt, path + SEPARATOR, depth + 1);
      if (type === TYPE.TIMESTAMP)
        for (const [part, offset] of TIMESTAMP_PARTS)
          this.add(`${path}${SEPARATOR}${part}`, valueAt + Number(offset), AS.UINT32);
      else if (FIXED[type] >= 0) this.add(path, valueAt, FIXED[type]);
      // A string's length is kept in view, for it moves all that follows.
      this.mask.fill(1, type === TYPE.STRING ? valueAt + 4 : valueAt, valueEnd);
    });
  }

  /** @param {string} path @param {number} place @param {number} kind */
  add(path, place, kind) {
    this.characters += path.length;
    if (this.paths.length >= MAX_METRICS || this.characters > MAX_CHARACTERS)
      throw new Damaged('too many metrics');
    this.paths.push(path);
    this.places.push(place);
    this.kinds.push(kind);
  }

  /**
   * Whether another document has the same metrics at the same places.
   * @param {Buffer} other
   * @returns {boolean}
   */
  fits(other) {
    const { reference, mask } = this;
    if (other.length !== reference.length) return false;
    for (let i = 0; i < reference.length; i++)
      if (reference[i] !== other[i] && mask[i] === 0) return false;
    return true;
  }

  /**
   * The metric's value in a document that fits, as the server turns it into 64 bits.
   * @param {Buffer} document @param {number} index @returns {number} not exact beyond 2^53
   */
  firstValue(document, index) {
    const at = this.places[index];
    switch (this.kinds[index]) {
      case AS.DOUBLE:
        return toInt64(document.readDoubleLE(at));
      case AS.BOOL:
        return document[at] === 0 ? 0 : 1;
      case AS.INT32:
        return document.readInt32LE(at);
      case AS.UINT32:
        return document.readUInt32LE(at);
      case AS.INT64:
        return document.readInt32LE(at + 4) * HIGH + document.readUInt32LE(at);
      default:
        return toInt64(decimal(document, at));
    }
  }

  /** @param {Buffer} document @param {number} index @returns {bigint} the same, exact */
  firstExact(document, index) {
    if (this.kinds[index] === AS.INT64) return document.readBigInt64LE(this.places[index]);
    return BigInt(this.firstValue(document, index));
  }
}

/**
 * Converts to 64 bits, and drops decimals. A value that does not fit becomes the smallest number,
 * as on a CPU and in the public decoders; the server's own "no limit", 1.8e308, is such a value.
 * @param {number} value
 */
const toInt64 = (value) =>
  value >= -BEYOND_INT64 && value < BEYOND_INT64 ? Math.trunc(value) + 0 : -BEYOND_INT64;

const DECIMAL_BIAS = 6176;

/**
 * A decimal128 as a double; that is all a metric needs.
 * @param {Buffer} bytes
 * @param {number} at
 */
function decimal(bytes, at) {
  const high = bytes.readBigUInt64LE(at + 8);
  // Infinite, no number, or one that no server writes.
  if ((high & 0x6000_0000_0000_0000n) === 0x6000_0000_0000_0000n) return NaN;
  const digits = ((high & 0x1_ffff_ffff_ffffn) << 64n) | bytes.readBigUInt64LE(at);
  const exponent = Number((high >> 49n) & 0x3fffn) - DECIMAL_BIAS;
  return Number(`${high >> 63n ? '-' : ''}${digits}e${exponent}`);
}

module.exports = { Layout, SEPARATOR };
