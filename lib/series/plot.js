'use strict';

const { sampleAt } = require('./columns');
const { METRICS_OF_SERIES } = require('./series-definitions');
const { makeWindow } = require('../server/pure/window');
const { METRICS } = require('../server/pure/metrics');

/**
 * @import { Sample } from '../server/pure/sample'
 * @import { Columns } from './columns'
 * @import { SeriesName } from './series-definitions'
 * @import { Facts } from '../server/pure/types'
 */

/**
 * The timeline of a recording: a few hundred samples at even distances, and metrics between them.
 *
 * @typedef {{ sample: Sample, heldUpThreads: number, follows: boolean }} Point `heldUpThreads`: the
 *   maximum since the point before; `follows`: no restart or gap since the point before
 * @typedef {SeriesName | 'heldUpThreads'} Series
 * @typedef {{
 *   from: Date, to: Date, everySeconds: number, at: Date[],
 *   series: { [name in Series]?: (number | null)[] }
 * }} Plot one value for each point but the first, over the time since the point before; null where
 *   it is not known, and across a restart or a gap. `at`: where each value ends; `everySeconds`:
 *   the median between two points
 *
 * @typedef {{ before: number | null, now: number | null, ratio: number | null }} Pair `ratio`: now
 *   ÷ before; null where that is not known
 * @typedef {{ series: Series, usual: Pair, max: Pair }} Row `usual`: the medians, which a stall or
 *   a start does not move
 */

/** Points kept: enough for any screen. */
const MAX_POINTS = 600;

/** Picks points out of a recording of any length; counters stay exact. */
class SampledPoints {
  constructor() {
    /** @type {Point[]} */
    this.points = [];
    this.everyMs = 0;
    this.heldUpThreads = 0;
    this.follows = true;
  }

  /**
   * Takes one sample.
   * @param {Columns} block
   * @param {number} i
   * @param {{ heldUpThreads: number, follows: boolean }} what
   */
  add(block, i, { heldUpThreads, follows }) {
    this.heldUpThreads = Math.max(this.heldUpThreads, heldUpThreads);
    this.follows &&= follows;
    const last = this.points.at(-1);
    const passedMs = last === undefined ? Infinity : block.atMs[i] - last.sample.atMs;
    if (follows && passedMs >= 0 && passedMs < this.everyMs) return;
    this.points.push({
      sample: sampleAt(block, i),
      heldUpThreads: this.heldUpThreads,
      follows: this.follows && last !== undefined,
    });
    this.heldUpThreads = 0;
    this.follows = true;
    if (this.points.length > MAX_POINTS) this.downsampleInPlace();
  }

  /** Keeps every second point. */
  downsampleInPlace() {
    const { points } = this;
    const spanMs = points[points.length - 1].sample.atMs - points[0].sample.atMs;
    this.everyMs = Math.max(this.everyMs * 2, (2 * spanMs) / MAX_POINTS);
    this.points = points.flatMap((point, i) =>
      i % 2 === 0 ? [i === 0 ? point : merged(points[i - 1], point)] : [],
    );
  }
}

/** @param {Point} dropped @param {Point} kept @returns {Point} */
const merged = (dropped, kept) => ({
  ...kept,
  heldUpThreads: Math.max(dropped.heldUpThreads, kept.heldUpThreads),
  follows: dropped.follows && kept.follows,
});

/**
 * The metrics between the points.
 * @param {readonly Point[]} points at least one
 * @param {Facts} facts
 * @returns {Plot}
 */
function plotOf(points, facts) {
  const [first, last] = [points[0].sample, points[points.length - 1].sample];
  const ends = points.slice(1);
  const windows = ends.map(({ sample, follows }, i) =>
    follows ? makeWindow([points[i].sample, sample]) : null,
  );
  const seconds = ends.map(({ sample }, i) => (sample.atMs - points[i].sample.atMs) / 1000);
  return {
    from: new Date(first.atMs),
    to: new Date(last.atMs),
    everySeconds: seconds.sort((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? 0,
    at: ends.map(({ sample }) => new Date(sample.atMs)),
    series: {
      heldUpThreads: ends.map(({ heldUpThreads }, i) =>
        windows[i] === null ? null : finite(heldUpThreads),
      ),
      ...Object.fromEntries(
        METRICS_OF_SERIES.map(({ name, metric }) => [
          name,
          windows.map((window) =>
            window === null ? null : finite(METRICS[metric](window, facts)),
          ),
        ]),
      ),
    },
  };
}

/** @param {number | null | undefined} value */
const finite = (value) =>
  value === undefined || value === null || !Number.isFinite(value) ? null : value;

/**
 * Sets two recordings side by side.
 * @param {Plot} before
 * @param {Plot} now
 * @returns {Row[]} of each series that either of them knows
 */
function comparePlots(before, now) {
  const names = /** @type {Series[]} */ (Object.keys(now.series));
  return names.flatMap((series) => {
    const [old, young] = [before, now].map((plot) => known(plot.series[series] ?? []));
    return old.length + young.length === 0
      ? []
      : [{ series, usual: pairOf(median(old), median(young)), max: pairOf(max(old), max(young)) }];
  });
}

/** @param {readonly (number | null)[]} values @returns {number[]} */
const known = (values) => values.filter((value) => value !== null);

/** @param {number[]} values @returns {number | null} */
const median = (values) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null;

/** @param {number[]} values @returns {number | null} */
const max = (values) => (values.length === 0 ? null : values.reduce((a, b) => Math.max(a, b)));

/** @param {number | null} before @param {number | null} now @returns {Pair} */
const pairOf = (before, now) => ({
  before,
  now,
  ratio: before === null || now === null || before === 0 ? null : now / before,
});

module.exports = { SampledPoints, plotOf, comparePlots };
