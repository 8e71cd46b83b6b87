'use strict';

const { lineOf } = require('./line');
const { Trail } = require('./trail');
const { makeWindow } = require('../server/pure/window');

/**
 * The line behind a trial, with what was in force when, and what each block was like.
 * @typedef {import('./drawn').Drawn['blocks'][number]} DrawnBlock
 */

class TrialTrail extends Trail {
  /** @param {number} everySeconds between two looks */
  constructor(everySeconds) {
    super(everySeconds);
    /** @type {DrawnBlock[]} */
    this.blocks = [];
  }

  /**
   * @param {string} setting
   * @param {readonly import('../server/pure/sample').Sample[]} samples what was counted of it, at least one
   */
  addBlock(setting, samples) {
    const { summary } = lineOf(makeWindow(samples)).drawn(1, {}, []);
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
   * @param {number} most stretches
   * @param {Record<string, number>} levels
   * @returns {import('./drawn').Drawn}
   */
  drawn(most, levels) {
    return { ...super.drawn(most, levels), blocks: this.blocks };
  }
}

module.exports = { TrialTrail };
