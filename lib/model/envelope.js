'use strict';

/**
 * Values over time in bounded room: of neighbours that had to be put together the least and the most are kept, and which came
 * first, so that a spike of one second is still there in a line of a week.
 *
 * @typedef {{ fromMs: number, toMs: number, looks: number, follows: boolean, least: Float64Array, most: Float64Array, falls: Uint8Array }} Bucket
 *   `follows`: on the one before, without a gap between; `least`, `most`: NaN where nothing is known; `falls`: 1 where the most came first
 */

class Envelope {
  /** @param {number} most buckets that are kept */
  constructor(most) {
    this.most = most;
    /** @type {Bucket[]} */
    this.buckets = [];
    this.everyMs = 0;
  }

  /** @param {number} atMs @param {Float64Array} values not kept @param {boolean} follows */
  add(atMs, values, follows) {
    const last = this.buckets.at(-1);
    const made = { fromMs: atMs, toMs: atMs, looks: 1, follows: follows && last !== undefined, least: values.slice(), most: values.slice(), falls: new Uint8Array(values.length) };
    if (last !== undefined && follows && atMs >= last.toMs && atMs - last.fromMs < this.everyMs) join(last, made);
    else this.buckets.push(made);
    if (this.buckets.length > this.most) this.thin();
  }

  /** Twice as coarse; where gaps are everywhere, it goes over them. */
  thin() {
    const spanMs = this.buckets[this.buckets.length - 1].toMs - this.buckets[0].fromMs;
    this.everyMs = Math.max(this.everyMs * 2, (2 * spanMs) / this.most);
    this.buckets = thinned(this.buckets, this.most);
  }
}

/**
 * @param {readonly Bucket[]} buckets not changed @param {number} most
 * @returns {Bucket[]} at most so many; neighbours that were put together lie next to each other in time
 */
function thinned(buckets, most) {
  let kept = buckets.map((bucket) => ({ ...bucket }));
  for (let careful = true; kept.length > most;) {
    const before = kept.length;
    kept = paired(kept, careful);
    careful = kept.length <= before * GAINS;
  }
  return kept;
}

/** Putting pairs together without going over a gap has to take away a quarter; else gaps are too many to be kept. */
const GAINS = 0.75;

/** @param {Bucket[]} buckets @param {boolean} careful not over a gap @returns {Bucket[]} */
function paired(buckets, careful) {
  /** @type {Bucket[]} */
  const kept = [];
  for (let i = 0; i < buckets.length; i++) {
    const [bucket, next] = [buckets[i], buckets[i + 1]];
    kept.push(bucket);
    if (next === undefined || (careful && !next.follows)) continue;
    Object.assign(bucket, { least: bucket.least.slice(), most: bucket.most.slice(), falls: bucket.falls.slice() });
    join(bucket, next);
    i++;
  }
  return kept;
}

/** @param {Bucket} into changed, its arrays too @param {Bucket} next */
function join(into, next) {
  const { least, most, falls } = into;
  for (let k = 0; k < least.length; k++) {
    const [lower, higher] = [!(next.least[k] >= least[k]), !(next.most[k] <= most[k])];
    if (Number.isNaN(next.least[k])) continue;
    // Both at once: nothing was known before.
    if (lower && higher) falls[k] = next.falls[k];
    else if (lower) falls[k] = 1;
    else if (higher) falls[k] = 0;
    if (lower) least[k] = next.least[k];
    if (higher) most[k] = next.most[k];
  }
  Object.assign(into, { toMs: Math.max(into.toMs, next.toMs), looks: into.looks + next.looks });
}

module.exports = { Envelope, thinned };
