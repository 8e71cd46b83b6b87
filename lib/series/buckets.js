'use strict';

/**
 * Downsamples by minimum and maximum: values over time in bounded memory. Merged neighbours keep
 * their minimum, their maximum and the order of the two, so that a spike of one second is still
 * visible in a week.
 *
 * @typedef {{
 *   fromMs: number, toMs: number, sampleCount: number, follows: boolean, min: number[], max: number[],
 *   falls: readonly number[]
 * }} Bucket `follows`: continues the one before, without a gap; `min`, `max`: NaN where nothing is
 *   known; `falls`: 1 where the maximum came first
 */

/**
 * A bucket of one sample has its minimum and maximum at the same time.
 * @type {readonly number[]}
 */
const NEVER = Object.freeze([]);

/**
 * Merging pairs within gaps has to remove at least a quarter of the buckets; else there are too
 * many gaps to be kept (heuristic).
 */
const KEPT_RATIO = 0.75;

class Buckets {
  /** @param {number} max number of buckets */
  constructor(max) {
    this.max = max;
    /** @type {Bucket[]} */
    this.buckets = [];
    this.everyMs = 0;
  }

  /**
   * Adds one sample.
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

  /** Makes the buckets twice as long. */
  downsampleInPlace() {
    const spanMs = this.buckets[this.buckets.length - 1].toMs - this.buckets[0].fromMs;
    this.everyMs = Math.max(this.everyMs * 2, (2 * spanMs) / this.max);
    this.buckets = downsampled(this.buckets, this.max);
  }
}

/**
 * Merges neighbours in time until there are at most `max` buckets.
 * @param {readonly Bucket[]} buckets the function does not change them
 * @param {number} max
 * @returns {Bucket[]}
 */
function downsampled(buckets, max) {
  let kept = buckets.map((bucket) => ({ ...bucket }));
  for (let keepsGaps = true; kept.length > max;) {
    const before = kept.length;
    kept = paired(kept, keepsGaps);
    keepsGaps = kept.length <= before * KEPT_RATIO;
  }
  return kept;
}

/**
 * Merges buckets by twos.
 * @param {Bucket[]} buckets
 * @param {boolean} keepsGaps merges nothing across a gap
 * @returns {Bucket[]}
 */
function paired(buckets, keepsGaps) {
  /** @type {Bucket[]} */
  const kept = [];
  for (let i = 0; i < buckets.length; i++) {
    const [bucket, next] = [buckets[i], buckets[i + 1]];
    kept.push(bucket);
    if (next === undefined || (keepsGaps && !next.follows)) continue;
    Object.assign(bucket, {
      min: bucket.min.slice(),
      max: bucket.max.slice(),
      falls: ownFalls(bucket),
    });
    join(bucket, next);
    i++;
  }
  return kept;
}

/** A list that may be changed. @param {Bucket} bucket */
const ownFalls = ({ min, falls }) => (falls === NEVER ? min.map(() => 0) : falls.slice());

/**
 * Gives a bucket of one sample, whose minimum and maximum are one list, a list for each.
 * @param {Bucket} bucket changed
 * @returns {{ min: number[], max: number[], falls: number[] }}
 */
function splitLists(bucket) {
  if (bucket.min === bucket.max)
    Object.assign(bucket, { max: bucket.max.slice(), falls: ownFalls(bucket) });
  return /** @type {Bucket & { falls: number[] }} */ (bucket);
}

/**
 * Merges a bucket, or one sample, into the one before.
 * @param {Bucket} into changed, its arrays too
 * @param {{
 *   toMs: number, sampleCount: number, min: readonly number[], max: readonly number[],
 *   falls: readonly number[]
 * }} next
 */
function join(into, next) {
  const { min, max, falls } = splitLists(into);
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
