'use strict';

const { Damaged } = require('./bson');

/**
 * Reads the numbers behind a reference document: for each metric in turn, the differences from
 * sample to sample as varints, column by column. A 0 is followed by the number of further zeros,
 * which may continue in the next columns. Differences are modulo 2^64.
 */

const MORE = 0x80;
const SEVEN_BITS = 0x7f;
/** This many groups of 7 bits are exact in a double. */
const EXACT_GROUPS = 7;
const LONGEST_VARINT = 10;
const BITS_28 = 2 ** 28;
/** More than the number of values in the largest chunk. */
const MAX_ZEROS = 2 ** 32;

class DeltaReader {
  /** @param {Uint8Array} bytes @param {number} at where the numbers begin */
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
    /** Zeros that were announced and not yet used. */
    this.zeros = 0;
  }

  /** Whether all was used up, to the byte. @returns {boolean} */
  get isExhausted() {
    return this.at === this.bytes.length && this.zeros === 0;
  }

  /** @param {number} count numbers to leave out */
  skip(count) {
    const { bytes } = this;
    let at = this.at;
    let left = count - this.zeros;
    while (left > 0) {
      const byte = bytes[at++];
      if (byte === 0) {
        let zeros = bytes[at++];
        if (zeros >= MORE) [zeros, at] = this.run(at - 1);
        left -= zeros;
      } else if (byte >= MORE) {
        while (bytes[at++] >= MORE);
      }
      left--;
    }
    this.at = at;
    this.zeros = -left;
  }

  /**
   * Fills out[from + 1 … to - 1] with the values behind out[from].
   * @param {Float64Array} out
   * @param {number} from
   * @param {number} to
   * @returns {boolean} false when a value was beyond 2^53 on the way: what is written then is not
   *   exact, nor what follows it
   */
  fill(out, from, to) {
    const { bytes } = this;
    let { at, zeros } = this;
    let value = out[from];
    let exact = Number.isSafeInteger(value);
    for (let i = from + 1; i < to;) {
      if (zeros > 0) {
        const stop = i + zeros < to ? i + zeros : to;
        zeros -= stop - i;
        while (i < stop) out[i++] = value;
      } else if (bytes[at] === 0) {
        [zeros, at] = this.run(at + 1);
        zeros++;
      } else if (bytes[at] < MORE) {
        value += bytes[at++];
        out[i++] = value;
      } else {
        value += this.takeLong(at);
        at = this.at;
        exact &&= Number.isSafeInteger(value);
        out[i++] = value;
      }
    }
    this.at = at;
    this.zeros = zeros;
    return exact && Number.isSafeInteger(value);
  }

  /**
   * Reads a difference of more than one byte, and goes on behind it.
   * @param {number} from where it begins
   * @returns {number}
   */
  takeLong(from) {
    this.at = this.endOf(from + 1);
    return longDelta(this.bytes, from, this.at);
  }

  /**
   * Fills values in 64 bits: slowly, but exactly.
   * @param {BigInt64Array} out @param {number} from @param {number} to
   */
  fillExact(out, from, to) {
    let value = out[from];
    for (let i = from + 1; i < to; i++) {
      value = BigInt.asIntN(64, value + this.nextExact());
      out[i] = value;
    }
  }

  /** @returns {bigint} the next difference, 0 to 2^64 - 1 */
  nextExact() {
    if (this.zeros > 0) {
      this.zeros--;
      return 0n;
    }
    const end = this.endOf(this.at);
    let delta = 0n;
    for (let i = end - 1; i >= this.at; i--)
      delta = (delta << 7n) | BigInt(this.bytes[i] & SEVEN_BITS);
    this.at = end;
    if (delta === 0n) [this.zeros, this.at] = this.run(end);
    return delta;
  }

  /** @param {number} at @returns {[number, number]} a run of zeros, and where it ends */
  run(at) {
    const end = this.endOf(at);
    const zeros = longDelta(this.bytes, at, end);
    if (zeros < 0 || zeros > MAX_ZEROS) throw new Damaged('too many zeros');
    return [zeros, end];
  }

  /**
   * @param {number} from at the latest behind the first byte of a varint
   * @returns {number} where it ends
   */
  endOf(from) {
    let at = from;
    while (this.bytes[at] >= MORE) at++;
    if (at - from >= LONGEST_VARINT) throw new Damaged('a number that is too long');
    return at + 1;
  }
}

/**
 * A varint as a signed number: exact up to 2^53 either way. Small negative differences are ten
 * bytes long.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} end
 */
function longDelta(bytes, at, end) {
  if (end - at > EXACT_GROUPS) return signedDelta(bytes, at, end);
  let delta = 0;
  for (let i = end - 1; i >= at; i--) delta = delta * MORE + (bytes[i] & SEVEN_BITS);
  return delta;
}

/**
 * Reads a difference in parts of 28, 28 and 8 bits; the last part has the sign.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} end
 */
function signedDelta(bytes, at, end) {
  const low = group(bytes, at);
  const middle = group(bytes, at + 4);
  const top = (bytes[at + 8] & SEVEN_BITS) | (end - at === LONGEST_VARINT ? bytes[at + 9] << 7 : 0);
  const high = end - at > 8 ? (top & 0xff) - (top & 0x80 ? 0x100 : 0) : 0;
  return (high * BITS_28 + middle) * BITS_28 + low;
}

/** @param {Uint8Array} bytes @param {number} at @returns {number} 28 bits */
const group = (bytes, at) =>
  (bytes[at] & SEVEN_BITS) |
  ((bytes[at + 1] & SEVEN_BITS) << 7) |
  ((bytes[at + 2] & SEVEN_BITS) << 14) |
  ((bytes[at + 3] & SEVEN_BITS) << 21);

module.exports = { DeltaReader };
