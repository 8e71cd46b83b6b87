'use strict';

const { OPS, TIMES } = require('../server/pure/growth');
const { BUSY_CPU, SPARE_CPU } = require('../server/pure/machine');
const { HEALTHY_THREADS } = require('../server/pure/thread-limits');
const { stallsIn, MIN_OPS_PER_SEC, STALL_RATIO } = require('../server/pure/stalls');
const { readerAt, sampleAt, secondsBetween } = require('./columns');
const { MICROS_PER_SECOND, MS_PER_SECOND } = require('../base/pure/units');
const { disksIn, ofDisk } = require('../server/pure/system-counters');

/**
 * @import { Counter } from '../server/pure/counters'
 * @import { Sample } from '../server/pure/sample'
 * @import { Interval } from '../server/pure/growth'
 * @import { Columns, Position } from './columns'
 */

/**
 * @typedef {Interval & { heldUp: number, busy: number, work: number }} SamplePair from one sample to the
 *   next; `heldUp`, `busy`: seconds of application threads; `work`: operations, of an insertMany all
 * @typedef {{
 *   fromMs: number, toMs: number, heldUpThreads: number, opsPerSec: number, rank: number,
 *   pieces: Piece[]
 * }} Found `heldUpThreads`: mean number of application threads that read pages, evicted, queued, or
 *   were stalled
 * @typedef {{ block: Columns, from: number, to: number }} Piece samples from … to - 1
 */

/** Length of a window that is judged: it has a checkpoint in it, by default one each 60 s. */
const WINDOW_SECONDS = 60;
/** Recordings with fewer samples need a longer window for the same verdict (heuristic). */
const WINDOW_SAMPLES = 30;
/** A window that a gap shortens is judged if at least this share of it is left (heuristic). */
const MIN_SHARE = 0.5;
/** Seconds between two windows that are compared (heuristic). */
const STEP_SECONDS = 5;
/**
 * Pairs of samples of one window; bounds the memory where a clock stops. Ten samples a second are
 * 600.
 */
const MAX_PAIRS = 5000;
/** Windows kept, none of which overlap. */
const KEPT = 5;
/**
 * Weights of operations a second and of busy threads in the rank: where no client is held up, the
 * window with the most operations is first, and no number of them outweighs one that is.
 */
const OPS_WEIGHT = 1e-9;
const BUSY_WEIGHT = 1e-12;

const COUNTED = /** @type {const} */ ([
  'ops.inserts',
  'ops.queries',
  'ops.updates',
  'ops.deletes',
  'ops.getmores',
]);
const REPLICATED = /** @type {const} */ ([
  'replicated.inserts',
  'replicated.updates',
  'replicated.deletes',
]);

/**
 * Finds the windows of a recording in which clients were held up most, while it passes by. Only the
 * blocks of the worst windows so far are kept.
 */
class WorstWindows {
  constructor() {
    /** @type {SamplePair[]} */
    this.pairs = [];
    this.seconds = 0;
    /** The ends of the pairs: one sample each, and the one before the first. @type {Piece[]} */
    this.pieces = [];
    /** @type {Found[]} */
    this.found = [];
    /**
     * The window with the most operations, whatever else was found.
     * @type {Found | null}
     */
    this.busiest = null;
    this.machine = new MachineWorst();
    this.judgedAtMs = -Infinity;
    this.heldUpThreads = 0;
  }

  /** Forgets the samples so far: after a restart or a gap the next one does not continue them. */
  reset() {
    this.pairs = [];
    this.seconds = 0;
    this.pieces = [];
    this.heldUpThreads = 0;
  }

