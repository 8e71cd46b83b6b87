'use strict';

/**
 * Counts whole numbers, exactly up to 2,048 and with three significant digits above. Its buckets
 * are those of an HdrHistogram (hdrhistogram.org), so its percentiles are the same. Each value of a
 * bucket counts as the largest one.
 */

/** Buckets, as a power of two: 2,048 values apart by 1, then 1,024 each apart by 2, 4, 8 … */
const HALF_BITS = 10;
const HALF = 2 ** HALF_BITS;
/** Values are clamped to what fits into 32 bits: 71 minutes in microseconds. */
const MAX_VALUE = 2 ** 32 - 1;
const BUCKETS = 32 - HALF_BITS + 1;

/**
 * The form that one process sends to another: only the counts above 0.
 * @typedef {{ at: Uint16Array, counts: Float64Array, sum: number, max: number }} Counts
 */

class Histogram {
  constructor() {
    this.counts = new Float64Array(BUCKETS * HALF);
    this.total = 0;
    this.sum = 0;
    this.max = 0;
  }

  /** @param {number} value a whole number from 0 on @param {number} [count] */
  record(value, count = 1) {
    const known = Math.min(value, MAX_VALUE);
    this.counts[indexOf(known)] += count;
    this.total += count;
    this.sum += known * count;
    if (known > this.max) this.max = known;
  }

  /** @param {Counts} other */
  add({ at, counts, sum, max }) {
    at.forEach((index, i) => {
      this.counts[index] += counts[i];
      this.total += counts[i];
    });
    this.sum += sum;
    this.max = Math.max(this.max, max);
  }

  /** @returns {Counts} */
  toCounts() {
    const at = Uint16Array.from(this.counts.keys()).filter((index) => this.counts[index] > 0);
    const counts = Float64Array.from(at, (index) => this.counts[index]);
    return { at, counts, sum: this.sum, max: this.max };
  }

  /** @returns {number} NaN without a value */
  get mean() {
    return this.sum / this.total;
  }

  /**
   * Finds the value that this percentage of the values does not exceed.
   * @param {number} percent
   * @returns {number} 0 without a value
   */
  percentile(percent) {
    const wanted = Math.max(1, Math.ceil((percent / 100) * this.total));
    let seen = 0;
    for (let index = 0; index < this.counts.length; index++) {
      seen += this.counts[index];
      if (seen >= wanted) return Math.min(this.max, largestAt(index));
    }
    return 0;
  }
}

/** @param {number} value @returns {number} */
function indexOf(value) {
  const bucket = Math.max(0, 31 - HALF_BITS - Math.clz32(value));
  return bucket * HALF + Math.floor(value / 2 ** bucket);
}

/** The largest value that this bucket counts. @param {number} index */
function largestAt(index) {
  const bucket = Math.max(0, Math.floor(index / HALF) - 1);
  return (index - bucket * HALF + 1) * 2 ** bucket - 1;
}

module.exports = { Histogram };
