'use strict';

const { secondsBetween } = require('../server/pure/growth');
const { makeWindow } = require('../server/pure/window');
const { sampleAt } = require('./sample-block');
const { Continuity } = require('./continuity');
const { TimeSeries } = require('./time-series');
const { Downsampled } = require('./downsampled');
const { WorstWindows, samplesOf, WINDOW_SECONDS } = require('./worst-windows');

/**
 * @import { Sample } from '../server/pure/sample'
 * @import { Window } from '../server/pure/window'
 * @import { Stretch } from './sample-block'
 */

/**
 * What is kept of a recording while it passes by, a stretch at a time: its course, the windows
 * worth judging, and a thin line.
 */

/** Up to so many windows' length a recording is judged as a whole. */
const SHORT_WINDOWS = 2;
/** A recorder that is quick does not make a short recording large. */
const MAX_SHORT_SAMPLES = 2400;

/**
 * @template C
 * @typedef {{ window: Window, heldUpThreads: number | null, context: C }} Judged `heldUpThreads`:
 *   null where it was not asked for
 */

/** @template C what is known of the server with each stretch */
class Examination {
  constructor() {
    this.timeChart = new Continuity();
    this.downsampled = new Downsampled();
    this.line = new TimeSeries();
    this.worst = new WorstWindows();
    /**
     * All samples, as long as the recording is short.
     * @type {Sample[] | null}
     */
    this.all = [];
    /** @type {WeakMap<Stretch, C>} */
    this.contexts = new WeakMap();
    /** @type {C | null} */
    this.lastContext = null;
    /** @type {{ fromMs: number, toMs: number } | null} */
    this.span = null;
  }

  /** @param {Stretch} block @param {C} context */
  add(block, context) {
    this.contexts.set(block, context);
    this.lastContext = context;
    this.timeChart.learnPace(block);
    for (let i = 0; i < block.length; i++) this.addSample(block, i);
  }

  /** @param {Stretch} block @param {number} i */
  addSample(block, i) {
    const before = this.timeChart.next(block, i);
    const heldUpThreads = this.worst.add(block, i, {
      before,
      usualSeconds: this.timeChart.usualSeconds,
    });
    this.downsampled.add(block, i, { heldUpThreads, follows: before !== null });
    this.line.add(block, i, before);
    this.span = {
      fromMs: Math.min(this.span?.fromMs ?? Infinity, block.atMs[i]),
      toMs: Math.max(this.span?.toMs ?? -Infinity, block.atMs[i]),
    };
    if (this.all === null) return;
    this.all.push(sampleAt(block, i));
    const isShort =
      this.all.length <= MAX_SHORT_SAMPLES &&
      secondsBetween(this.all[0], this.all[this.all.length - 1]) <= SHORT_WINDOWS * WINDOW_SECONDS;
    if (!isShort || this.timeChart.breaks.length > 0) this.all = null;
  }

  /**
   * What to judge, the worst first; all of it as one window when it is short. Never empty where
   * there is a sample.
   * @returns {Judged<C>[]}
   */
  windows() {
    const context = /** @type {C} */ (this.lastContext);
    if (this.span === null) return [];
    if (this.all !== null) return [{ window: makeWindow(this.all), heldUpThreads: null, context }];
    const found = this.worst.found.map((one) => ({
      window: makeWindow(samplesOf(one)),
      heldUpThreads: one.heldUpThreads,
      context: /** @type {C} */ (this.contexts.get(one.pieces[0].block)),
    }));
    return found.length > 0
      ? found
      : [
          {
            window: makeWindow(this.downsampled.points.map(({ sample }) => sample)),
            heldUpThreads: null,
            context,
          },
        ];
  }
}

module.exports = { Examination };