  /**
   * Takes the next sample.
   * @param {Columns} block
   * @param {number} i
   * @param {{ before: Position | null, usualSeconds: number }} what `before`: the sample it continues;
   *   `usualSeconds`: from sample to sample
   * @returns {number} application threads held up, in the window that ends here
   */
  add(block, i, { before, usualSeconds }) {
    if (before === null) this.reset();
    this.addPiece(block, i);
    if (before === null) return 0;
    const pair = pairOf(before, { block, i });
    this.pairs.push(pair);
    this.seconds += pair.seconds;
    const wantedSeconds = Math.max(WINDOW_SECONDS, WINDOW_SAMPLES * usualSeconds);
    const seconds = this.dropOld(wantedSeconds);
    const nowMs = block.atMs[i];
    const isDue =
      nowMs - this.judgedAtMs >= STEP_SECONDS * MS_PER_SECOND || nowMs < this.judgedAtMs;
    if (isDue && seconds >= MIN_SHARE * wantedSeconds) this.judge(nowMs);
    return this.heldUpThreads;
  }

  /** @param {Columns} block @param {number} i */
  addPiece(block, i) {
    const last = this.pieces.at(-1);
    if (last?.block === block && last.to === i) last.to++;
    else this.pieces.push({ block, from: i, to: i + 1 });
  }

  /**
   * Drops the oldest pairs of a window that is longer than this.
   * @param {number} seconds
   * @returns {number} seconds that are left
   */
  dropOld(seconds) {
    while (this.pairs.length > 1 && (this.seconds > seconds || this.pairs.length > MAX_PAIRS)) {
      this.seconds -= /** @type {SamplePair} */ (this.pairs.shift()).seconds;
      const first = this.pieces[0];
      first.from++;
      if (first.from === first.to) this.pieces.shift();
    }
    return this.seconds;
  }

  /** Ranks the window that ends now, and keeps it if it is among the worst. @param {number} nowMs */
  judge(nowMs) {
    this.judgedAtMs = nowMs;
    const [first, last] = [this.pieces[0], this.pieces[this.pieces.length - 1]];
    this.machine.add({ block: first.block, i: first.from }, { block: last.block, i: last.to - 1 });
    const { heldUpThreads, busyThreads, opsPerSec } = strainOf(this.pairs);
    this.heldUpThreads = heldUpThreads;
    const rank =
      (heldUpThreads <= HEALTHY_THREADS ? 0 : heldUpThreads) +
      OPS_WEIGHT * opsPerSec +
      BUSY_WEIGHT * busyThreads;
    const fromMs = this.pieces[0].block.atMs[this.pieces[0].from];
    const made = () => ({
      fromMs,
      toMs: nowMs,
      heldUpThreads,
      opsPerSec,
      rank,
      pieces: this.pieces.map((piece) => ({ ...piece })),
    });
    if (opsPerSec > (this.busiest?.opsPerSec ?? -1)) this.busiest = made();
    const overlapping = this.found.filter((known) => known.toMs > fromMs && known.fromMs < nowMs);
    if (overlapping.some((known) => known.rank >= rank)) return;
    const others = this.found.filter((known) => !overlapping.includes(known));
    if (others.length >= KEPT && others[KEPT - 1].rank >= rank) return;
    this.found = [...others, made()].sort((a, b) => b.rank - a.rank).slice(0, KEPT);
  }
}

/**
 * The changes from sample a to sample b.
 * @param {Position} a
 * @param {Position} b
 * @returns {SamplePair}
 */
function pairOf(a, b) {
  const [then, latest] = [readerAt(a.block, a.i), readerAt(b.block, b.i)];
  const grown = (/** @type {Counter} */ name) => positive(latest(name) - then(name));
  const now = (/** @type {Counter} */ name) => positive(latest(name));
  const seconds = positive(secondsBetween(a, b));
  const clientSeconds = (grown(TIMES[0]) + grown(TIMES[1])) / MICROS_PER_SECOND;
  const evicting = Math.max(grown('eviction.appMicros'), grown('eviction.waitMicros'));
  const inCheckpoint = now('checkpoint.running') > 0;
  return {
    seconds,
    clientSeconds,
    cpuSeconds: inCheckpoint
      ? 0
      : (grown('process.userMicros') + grown('process.systemMicros')) / MICROS_PER_SECOND,
    inCheckpoint,
    ops: grown(OPS[0]) + grown(OPS[1]),
    heldUp:
      (grown('eviction.appReadMicros') + evicting) / MICROS_PER_SECOND +
      (now('queue.readers') + now('queue.writers')) * seconds,
    busy: clientSeconds,
    work: Math.max(sumOf(COUNTED, grown), grown(OPS[0]) + grown(OPS[1]), sumOf(REPLICATED, grown)),
  };
}

