'use strict';

const { FORMULAS } = require('./series-definitions');
const { Buckets, downsampled } = require('./buckets');
const { SeriesEvents } = require('./series-events');
const { GapDetector, blockOf, readerAt, secondsBetween } = require('./columns');
const { makeWindow } = require('../server/pure/window');

/**
 * @import { Sample } from '../server/pure/sample'
 * @import { Window } from '../server/pure/window'
 * @import { Bucket } from './buckets'
 * @import { ChartData } from '../text/types'
 * @import { Columns, Discontinuity, Position } from './columns'
 */

/** A screen is at most 4000 pixels wide, and downsampling halves the number of buckets. */
const MAX_BUCKETS = 8000;
/** A live series keeps an hour of one sample a second whole, a week in steps of 3 minutes. */
const MAX_LIVE_BUCKETS = 3600;

/** The time series of one server, computed while samples pass by, in bounded memory. */
class TimeSeries {
  /** @param {number} [max] buckets */
  constructor(max = MAX_BUCKETS) {
    this.kept = new Buckets(max);
    this.events = new SeriesEvents();
    this.values = FORMULAS.map(() => NaN);
    this.sums = new Float64Array(FORMULAS.length);
    this.known = new Float64Array(FORMULAS.length);
    this.sampleCount = 0;
  }

  /**
   * Adds one sample.
   * @param {Columns} block
   * @param {number} i
   * @param {Position | null} before the sample it continues
   */
  add(block, i, before) {
    const now = readerAt(block, i);
    const then = before === null ? NOT_KNOWN : readerAt(before.block, before.i);
    const seconds = before === null ? NaN : secondsBetween(before, { block, i });
    // Written for speed: a day has 86,400 samples.
    for (let k = 0; k < FORMULAS.length; k++) {
      const value = FORMULAS[k].formula(now, then, seconds);
      const isKnown = Number.isFinite(value);
      this.values[k] = isKnown ? value : NaN;
      if (isKnown) this.sums[k] += value;
      if (isKnown) this.known[k]++;
    }
    this.sampleCount++;
    this.kept.add(block.atMs[i], this.values, before !== null);
    this.events.add({ now, then, seconds, atMs: block.atMs[i] });
  }

  /**
   * Makes the data of a chart.
   * @param {number} max the maximum number of buckets
   * @param {Record<string, number>} levels
   * @param {readonly Discontinuity[]} breaks
   * @returns {ChartData}
   */
  chartData(max, levels, breaks) {
    const buckets = downsampled(this.kept.buckets, max).sort((a, b) => a.fromMs - b.fromMs);
    const isDownsampled = buckets.some(({ sampleCount }) => sampleCount > 1);
    const points = buckets.flatMap((bucket, n) => pointsOf(bucket, n > 0 && !bucket.follows));
    const known = FORMULAS.map(({ name }, k) => ({ name, k })).filter(({ k }) => this.known[k] > 0);
    const summaryOf = (/** @type {number} */ k) => ({
      min: buckets.reduce((min, bucket) => (bucket.min[k] < min ? bucket.min[k] : min), Infinity),
      mean: this.sums[k] / this.known[k],
      max: buckets.reduce((max, bucket) => (bucket.max[k] > max ? bucket.max[k] : max), -Infinity),
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
      ...this.events.found(),
      breaks: breaks.map(({ fromMs, toMs, kind }) => ({ fromMs, toMs, kind })),
      blocks: [],
      sampleCount: this.sampleCount,
      downsampledTo: isDownsampled ? buckets.length : null,
    };
  }
}

/** @returns {number} */
const NOT_KNOWN = () => NaN;

/**
 * The points that a bucket is drawn by: its two ends, after an empty one where the line is broken.
 * @param {Bucket} bucket
 * @param {boolean} isAfterGap
 * @returns {{ atMs: number, bucket: Bucket | null, isFirst: boolean }[]}
 */
function pointsOf(bucket, isAfterGap) {
  const gap = isAfterGap ? [{ atMs: bucket.fromMs - 1, bucket: null, isFirst: true }] : [];
  const last = bucket.sampleCount > 1 ? [{ atMs: bucket.toMs, bucket, isFirst: false }] : [];
  return [...gap, { atMs: bucket.fromMs, bucket, isFirst: true }, ...last];
}

/**
 * Minimum or maximum of a bucket, whichever came at that end of it.
 * @param {Bucket | null} bucket
 * @param {boolean} isFirst
 * @param {number} k number of the series
 * @returns {number | null}
 */
function valueOf(bucket, isFirst, k) {
  if (bucket === null) return null;
  const value = isFirst === (bucket.falls[k] === 1) ? bucket.max[k] : bucket.min[k];
  return Number.isNaN(value) ? null : value;
}

/**
 * Times that overlap because a clock was set back are moved behind the one before.
 * @param {number[]} at changed
 */
function rising(at) {
  for (let i = 1; i < at.length; i++) at[i] = Math.max(at[i], at[i - 1]);
  return at;
}

/** The time series of a window. @param {Window} window @returns {TimeSeries} */
function timeSeriesOf({ samples }) {
  const series = new TimeSeries();
  const block = blockOf(samples);
  samples.forEach((_, i) => series.add(block, i, i === 0 ? null : { block, i: i - 1 }));
  return series;
}

/** The time series of a server that is sampled now, for as long as it takes. */
class RollingSeries {
  /** @param {number} everySeconds between two samples; far more is a gap */
  constructor(everySeconds) {
    this.series = new TimeSeries(MAX_LIVE_BUCKETS);
    this.gaps = new GapDetector(everySeconds);
    /** @type {Sample | null} */
    this.last = null;
  }

  /** @param {Sample} sample */
  add(sample) {
    const block = blockOf([sample]);
    this.last = sample;
    this.series.add(block, 0, this.gaps.next(block, 0));
  }

  /**
   * Makes the data of a chart.
   * @param {number} max the maximum number of buckets
   * @param {Record<string, number>} levels
   * @returns {ChartData}
   */
  chartData(max, levels) {
    return this.series.chartData(max, levels, this.gaps.breaks);
  }
}

/** The time series of a trial, with its blocks: the setting of each, and the means in it. */
class TrialSeries extends RollingSeries {
  /** @param {number} everySeconds between two samples */
  constructor(everySeconds) {
    super(everySeconds);
    /** @type {ChartData['blocks']} */
    this.blocks = [];
  }

  /**
   * Adds a block.
   * @param {string} setting
   * @param {readonly Sample[]} samples those that count, at least one
   */
  addBlock(setting, samples) {
    const { summary } = timeSeriesOf(makeWindow(samples)).chartData(1, {}, []);
    const means = Object.fromEntries(
      Object.entries(summary).map(([name, { mean }]) => [name, mean]),
    );
    this.blocks.push({
      fromMs: samples[0].atMs,
      toMs: samples[samples.length - 1].atMs,
      setting,
      means,
    });
  }

  /**
   * Makes the data of a chart.
   * @param {number} max the maximum number of buckets
   * @param {Record<string, number>} levels
   * @returns {ChartData}
   */
  chartData(max, levels) {
    return { ...super.chartData(max, levels), blocks: this.blocks };
  }
}

module.exports = { timeSeriesOf, TimeSeries, RollingSeries, TrialSeries };
