'use strict';

const { stallsIn, MIN_OPS_PER_SEC, STALL_RATIO } = require('../server/pure/stalls');
const { sampleAt } = require('./sample-block');

/**
 * @import { Counter } from '../server/pure/counters'
 * @import { Sample } from '../server/pure/sample'
 * @import { Interval } from '../server/pure/growth'
 * @import { Stretch } from './sample-block'
 */

/**
 * Finds, in a recording of any length, the windows in which clients were held up most, while it
 * passes by. What is kept are the few stretches that the best windows so far lie in.
 *
 * @typedef {Interval & { heldUp: number, busy: number }} Step from one sample to the next;
 *   `heldUp`, `busy`: client
 *   thread seconds
 * @typedef {{ fromMs: number, toMs: number, heldUpThreads: number, rank: number, pieces: Piece[] }}
 *   Found `heldUpThreads`: mean
 *   number of client threads that read pages, evicted, queued, or stood still
 * @typedef {{ block: Stretch, from: number, to: number }} Piece samples from … to - 1
 */

const WINDOW_SECONDS = 60;
/**
 * Recordings that are coarser than one sample a second need a longer window for the same verdict.
 */
const WINDOW_SAMPLES = 30;
/** Of a window that a gap cuts short at least this share has to be left. */
const MIN_SHARE = 0.5;
/** Windows are compared at this distance. */
const STEP_SECONDS = 5;
/**
 * Ten a second fill a window with 1200; a clock that stands still must not make it larger without
 * end.
 */
const MAX_STEPS = 5000;
/** How many windows that do not overlap are kept. */
const KEPT = 5;
/** Where nobody is held up, the busiest window is the one to look at. */
const BUSY_WEIGHT = 0.01;
const MICROS = 1e6;

const OPS = /** @type {const} */ (['latency.readOps', 'latency.writeOps']);
const TIMES = /** @type {const} */ (['latency.readMicros', 'latency.writeMicros']);

class WorstWindows {
  constructor() {
    /** @type {Step[]} */
    this.steps = [];
    this.seconds = 0;
    /** Where the steps end: one sample each, and the one before the first. @type {Piece[]} */
    this.pieces = [];
    /** @type {Found[]} */
    this.found = [];
    this.askedMs = -Infinity;
    this.heldUpThreads = 0;
  }

  /** Forgets what came before: the next sample has nothing to do with it (a restart, a gap). */
  cut() {
    this.steps = [];
    this.seconds = 0;
    this.pieces = [];
    this.heldUpThreads = 0;
  }

  /**
   * The next sample.
   * @param {Stretch} block
   * @param {number} i
   * @param {{ before: { block: Stretch, i: number } | null, usualSeconds: number }} what
   *   `before`: the sample it follows on;
   *   `usualSeconds`: from sample to sample
   * @returns {number} client threads held up, in the window that ends here
   */
  add(block, i, { before, usualSeconds }) {
    if (before === null) this.cut();
    this.addPiece(block, i);
    if (before === null) return 0;
    const step = stepOf(before, { block, i });
    this.steps.push(step);
    this.seconds += step.seconds;
    const wantedSeconds = Math.max(WINDOW_SECONDS, WINDOW_SAMPLES * usualSeconds);
    const seconds = this.dropOld(wantedSeconds);
    const nowMs = block.atMs[i];
    const isDue = nowMs - this.askedMs >= STEP_SECONDS * 1000 || nowMs < this.askedMs;
    if (isDue && seconds >= MIN_SHARE * wantedSeconds) this.judge(nowMs);
    return this.heldUpThreads;
  }

  /** @param {Stretch} block @param {number} i */
  addPiece(block, i) {
    const last = this.pieces.at(-1);
    if (last?.block === block && last.to === i) last.to++;
    else this.pieces.push({ block, from: i, to: i + 1 });
  }

  /** @param {number} seconds that a window is long @returns {number} seconds that are left */
  dropOld(seconds) {
    while (this.steps.length > 1 && (this.seconds > seconds || this.steps.length > MAX_STEPS)) {
      this.seconds -= /** @type {Step} */ (this.steps.shift()).seconds;
      const first = this.pieces[0];
      first.from++;
      if (first.from === first.to) this.pieces.shift();
    }
    return this.seconds;
  }