/** @param {readonly Counter[]} names @param {(name: Counter) => number} grown */
const sumOf = (names, grown) => names.reduce((sum, name) => sum + grown(name), 0);

/** Counts an unknown value, and a counter that shrank, as 0. @param {number} value */
const positive = (value) => (value > 0 ? value : 0);

/**
 * Mean number of threads that were held up, and that were busy, and operations a second.
 * @param {readonly SamplePair[]} pairs of half a window's time at least
 * @returns {{ heldUpThreads: number, busyThreads: number, opsPerSec: number }}
 */
function strainOf(pairs) {
  const seconds = pairs.reduce((sum, pair) => sum + pair.seconds, 0);
  const busyThreads = pairs.reduce((sum, pair) => sum + pair.busy, 0) / seconds;
  const heldUp = pairs.reduce((sum, pair) => sum + pair.heldUp, 0) / seconds;
  const stalledRatio = mayStall(pairs) ? (stallsIn(pairs)?.seconds ?? 0) / seconds : 0;
  return {
    heldUpThreads: heldUp + stalledRatio * Math.max(1, busyThreads),
    busyThreads,
    opsPerSec: pairs.reduce((sum, pair) => sum + pair.work, 0) / seconds,
  };
}

/** A cheap check: most windows have no stall in them. @param {readonly SamplePair[]} pairs */
function mayStall(pairs) {
  let [min, max] = [Infinity, 0];
  for (const { ops, seconds } of pairs) {
    if (seconds === 0) continue;
    min = Math.min(min, ops / seconds);
    max = Math.max(max, ops / seconds);
  }
  return max >= MIN_OPS_PER_SEC && min < max * STALL_RATIO;
}

/** The samples of a window. @param {Found} found @returns {Sample[]} */
const samplesOf = ({ pieces }) =>
  pieces.flatMap(({ block, from, to }) =>
    Array.from({ length: to - from }, (_, i) => sampleAt(block, from + i)),
  );

/**
 * Finds the minute of a recording in which the machine was worst off: the server's own counters may
 * show nothing of it.
 * @typedef {'swapInsPerSec' | 'swapOutsPerSec' | 'cpuBusyRatio' | 'diskBusyRatio'} Strain
 * @typedef {{ value: number, fromMs: number, toMs: number, disk?: string }} Moment
 */

class MachineWorst {
  constructor() {
    /** @type {{ [name in Strain]?: Moment }} */
    this.worst = {};
  }

  /** @param {Position} from the first sample of a window @param {Position} to the last one */
  add(from, to) {
    const [then, now] = [readerAt(from.block, from.i), readerAt(to.block, to.i)];
    const grown = (/** @type {Counter} */ name) => now(name) - then(name);
    const ms = grown('diagnostics.atMs');
    if (!(ms > 0)) return;
    const when = { fromMs: from.block.atMs[from.i], toMs: to.block.atMs[to.i] };
    const keep = (
      /** @type {Strain} */ name,
      /** @type {number} */ value,
      /** @type {string} */ disk,
    ) => {
      if (value > (this.worst[name]?.value ?? 0))
        this.worst[name] = { value, ...when, ...(disk && { disk }) };
    };
    keep('swapInsPerSec', (grown('memory.swappedInPages') / ms) * 1000, '');
    keep('swapOutsPerSec', (grown('memory.swappedOutPages') / ms) * 1000, '');
    const [busy, spare] = [BUSY_CPU, SPARE_CPU].map((names) =>
      names.reduce((sum, name) => sum + (grown(name) || 0), 0),
    );
    keep('cpuBusyRatio', busy / (busy + spare), '');
    for (const disk of disksIn(to.block.columns))
      keep('diskBusyRatio', Math.min(1, grown(ofDisk('disk.busyMs', disk)) / ms), disk);
  }
}

module.exports = { WorstWindows, samplesOf, WINDOW_SECONDS };
