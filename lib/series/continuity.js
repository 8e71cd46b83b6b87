'use strict';

/**
 * @import { Stretch } from './sample-block'
 */

/**
 * The course of a recording: where it was interrupted, and how often the server was restarted.
 *
 * @typedef {{
 *   fromMs: number, toMs: number, kind: 'gap' | 'restart' | 'clock' | 'order' | 'server'
 * }} Break_ `clock`: the wall clock was
 *   set back; `order`: what follows was recorded earlier; `server`: what follows has another name
 * @typedef {{ block: Stretch, i: number }} Place
 */

/**
 * A server under load samples late; only longer silence is a gap. Recorders that sample seldom are
 * known by their usual pace.
 */
const GAP_SECONDS = 10;
const GAP_SAMPLES = 5;
/**
 * A clock, or the count of the uptime, that goes back by less than this was corrected, not set;
 * seen: 1 ms.
 */
const CLOCK_MS = 2000;
/** So far the two clocks may drift apart between two samples; no server is up again sooner. */
const SAME_RUN_MS = 1000;

class Continuity {
  constructor() {
    /** @type {Break_[]} */
    this.breaks = [];
    /** @type {Place | null} */
    this.last = null;
    this.samples = 0;
    this.usualSeconds = 1;
    this.isOther = false;
  }

  /** What follows is of another server, and has nothing to do with what was before. */
  change() {
    this.isOther = true;
  }

  /** The pace, from the first samples. @param {Stretch} block */
  learnPace({ atMs, length }) {
    if (this.samples > 0 || length < 3) return;
    const steps = Array.from({ length: length - 1 }, (_, i) => atMs[i + 1] - atMs[i]).sort(
      (a, b) => a - b,
    );
    this.usualSeconds = Math.max(0, steps[Math.floor(steps.length / 2)] / 1000);
  }

  /**
   * @param {Stretch} block
   * @param {number} i
   * @returns {Place | null} the sample that this one follows on; null when there is none, or
   *   something lies between
   */
  next(block, i) {
    const before = this.last;
    this.samples++;
    this.last = { block, i };
    if (before === null) return null;
    const kind = this.isOther ? 'server' : this.between(before, this.last);
    this.isOther = false;
    if (kind !== null)
      this.breaks.push({ fromMs: before.block.atMs[before.i], toMs: block.atMs[i], kind });
    return kind === null ? before : null;
  }

  /** @param {Place} a @param {Place} b @returns {Break_['kind'] | null} */
  between(a, b) {
    const passedMs = b.block.atMs[b.i] - a.block.atMs[a.i];
    const upMs = b.block.uptimeMs[b.i] - a.block.uptimeMs[a.i];
    // Both clocks went back by the same: it is still the same run of the server.
    if (upMs < -CLOCK_MS) return Math.abs(upMs - passedMs) < SAME_RUN_MS ? 'order' : 'restart';
    if (passedMs < -CLOCK_MS) return 'clock';
    return passedMs > 1000 * Math.max(GAP_SECONDS, GAP_SAMPLES * this.usualSeconds) ? 'gap' : null;
  }
}

module.exports = { Continuity, SAME_RUN_MS };
