'use strict';

const { intervalBetween } = require('../server/pure/growth');
const { stallIntervalsIn } = require('../server/pure/stalls');

/**
 * @import { Counter } from '../server/pure/counters'
 * @import { Interval } from '../server/pure/growth'
 * @import { Span } from './chart-series'
 * @import { Get } from './series-definitions'
 */

/**
 * What is marked on a line: checkpoints, and seconds in which next to nothing was completed
 * although clients waited.
 */

/** What is usual is asked over so many samples: load changes over hours. */
const CHUNK = 1200;
/** Of each kind; more nobody can tell apart. The longest are kept. */
const MAX_MARKS = 1000;

class SeriesEvents {
  constructor() {
    /** @type {Span[] | null} */
    this.checkpoints = null;
    /** @type {Span[] | null} */
    this.stalls = null;
    /** @type {(Interval & { toMs: number })[]} */
    this.intervals = [];
    /** @type {number | null} */
    this.runningSinceMs = null;
    this.lastMs = NaN;
  }

  /**
   * @param {{
   *   now: Get, then: Get, seconds: number, atMs: number
   * }} takeSample `seconds`: NaN after a gap
   */
  add(takeSample) {
    if (Number.isNaN(takeSample.seconds)) this.judge();
    this.addCheckpoint(takeSample);
    this.addInterval(takeSample);
    this.lastMs = takeSample.atMs;
  }

  /**
   * The total time grows when a checkpoint ends, by how long it took.
   * @param {{ now: Get, then: Get, atMs: number }} takeSample
   */
  addCheckpoint({ now, then, atMs }) {
    const tookMs = now('checkpoint.totalMs') - then('checkpoint.totalMs');
    if (!Number.isNaN(tookMs)) this.checkpoints ??= [];
    if (tookMs > 0) {
      this.checkpoints = kept([
        .../** @type {Span[]} */ (this.checkpoints),
        { fromMs: Math.min(this.runningSinceMs ?? atMs, atMs - tookMs), toMs: atMs },
      ]);
      this.runningSinceMs = null;
    } else if (!(now('checkpoint.running') > 0)) this.runningSinceMs = null;
    else this.runningSinceMs ??= atMs;
  }

  /**
   * @param {{
   *   now: Get, then: Get, seconds: number, atMs: number
   * }} takeSample
   */
  addInterval({ now, then, seconds, atMs }) {
    const interval = intervalBetween(then, now, { seconds, toMs: atMs });
    if (interval === null) return;
    this.intervals.push(interval);
    if (this.intervals.length === CHUNK) this.judge();
  }

  judge() {
    const found = stallIntervalsIn(this.intervals);
    this.intervals = [];
    if (found === undefined) return;
    const spans = found.map(({ run }) => ({
      fromMs: /** @type {number} */ (run[0].toMs) - run[0].seconds * 1000,
      toMs: /** @type {number} */ (run[run.length - 1].toMs),
    }));
    this.stalls = kept([...(this.stalls ?? []), ...spans]);
  }

  /** @returns {{ checkpoints: Span[] | null, stalls: Span[] | null }} null where it is not known */
  found() {
    this.judge();
    const running =
      this.runningSinceMs === null ? [] : [{ fromMs: this.runningSinceMs, toMs: this.lastMs }];
    return {
      checkpoints:
        running.length > 0 ? [...(this.checkpoints ?? []), ...running] : this.checkpoints,
      stalls: this.stalls,
    };
  }
}

/** @param {Span[]} spans in the order of time @returns {Span[]} */
function kept(spans) {
  if (spans.length <= 2 * MAX_MARKS) return spans;
  const longest = [...spans]
    .sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs))
    .slice(0, MAX_MARKS);
  return longest.sort((a, b) => a.fromMs - b.fromMs);
}

module.exports = { SeriesEvents };
