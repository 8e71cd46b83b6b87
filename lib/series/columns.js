'use strict';

/**
 * @import { Counter } from '../server/pure/counters'
 * @import { Sample } from '../server/pure/sample'
 */

/**
 * Samples of a recording, column by column: a day has 86,400 samples, and an object for each would
 * cost more than everything else. A missing value is NaN, a missing counter has no column.
 *
 * @typedef {{
 *   length: number, atMs: Float64Array, uptimeMs: Float64Array,
 *   columns: { [name in Counter]?: Float64Array }
 * }} Columns `uptimeMs`: NaN where the server does not report it
 * @typedef {{ block: Columns, i: number }} Position one sample in a block of columns
 * @typedef {(name: Counter) => number} ReadCounter NaN: not reported
 *
 * @typedef {{
 *   fromMs: number, toMs: number, kind: 'gap' | 'restart' | 'clock' | 'order' | 'server'
 * }} Discontinuity `clock`: the wall clock was set back; `order`: the next sample was recorded
 *   earlier, by the work that it counts; `server`: the next sample is of another server
 */

/** A server under load answers late, so a shorter pause is no gap (heuristic). */
const GAP_SECONDS = 10;
/** A slow recorder has pauses of its own: a gap is this many of its usual intervals (heuristic). */
const GAP_SAMPLES = 5;
/** A clock that was set back by less than this was corrected; 1 ms was seen. */
const CLOCK_MS = 2000;
/** Drift allowed between uptime and wall clock from sample to sample; no restart is that quick. */
const SAME_RUN_MS = 1000;

/**
 * Reads the counters of one sample.
 * @param {Columns} block
 * @param {number} i
 * @returns {ReadCounter}
 */
const readerAt =
  ({ columns }, i) =>
  (name) =>
    columns[name]?.[i] ?? NaN;

/**
 * Seconds from sample a to sample b, by the server's own clock where it is reported.
 * @param {Position} a
 * @param {Position} b
 * @returns {number} NaN where no time has passed
 */
function secondsBetween(a, b) {
  const upMs = b.block.uptimeMs[b.i] - a.block.uptimeMs[a.i];
  const ms = Number.isNaN(upMs) ? b.block.atMs[b.i] - a.block.atMs[a.i] : upMs;
  return ms > 0 ? ms / 1000 : NaN;
}

/**
 * Makes an object of one sample in a block.
 * @param {Columns} block
 * @param {number} i
 * @returns {Sample}
 */
function sampleAt({ atMs, uptimeMs, columns }, i) {
  const counters = /** @type {Record<string, number>} */ ({});
  for (const name in columns) {
    const value = /** @type {Record<string, Float64Array>} */ (columns)[name][i];
    if (!Number.isNaN(value)) counters[name] = value;
  }
  return { atMs: atMs[i], uptimeMs: Number.isNaN(uptimeMs[i]) ? null : uptimeMs[i], counters };
}

/** Turns samples into columns. @param {readonly Sample[]} samples @returns {Columns} */
function blockOf(samples) {
  const names = /** @type {Counter[]} */ ([
    ...new Set(samples.flatMap(({ counters }) => Object.keys(counters))),
  ]);
  return {
    length: samples.length,
    atMs: Float64Array.from(samples, ({ atMs }) => atMs),
    uptimeMs: Float64Array.from(samples, ({ uptimeMs }) => uptimeMs ?? NaN),
    columns: Object.fromEntries(
      names.map((name) => [
        name,
        Float64Array.from(samples, ({ counters }) => counters[name] ?? NaN),
      ]),
    ),
  };
}

/**
 * A view of samples from … to - 1; nothing is copied.
 * @param {Columns} block
 * @param {number} from
 * @param {number} to
 * @returns {Columns}
 */
function sliceOf(block, from, to) {
  if (from === 0 && to === block.length) return block;
  const part = (/** @type {Float64Array} */ column) => column.subarray(from, to);
  return {
    length: Math.max(0, to - from),
    atMs: part(block.atMs),
    uptimeMs: part(block.uptimeMs),
    columns: Object.fromEntries(
      Object.entries(block.columns).map(([name, column]) => [
        name,
        part(/** @type {Float64Array} */ (column)),
      ]),
    ),
  };
}

/** Finds where a recording was interrupted, and where the server restarted. */
class GapDetector {
  /** @param {number} [usualSeconds] from sample to sample */
  constructor(usualSeconds = 1) {
    /** @type {Discontinuity[]} */
    this.breaks = [];
    /** @type {Position | null} */
    this.last = null;
    this.samples = 0;
    this.usualSeconds = usualSeconds;
    this.isOtherServer = false;
  }

  /** The next sample is of another server, so it continues nothing. */
  change() {
    this.isOtherServer = true;
  }

  /** Learns the usual interval from the first samples. @param {Columns} block */
  learnPace({ atMs, length }) {
    if (this.samples > 0 || length < 3) return;
    const steps = Array.from({ length: length - 1 }, (_, i) => atMs[i + 1] - atMs[i]).sort(
      (a, b) => a - b,
    );
    this.usualSeconds = Math.max(0, steps[Math.floor(steps.length / 2)] / 1000);
  }

  /**
   * Takes the next sample.
   * @param {Columns} block
   * @param {number} i
   * @returns {Position | null} the sample that it continues; null for the first one, and after a
   *   discontinuity
   */
  next(block, i) {
    const before = this.last;
    this.samples++;
    this.last = { block, i };
    if (before === null) return null;
    const kind = this.isOtherServer ? 'server' : this.between(before, this.last);
    this.isOtherServer = false;
    if (kind !== null)
      this.breaks.push({ fromMs: before.block.atMs[before.i], toMs: block.atMs[i], kind });
    return kind === null ? before : null;
  }

  /** @param {Position} a @param {Position} b @returns {Discontinuity['kind'] | null} */
  between(a, b) {
    const passedMs = b.block.atMs[b.i] - a.block.atMs[a.i];
    const upMs = b.block.uptimeMs[b.i] - a.block.uptimeMs[a.i];
    // Both went back by the same amount: it is still the same run of the server, which takes its
    // uptime from the wall clock.
    if (upMs < -CLOCK_MS && Math.abs(upMs - passedMs) < SAME_RUN_MS)
      return hasWorkedOn(a, b) ? 'clock' : 'order';
    if (upMs < -CLOCK_MS) return 'restart';
    if (passedMs < -CLOCK_MS) return 'clock';
    return passedMs > 1000 * Math.max(GAP_SECONDS, GAP_SAMPLES * this.usualSeconds) ? 'gap' : null;
  }
}

/** Counters that only grow while a server runs; its diagnostic data itself takes CPU time. */
const WORK = /** @type {const} */ (['process.userMicros', 'latency.readOps', 'latency.writeOps']);

/**
 * Whether b is of later work than a, whatever their clocks say.
 * @param {Position} a
 * @param {Position} b
 */
function hasWorkedOn(a, b) {
  const [before, after] = [readerAt(a.block, a.i), readerAt(b.block, b.i)];
  const by = WORK.map((name) => after(name) - before(name)).filter((more) => !Number.isNaN(more));
  return by.every((more) => more >= 0) && by.some((more) => more > 0);
}

module.exports = { readerAt, secondsBetween, sampleAt, blockOf, sliceOf, GapDetector, SAME_RUN_MS };