  /** @param {number} nowMs */
  judge(nowMs) {
    this.askedMs = nowMs;
    const { heldUpThreads, busyThreads } = strainOf(this.steps);
    this.heldUpThreads = heldUpThreads;
    const rank = heldUpThreads + BUSY_WEIGHT * busyThreads;
    const fromMs = this.pieces[0].block.atMs[this.pieces[0].from];
    const overlapping = this.found.filter((known) => known.toMs > fromMs && known.fromMs < nowMs);
    if (overlapping.some((known) => known.rank >= rank)) return;
    const others = this.found.filter((known) => !overlapping.includes(known));
    if (others.length >= KEPT && others[KEPT - 1].rank >= rank) return;
    const made = {
      fromMs,
      toMs: nowMs,
      heldUpThreads,
      rank,
      pieces: this.pieces.map((piece) => ({ ...piece })),
    };
    this.found = [...others, made].sort((a, b) => b.rank - a.rank).slice(0, KEPT);
  }
}

/**
 * @param {{ block: Stretch, i: number }} a
 * @param {{ block: Stretch, i: number }} b
 * @returns {Step}
 */
function stepOf(a, b) {
  const grown = (/** @type {Counter} */ name) =>
    positive((b.block.columns[name]?.[b.i] ?? NaN) - (a.block.columns[name]?.[a.i] ?? NaN));
  const now = (/** @type {Counter} */ name) => positive(b.block.columns[name]?.[b.i] ?? NaN);
  const seconds = secondsBetween(a, b);
  const clientSeconds = (grown(TIMES[0]) + grown(TIMES[1])) / MICROS;
  const evicting = Math.max(grown('eviction.appMicros'), grown('eviction.waitMicros'));
  const inCheckpoint = now('checkpoint.running') > 0;
  return {
    seconds,
    clientSeconds,
    cpuSeconds: inCheckpoint
      ? 0
      : (grown('process.userMicros') + grown('process.systemMicros')) / MICROS,
    inCheckpoint,
    ops: grown(OPS[0]) + grown(OPS[1]),
    heldUp:
      (grown('eviction.appReadMicros') + evicting) / MICROS +
      (now('queue.readers') + now('queue.writers')) * seconds,
    busy: clientSeconds,
  };
}

/** What is not known, and what shrank, counts for nothing here. @param {number} value */
const positive = (value) => (value > 0 ? value : 0);

/** @param {{ block: Stretch, i: number }} a @param {{ block: Stretch, i: number }} b */
function secondsBetween(a, b) {
  const uptime = b.block.uptimeMs[b.i] - a.block.uptimeMs[a.i];
  return positive(Number.isNaN(uptime) ? b.block.atMs[b.i] - a.block.atMs[a.i] : uptime) / 1000;
}

/**
 * @param {readonly Step[]} steps of half a window's time at least
 * @returns {{ heldUpThreads: number, busyThreads: number }}
 */
function strainOf(steps) {
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  const busyThreads = steps.reduce((sum, step) => sum + step.busy, 0) / seconds;
  const heldUp = steps.reduce((sum, step) => sum + step.heldUp, 0) / seconds;
  const still = mayStall(steps) ? (stallsIn(steps)?.seconds ?? 0) / seconds : 0;
  return { heldUpThreads: heldUp + still * Math.max(1, busyThreads), busyThreads };
}

/** A first sample, for most of a recording is not worth a second. @param {readonly Step[]} steps */
function mayStall(steps) {
  let [min, max] = [Infinity, 0];
  for (const { ops, seconds } of steps) {
    if (seconds === 0) continue;
    min = Math.min(min, ops / seconds);
    max = Math.max(max, ops / seconds);
  }
  return max >= MIN_OPS_PER_SEC && min < max * STALL_RATIO;
}

/** @param {Found} found @returns {Sample[]} */
const samplesOf = ({ pieces }) =>
  pieces.flatMap(({ block, from, to }) =>
    Array.from({ length: to - from }, (_, i) => sampleAt(block, from + i)),
  );

module.exports = { WorstWindows, samplesOf, WINDOW_SECONDS };
