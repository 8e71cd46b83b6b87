'use strict';

const { CHART_SERIES, CHART_SERIES_NAMES } = require('./series-definitions');
const { Buckets, downsampled } = require('./buckets');
const { SeriesEvents } = require('./series-events');
const { blockOf } = require('./sample-block');

/**
 * @import { Window } from '../server/pure/window'
 * @import { Bucket } from './buckets'
 * @import { Drawn } from './chart-series'
 * @import { Break_ } from './continuity'
 * @import { Stretch } from './sample-block'
 * @import { Get } from './series-definitions'
 */

/**
 * The course of a server as a line to be drawn, gathered while a recording of any length passes by,
 * in bounded room.
 * @typedef {{ block: Stretch, i: number }} Place
 */

const READS = CHART_SERIES_NAMES.map((name) => CHART_SERIES[name]);
/** A screen is 4000 pixels wide at most, and what is kept is halved by turns. */
const KEPT = 8000;

class TimeSeries {
  /** @param {number} [kept] stretches */
  constructor(kept = KEPT) {
    this.envelope = new Buckets(kept);
    this.marks = new SeriesEvents();
    this.values = CHART_SERIES_NAMES.map(() => NaN);
    this.sums = new Float64Array(CHART_SERIES_NAMES.length);
    this.known = new Float64Array(CHART_SERIES_NAMES.length);
    this.sampleCount = 0;
  }

  /**
   * @param {Stretch} block
   * @param {number} i
   * @param {Place | null} before the sample it follows on
   */
  add(block, i, before) {
    const now = getOf(block, i);
    const then = before === null ? NOTHING : getOf(before.block, before.i);
    const seconds = before === null ? NaN : secondsBetween(before, { block, i });
    // Written for speed: there are eighty-six thousand of these in a day.
    for (let k = 0; k < READS.length; k++) {
      const value = READS[k](now, then, seconds);
      const isKnown = Number.isFinite(value);
      this.values[k] = isKnown ? value : NaN;
      if (isKnown) this.sums[k] += value;
      if (isKnown) this.known[k]++;
    }
    this.sampleCount++;
    this.envelope.add(block.atMs[i], this.values, before !== null);
    this.marks.add({ now, then, seconds, atMs: block.atMs[i] });
  }

  /**
   * @param {number} max stretches
   * @param {Record<string, number>} levels
   * @param {readonly Break_[]} breaks
   * @returns {Drawn}
   */
  drawn(max, levels, breaks) {
    const buckets = downsampled(this.envelope.buckets, max).sort((a, b) => a.fromMs - b.fromMs);
    const isDownsampled = buckets.some(({ sampleCount }) => sampleCount > 1);
    const points = buckets.flatMap((bucket, n) => pointsOf(bucket, n > 0 && !bucket.follows));
    const known = CHART_SERIES_NAMES.map((name, k) => ({ name, k })).filter(
      ({ k }) => this.known[k] > 0,
    );
    const summaryOf = (/** @type {number} */ k) => ({
      min: buckets.reduce((min, bucket) => (bucket.min[k] < min ? bucket.min[k] : min), Infinity),
      mean: this.sums[k] / this.known[k],
      max: buckets.reduce(
        (best, bucket) => (bucket.max[k] > best ? bucket.max[k] : best),
        -Infinity,
      ),
    });
    return {
      at: rising(points.map(({ atMs }) => atMs)),
      series: Object.fromEntries(
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
      sampleCount: this.sampleCount,
      downsampledTo: isDownsampled ? buckets.length : null,
    };
  }
}

/** @returns {number} */
const NOTHING = () => NaN;

/** @param {Stretch} block @param {number} i @returns {Get} */
const getOf =
  ({ columns }, i) =>
  (name) =>
    /** @type {Record<string, Float64Array | undefined>} */ (columns)[name]?.[i] ?? NaN;

/** The server's own clock where it tells it. @param {Place} a @param {Place} b */
function secondsBetween(a, b) {
  const up = b.block.uptimeMs[b.i] - a.block.uptimeMs[a.i];
  const ms = Number.isNaN(up) ? b.block.atMs[b.i] - a.block.atMs[a.i] : up;
  return ms > 0 ? ms / 1000 : NaN;
}

/**
 * @param {Bucket} bucket
 * @param {boolean} isAfterGap
 * @returns {{ atMs: number, bucket: Bucket | null, isFirst: boolean }[]} with an empty one where
 *   the line is broken
 */
function pointsOf(bucket, isAfterGap) {
  const gap = isAfterGap ? [{ atMs: bucket.fromMs - 1, bucket: null, isFirst: true }] : [];
  const last = bucket.sampleCount > 1 ? [{ atMs: bucket.toMs, bucket, isFirst: false }] : [];
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
  const value = isFirst === (bucket.falls[k] === 1) ? bucket.max[k] : bucket.min[k];
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

/** @param {Window} window @returns {TimeSeries} */
function timeSeriesOf({ samples }) {
  const line = new TimeSeries();
  const block = blockOf(samples);
  samples.forEach((_, i) => line.add(block, i, i === 0 ? null : { block, i: i - 1 }));
  return line;
}

module.exports = { TimeSeries, timeSeriesOf };
