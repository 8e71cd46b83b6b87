'use strict';

const { sampleAt } = require('./sample-block');

/**
 * @import { Sample } from '../server/pure/sample'
 * @import { Stretch } from './sample-block'
 */

/**
 * A few hundred samples of a recording of any length, evenly apart: for a line that a person can
 * look at. Counters stay exact.
 *
 * @typedef {{ sample: Sample, heldUpThreads: number, follows: boolean }} Point `heldUpThreads`: the
 *   most since the point before;
 *   `follows`: on the point before, without a restart or a gap between
 */

const MAX_POINTS = 600;

class Downsampled {
  constructor() {
    /** @type {Point[]} */
    this.points = [];
    this.everyMs = 0;
    this.heldUpThreads = 0;
    this.follows = true;
  }

  /**
   * @param {Stretch} block
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

module.exports = { Downsampled };
