'use strict';

const { timeSeriesOf } = require('./time-series');
const { RollingSeries } = require('./rolling-series');
const { makeWindow } = require('../server/pure/window');

/**
 * @import { Sample } from '../server/pure/sample'
 * @import { Drawn } from './chart-series'
 */

/**
 * The line behind a trial, with what was in force when, and what each block was like.
 * @typedef {Drawn['blocks'][number]} DrawnBlock
 */

class TrialSeries extends RollingSeries {
  /** @param {number} everySeconds between two samples */
  constructor(everySeconds) {
    super(everySeconds);
    /** @type {DrawnBlock[]} */
    this.blocks = [];
  }

  /**
   * @param {string} setting
   * @param {readonly Sample[]} samples what was counted of it, at least one
   */
  addBlock(setting, samples) {
    const { summary } = timeSeriesOf(makeWindow(samples)).drawn(1, {}, []);
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
   * @param {number} max stretches
   * @param {Record<string, number>} levels
   * @returns {Drawn}
   */
  drawn(max, levels) {
    return { ...super.drawn(max, levels), blocks: this.blocks };
  }
}

module.exports = { TrialSeries };
