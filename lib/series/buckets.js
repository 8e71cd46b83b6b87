'use strict';

/**
 * Values over time in bounded room: of neighbours that had to be put together the least and the
 * most are kept, and which came first, so that a spike of one second is still there in a line of a
 * week.
 *
 * @typedef {{
 *   fromMs: number, toMs: number, sampleCount: number, follows: boolean, min: number[], max: number[],
 *   falls: readonly number[]
 * }} Bucket
 *   `follows`: on the one before, without a gap between; `min`, `max`: NaN where nothing is
 *   known; `falls`: 1 where the most came first
 */

/** One value is the least and the most at once. @type {readonly number[]} */
const NEVER = Object.freeze([]);

class Buckets {
  /** @param {number} max buckets that are kept */
  constructor(max) {
    this.max = max;
    /** @type {Bucket[]} */
    this.buckets = [];
    this.everyMs = 0;
  }

  /**
   * @param {number} atMs
   * @param {readonly number[]} values NaN: not known
   * @param {boolean} follows
   */
  add(atMs, values, follows) {
    const last = this.buckets.at(-1);
    if (last !== undefined && follows && atMs >= last.toMs && atMs - last.fromMs < this.everyMs)
      join(last, { toMs: atMs, sampleCount: 1, min: values, max: values, falls: NEVER });
    else {
      const own = values.slice();
      this.buckets.push({
        fromMs: atMs,
        toMs: atMs,
        sampleCount: 1,
        follows: follows && last !== undefined,
        min: own,
        max: own,
        falls: NEVER,
      });
    }
    if (this.buckets.length > this.max) this.downsampleInPlace();
  }

  /** Twice as coarse; where gaps are everywhere, it goes over them. */
  downsampleInPlace() {
    const spanMs = this.buckets[this.buckets.length - 1].toMs - this.buckets[0].fromMs;
    this.everyMs = Math.max(this.everyMs * 2, (2 * spanMs) / this.max);
    this.buckets = downsampled(this.buckets, this.max);
  }
}

/**
 * @param {readonly Bucket[]} buckets not changed
 * @param {number} max
 * @returns {Bucket[]} at most so many; neighbours that were put together lie next to each other in
 *   time
 */
function downsampled(buckets, max) {
  let kept = buckets.map((bucket) => ({ ...bucket }));
  for (let careful = true; kept.length > max;) {
    const before = kept.length;
    kept = paired(kept, careful);
    careful = kept.length <= before * GAINS;
  }
  return kept;
}

/**
 * Putting pairs together without going over a gap has to take away a quarter; else gaps are too
 * many to be kept.
 */
const GAINS = 0.75;

/** @param {Bucket[]} buckets @param {boolean} careful not over a gap @returns {Bucket[]} */
function paired(buckets, careful) {
  /** @type {Bucket[]} */
  const kept = [];
  for (let i = 0; i < buckets.length; i++) {
    const [bucket, next] = [buckets[i], buckets[i + 1]];
    kept.push(bucket);
    if (next === undefined || (careful && !next.follows)) continue;
    Object.assign(bucket, {
      min: bucket.min.slice(),
      max: bucket.max.slice(),
      falls: zeros(bucket),
    });
    join(bucket, next);
    i++;
  }
  return kept;
}

/** A list of its own. @param {Bucket} bucket */
const zeros = ({ min, falls }) => (falls === NEVER ? min.map(() => 0) : falls.slice());

/**
 * One look has one list for both, until another joins it.
 * @param {Bucket} bucket changed
 * @returns {{ min: number[], max: number[], falls: number[] }}
 */
function apart(bucket) {
  if (bucket.min === bucket.max)
    Object.assign(bucket, { max: bucket.max.slice(), falls: zeros(bucket) });
  return /** @type {Bucket & { falls: number[] }} */ (bucket);
}

/**
 * @param {Bucket} into changed, its arrays too
 * @param {{
 *   toMs: number, sampleCount: number, min: readonly number[], max: readonly number[],
 *   falls: readonly number[]
 * }} next
 */
function join(into, next) {
  const { min, max, falls } = apart(into);
  for (let k = 0; k < min.length; k++) {
    if (Number.isNaN(next.min[k])) continue;
    const lower = !(next.min[k] >= min[k]);
    const higher = !(next.max[k] <= max[k]);
    // Both at once: nothing was known before.
    if (lower && higher) falls[k] = next.falls[k] ?? 0;
    else if (lower) falls[k] = 1;
    else if (higher) falls[k] = 0;
    if (lower) min[k] = next.min[k];
    if (higher) max[k] = next.max[k];
  }
  into.toMs = Math.max(into.toMs, next.toMs);
  into.sampleCount += next.sampleCount;
}

module.exports = { Buckets, downsampled };
