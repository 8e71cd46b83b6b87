'use strict';

const { intervalBetween } = require('../server/pure/growth');
const { stallIntervalsIn } = require('../server/pure/stalls');
const { MS_PER_SECOND } = require('../base/pure/units');

/**
 * @import { Interval } from '../server/pure/growth'
 * @import { Span } from '../text/types'
 * @import { ReadCounter } from './columns'
 */

/**
 * @typedef {{ now: ReadCounter, then: ReadCounter, seconds: number, atMs: number }} SamplePair two
 *   successive samples; `seconds`: NaN after a gap
 */

/** The usual rate is that of this many samples: load changes over hours. */
const CHUNK = 1200;
/** The longest events of each kind are kept: a screen cannot separate more. */
const MAX_EVENTS = 1000;

/** Finds the checkpoints and stalls of a server while its samples pass by. */
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

  /** @param {SamplePair} pair */
  add(pair) {
    if (Number.isNaN(pair.seconds)) this.judge();
    this.addCheckpoint(pair);
    this.addInterval(pair);
    this.lastMs = pair.atMs;
  }

  /**
   * The counter of total time grows when a checkpoint ends, by its duration.
   * @param {SamplePair} pair
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

  /** @param {SamplePair} pair */
  addInterval({ now, then, seconds, atMs }) {
    const interval = intervalBetween(then, now, { seconds, toMs: atMs });
    if (interval === null) return;
    this.intervals.push(interval);
    if (this.intervals.length === CHUNK) this.judge();
  }

  /** Looks for stalls in the intervals since the last time. */
  judge() {
    const found = stallIntervalsIn(this.intervals);
    this.intervals = [];
    if (found === undefined) return;
    const spans = found.map(({ run }) => ({
      fromMs: /** @type {number} */ (run[0].toMs) - run[0].seconds * MS_PER_SECOND,
      toMs: /** @type {number} */ (run[run.length - 1].toMs),
    }));
    this.stalls = kept([...(this.stalls ?? []), ...spans]);
  }

  /**
   * Returns the events.
   * @returns {{ checkpoints: Span[] | null, stalls: Span[] | null }} null: not known
   */
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

/** Drops the shortest of too many. @param {Span[]} spans in the order of time @returns {Span[]} */
function kept(spans) {
  if (spans.length <= 2 * MAX_EVENTS) return spans;
  const longest = [...spans]
    .sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs))
    .slice(0, MAX_EVENTS);
  return longest.sort((a, b) => a.fromMs - b.fromMs);
}

module.exports = { SeriesEvents };
