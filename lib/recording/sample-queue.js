'use strict';

const { SAME_RUN_MS } = require('../series/columns');

/**
 * @import { Sample } from '../server/pure/sample'
 */

/**
 * Puts the samples of a recording into the order of time before they are looked at: somebody joined
 * files, or sorted lines by something else. Memory is bounded, so lines that are more than a while
 * away from their place stay there.
 *
 */

/** As many as a chunk of diagnostic data has. */
const BLOCK_SAMPLES = 300;
/** Half an hour at one a second; some 5 MB. */
const HELD_SAMPLES = 1800;

class SampleQueue {
  constructor() {
    /** @type {Sample[]} */
    this.held = [];
    this.isSorted = true;
    this.repeated = 0;
  }

  /** @param {readonly Sample[]} samples @returns {Sample[][]} what need not wait any longer */
  add(samples) {
    for (const sample of samples) this.push(sample);
    return this.held.length < HELD_SAMPLES + BLOCK_SAMPLES
      ? []
      : this.take(this.held.length - HELD_SAMPLES);
  }

  /** @param {Sample} sample */
  push(sample) {
    const last = this.held.at(-1);
    if (last !== undefined && isEarlier(sample, last)) this.isSorted = false;
    this.held.push(sample);
  }

  /** @returns {Sample[][]} the rest */
  end() {
    return this.take(this.held.length);
  }

  /** @param {number} count @returns {Sample[][]} */
  take(count) {
    if (!this.isSorted) this.held.sort((a, b) => a.atMs - b.atMs);
    this.isSorted = true;
    const taken = this.held.splice(0, count);
    const kept = taken.filter((sample, i) => i === 0 || !isSame(taken[i - 1], sample));
    this.repeated += taken.length - kept.length;
    return Array.from({ length: Math.ceil(kept.length / BLOCK_SAMPLES) }, (_, i) =>
      kept.slice(i * BLOCK_SAMPLES, (i + 1) * BLOCK_SAMPLES),
    );
  }
}

/**
 * By both clocks: a wall clock alone may have been set back, an uptime alone begins anew.
 * @param {Sample} sample
 * @param {Sample} last
 */
function isEarlier(sample, last) {
  const passedMs = sample.atMs - last.atMs;
  const upMs =
    sample.uptimeMs === null || last.uptimeMs === null ? passedMs : sample.uptimeMs - last.uptimeMs;
  return passedMs < 0 && Math.abs(upMs - passedMs) < SAME_RUN_MS;
}

/** @param {Sample} a @param {Sample} b */
const isSame = (a, b) => a.atMs === b.atMs && a.uptimeMs === b.uptimeMs;

module.exports = { SampleQueue };
