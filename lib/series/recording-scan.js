'use strict';

const { secondsBetween } = require('../server/pure/growth');
const { makeWindow } = require('../server/pure/window');
const { sampleAt, GapDetector } = require('./columns');
const { TimeSeries } = require('./time-series');
const { SampledPoints } = require('./plot');
const { WorstWindows, samplesOf, WINDOW_SECONDS } = require('./worst-windows');

/**
 * @import { Sample } from '../server/pure/sample'
 * @import { Window } from '../server/pure/window'
 * @import { Columns } from './columns'
 */

/**
 * @template C
 * @typedef {{ window: Window, heldUpThreads: number | null, context: C }} Judged `heldUpThreads`:
 *   null where it was not computed
 */

/** A recording no longer than this many windows is judged as a whole (heuristic). */
const SHORT_WINDOWS = 2;
/** A recording with more samples is not short, however quick its recorder. */
const MAX_SHORT_SAMPLES = 2400;

/**
 * Reads a recording block by block, and keeps gaps, points for the timeline, time series for
 * charts, and the windows worth judging.
 * @template C what is known of the server at each block
 */
class RecordingScan {
  constructor() {
    this.gaps = new GapDetector();
    this.downsampled = new SampledPoints();
    this.series = new TimeSeries();
    this.worst = new WorstWindows();
    /**
     * All samples, as long as the recording is short.
     * @type {Sample[] | null}
     */
    this.all = [];
    /** @type {WeakMap<Columns, C>} */
    this.contexts = new WeakMap();
    /** @type {C | null} */
    this.lastContext = null;
    /** @type {{ fromMs: number, toMs: number } | null} */
    this.span = null;
  }

  /** Takes the next block. @param {Columns} block @param {C} context */
  add(block, context) {
    this.contexts.set(block, context);
    this.lastContext = context;
    this.gaps.learnPace(block);
    for (let i = 0; i < block.length; i++) this.addSample(block, i);
  }

  /** @param {Columns} block @param {number} i */
  addSample(block, i) {
    const before = this.gaps.next(block, i);
    const { usualSeconds } = this.gaps;
    const heldUpThreads = this.worst.add(block, i, { before, usualSeconds });
    this.downsampled.add(block, i, { heldUpThreads, follows: before !== null });
    this.series.add(block, i, before);
    this.span = {
      fromMs: Math.min(this.span?.fromMs ?? Infinity, block.atMs[i]),
      toMs: Math.max(this.span?.toMs ?? -Infinity, block.atMs[i]),
    };
    if (this.all === null) return;
    this.all.push(sampleAt(block, i));
    const isShort =
      this.all.length <= MAX_SHORT_SAMPLES &&
      secondsBetween(this.all[0], this.all[this.all.length - 1]) <= SHORT_WINDOWS * WINDOW_SECONDS;
    if (!isShort || this.gaps.breaks.length > 0) this.all = null;
  }

  /** The worst windows, and the one with the most operations. */
  kept() {
    const { found, busiest } = this.worst;
    return busiest === null ||
      found.some(({ fromMs, toMs }) => fromMs === busiest.fromMs && toMs === busiest.toMs)
      ? found
      : [...found, busiest];
  }

  /**
   * The windows to judge, the worst first; a short recording is one window. Never empty where there
   * is a sample.
   * @returns {Judged<C>[]}
   */
  windows() {
    const context = /** @type {C} */ (this.lastContext);
    const whole = (/** @type {Sample[]} */ samples) => [
      { window: makeWindow(samples), heldUpThreads: null, context },
    ];
    if (this.span === null) return [];
    if (this.all !== null) return whole(this.all);
    const found = this.kept().map((window) => ({
      window: makeWindow(samplesOf(window)),
      heldUpThreads: window.heldUpThreads,
      context: /** @type {C} */ (this.contexts.get(window.pieces[0].block)),
    }));
    return found.length > 0 ? found : whole(this.downsampled.points.map(({ sample }) => sample));
  }
}

module.exports = { RecordingScan };
