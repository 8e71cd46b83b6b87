'use strict';

const { MICROS_PER_MS } = require('../../../base/pure/units');
const { Histogram } = require('../../pure/histogram');

/** @typedef {ReturnType<Recorder['result']>} Recorded */

/** Counts and times what one worker does. Operations that end before `fromMs` are warm-up. */
class Recorder {
  /** @param {{ fromMs: number, untilMs: number }} span moments of performance.now() */
  constructor({ fromMs, untilMs }) {
    this.fromMs = fromMs;
    this.untilMs = untilMs;
    const slots = Math.ceil((untilMs - fromMs) / SLOT_MS);
    this.ops = new Uint32Array(slots);
    this.maxMs = new Float64Array(slots);
    this.sumMs = new Float64Array(slots);
    /** The times are in microseconds. @type {Map<string, { histogram: Histogram, ops: number }>} */
    this.kinds = new Map();
    /** @type {Map<number | string, { count: number, message: string }>} */ this.errors = new Map();
    this.total = 0;
    this.missed = 0;
    this.notStarted = 0;
  }

  /** @param {string} kind @param {number} fromMs @param {number} nowMs */
  done(kind, fromMs, nowMs) {
    this.total += 1;
    if (nowMs < this.fromMs) return;
    const entry = this.kind(kind);
    entry.histogram.record(clamp((nowMs - fromMs) * MICROS_PER_MS));
    if (nowMs < this.untilMs) {
      entry.ops += 1;
      this.slot(Math.floor((nowMs - this.fromMs) / SLOT_MS), nowMs - fromMs);
    }
  }

  /** @param {number} slot @param {number} ms */
  slot(slot, ms) {
    this.ops[slot] += 1;
    this.sumMs[slot] += ms;
    if (ms > this.maxMs[slot]) this.maxMs[slot] = ms;
  }

  /**
   * Records operations that were due and had not begun at the end: they would have taken at least
   * this long.
   * @param {string} kind
   * @param {number} ms
   * @param {number} count
   */
  waited(kind, ms, count) {
    this.kind(kind).histogram.record(clamp(ms * MICROS_PER_MS), count);
    this.notStarted += count;
  }

  /** @param {number | string} code @param {string} message @param {number} nowMs */
  failed(code, message, nowMs) {
    if (nowMs < this.fromMs) return;
    const known = this.errors.get(code);
    if (known) known.count += 1;
    else this.errors.set(code, { count: 1, message });
  }

  /** @param {string} kind */
  kind(kind) {
    let entry = this.kinds.get(kind);
    if (!entry) this.kinds.set(kind, (entry = { histogram: new Histogram(), ops: 0 }));
    return entry;
  }

  /** Returns the counts in the form that is sent to the other process. */
  result() {
    return {
      ops: this.ops,
      maxMs: this.maxMs,
      sumMs: this.sumMs,
      missed: this.missed,
      notStarted: this.notStarted,
      kinds: [...this.kinds].map(([kind, { histogram, ops }]) => ({
        kind,
        ops,
        histogram: histogram.toCounts(),
      })),
      errors: [...this.errors].map(([code, { count, message }]) => ({ code, count, message })),
    };
  }
}

/** @param {number} micros */
const clamp = (micros) => Math.max(1, Math.round(micros));

/** Completions are counted in slots of this length, fine enough for stalls of half a second. */
const SLOT_MS = 100;

/**
 * Times in which almost no operation completed. Means and percentiles of a closed loop hide them,
 * for only what completes is timed (docs/evidence/bench.md).
 * @typedef {{ count: number, longestMs: number, totalMs: number }} Stalls
 */

/** The server is stalled below this share of the usual rate, as for tune.advise(). */
const STALL_RATIO = 0.05;
/** This quantile is the usual rate: it holds while up to three quarters of the time are stalls. */
const USUAL = 0.75;
/** A shorter pause is no stall; tune.apply() uses the same limit. */
const MIN_MS = 500;
/** With fewer operations per second an empty half second is chance (heuristic). */
const MIN_PER_SEC = 20;

/**
 * @param {ArrayLike<number>} slots operations completed in each of SLOT_MS
 * @returns {Stalls | null} null: too few operations
 */
function stallsIn(slots) {
  const counts = Array.from(slots);
  const usual = [...counts].sort((a, b) => a - b)[Math.floor(counts.length * USUAL)] ?? 0;
  if (usual * (1000 / SLOT_MS) < MIN_PER_SEC) return null;
  const lengths = [0];
  for (const count of counts) {
    if (count < usual * STALL_RATIO) lengths[lengths.length - 1] += SLOT_MS;
    else lengths.push(0);
  }
  const stalls = lengths.filter((ms) => ms >= MIN_MS);
  return {
    count: stalls.length,
    longestMs: Math.max(0, ...stalls),
    totalMs: stalls.reduce((sum, ms) => sum + ms, 0),
  };
}

module.exports = { Recorder, SLOT_MS, stallsIn };
