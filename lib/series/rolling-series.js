'use strict';

const { Continuity } = require('./continuity');
const { TimeSeries } = require('./time-series');
const { blockOf } = require('./sample-block');

/**
 * @import { Sample } from '../server/pure/sample'
 * @import { Drawn } from './chart-series'
 */

/**
 * An hour of one sample a second is all there; a week has of each three minutes the least and the
 * most.
 */
const KEPT = 3600;

/**
 * The line behind a server that is looked at now, sample after sample, for as long as anybody likes.
 */
class RollingSeries {
  /** @param {number} everySeconds between two samples; far more is a gap */
  constructor(everySeconds) {
    this.line = new TimeSeries(KEPT);
    this.timeChart = new Continuity();
    this.timeChart.usualSeconds = everySeconds;
    /** @type {Sample | null} */
    this.last = null;
  }

  /** @param {Sample} sample */
  add(sample) {
    const block = blockOf([sample]);
    this.last = sample;
    this.line.add(block, 0, this.timeChart.next(block, 0));
  }

  /**
   * @param {number} max stretches
   * @param {Record<string, number>} levels
   * @returns {Drawn}
   */
  drawn(max, levels) {
    return this.line.drawn(max, levels, this.timeChart.breaks);
  }
}

module.exports = { RollingSeries };
