'use strict';

const { TRACKS, TRACK_NAMES } = require('./tracks');
const { Envelope, thinned } = require('./envelope');
const { LineMarks } = require('./line-marks');
const { stretchOf } = require('./stretch');

/**
 * The course of a server as a line to be drawn, gathered while a recording of any length passes by,
 * in bounded room.
 * @typedef {import('./stretch').Stretch} Stretch
 * @typedef {import('./drawn').Drawn} Drawn
 * @typedef {{ stretch: Stretch, i: number }} Place
 */

const READS = TRACK_NAMES.map((name) => TRACKS[name]);
/** A screen is 4000 pixels wide at most, and what is kept is halved by turns. */
const KEPT = 8000;

class Line {
  /** @param {number} [kept] stretches */
  constructor(kept = KEPT) {
    this.envelope = new Envelope(kept);
    this.marks = new LineMarks();
    this.values = TRACK_NAMES.map(() => NaN);
    this.sums = new Float64Array(TRACK_NAMES.length);
    this.known = new Float64Array(TRACK_NAMES.length);
    this.looks = 0;
  }

  /**
   * @param {Stretch} stretch
   * @param {number} i
   * @param {Place | null} before the sample it follows on
   */
  add(stretch, i, before) {
    const now = getOf(stretch, i);
    const then = before === null ? NOTHING : getOf(before.stretch, before.i);
    const seconds = before === null ? NaN : secondsBetween(before, { stretch, i });
    // Written for speed: there are eighty-six thousand of these in a day.
    for (let k = 0; k < READS.length; k++) {
      const value = READS[k](now, then, seconds);
      const isKnown = Number.isFinite(value);
      this.values[k] = isKnown ? value : NaN;
      if (isKnown) this.sums[k] += value;
      if (isKnown) this.known[k]++;
    }
    this.looks++;
    this.envelope.add(stretch.atMs[i], this.values, before !== null);
    this.marks.add({ now, then, seconds, atMs: stretch.atMs[i] });
  }

  /**
   * @param {number} most stretches
   * @param {Record<string, number>} levels
   * @param {readonly import('./course').Break_[]} breaks
   * @returns {Drawn}
   */
  drawn(most, levels, breaks) {
    const buckets = thinned(this.envelope.buckets, most).sort((a, b) => a.fromMs - b.fromMs);
    const isThinned = buckets.some(({ looks }) => looks > 1);
    const points = buckets.flatMap((bucket, n) => pointsOf(bucket, n > 0 && !bucket.follows));
    const known = TRACK_NAMES.map((name, k) => ({ name, k })).filter(({ k }) => this.known[k] > 0);
    const summaryOf = (/** @type {number} */ k) => ({
      least: buckets.reduce(
        (least, bucket) => (bucket.least[k] < least ? bucket.least[k] : least),
        Infinity,
      ),
      mean: this.sums[k] / this.known[k],
      most: buckets.reduce(
        (best, bucket) => (bucket.most[k] > best ? bucket.most[k] : best),
        -Infinity,
      ),
    });
    return {
      at: rising(points.map(({ atMs }) => atMs)),
      tracks: Object.fromEntries(
        known.map(({ name, k }) => [
          name,
          points.map(({ bucket, isFirst }) => valueOf(bucket, isFirst, k)),
        ]),
      ),
      summary: Object.fromEntries(known.map(({ name, k }) => [name, summaryOf(k)])),
      levels,
      ...this.marks.found(),
      breaks: breaks.map(({ fromMs, toMs, kind }) => ({ fromMs, toMs, kind })),
      blocks: [],
      looks: this.looks,
      thinnedTo: isThinned ? buckets.length : null,
    };
  }
}

/** @returns {number} */
const NOTHING = () => NaN;

/** @param {Stretch} stretch @param {number} i @returns {import('./tracks').Get} */
const getOf =
  ({ columns }, i) =>
  (name) =>
    /** @type {Record<string, Float64Array | undefined>} */ (columns)[name]?.[i] ?? NaN;

/** The server's own clock where it tells it. @param {Place} a @param {Place} b */
function secondsBetween(a, b) {
  const up = b.stretch.uptimeMs[b.i] - a.stretch.uptimeMs[a.i];
  const ms = Number.isNaN(up) ? b.stretch.atMs[b.i] - a.stretch.atMs[a.i] : up;
  return ms > 0 ? ms / 1000 : NaN;
}

/** @typedef {import('./envelope').Bucket} Bucket */

/**
 * @param {Bucket} bucket
 * @param {boolean} isAfterGap
 * @returns {{ atMs: number, bucket: Bucket | null, isFirst: boolean }[]} with an empty one where
 *   the line is broken
 */
function pointsOf(bucket, isAfterGap) {
  const gap = isAfterGap ? [{ atMs: bucket.fromMs - 1, bucket: null, isFirst: true }] : [];
  const last = bucket.looks > 1 ? [{ atMs: bucket.toMs, bucket, isFirst: false }] : [];
  return [...gap, { atMs: bucket.fromMs, bucket, isFirst: true }, ...last];
}

/**
 * @param {Bucket | null} bucket
 * @param {boolean} isFirst
 * @param {number} k
 * @returns {number | null}
 */
function valueOf(bucket, isFirst, k) {
  if (bucket === null) return null;
  const value = isFirst === (bucket.falls[k] === 1) ? bucket.most[k] : bucket.least[k];
  return Number.isNaN(value) ? null : value;
}

/**
 * What overlaps because a clock was set back is pushed behind the other.
 * @param {number[]} at changed
 */
function rising(at) {
  for (let i = 1; i < at.length; i++) at[i] = Math.max(at[i], at[i - 1]);
  return at;
}

/** @param {import('../server/pure/window').Window} window @returns {Line} */
function lineOf({ samples }) {
  const line = new Line();
  const stretch = stretchOf(samples);
  samples.forEach((_, i) => line.add(stretch, i, i === 0 ? null : { stretch, i: i - 1 }));
  return line;
}

module.exports = { Line, lineOf };
