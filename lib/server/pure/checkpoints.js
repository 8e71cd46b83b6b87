'use strict';

const { intervalsOf, stallIntervalsIn } = require('./stalls');

/**
 * @import { Counter } from './counters'
 * @import { Sample } from './sample'
 * @import { Interval } from './growth'
 * @import { Window } from './window'
 */

/**
 * Checkpoints as samples show them: the generation grows when one begins, the total time when it
 * ends, by its duration to the millisecond. Its beginning is known as well as samples are close.
 * (Seen on 6.0; 8.0 moved the names, see metrics.js.)
 *
 * @typedef {{
 *   fromMs: number, toMs: number | null, durationMs: number | null, before: number, after: number
 * }} Found `before` and
 *   `after`: places of the samples around it; null: still running at the end of the window
 * @typedef {{ at: number, earliestMs: number, latestMs: number }} Begun when one began: behind the
 *   sample at this place
 * @typedef {{
 *   from: Date, durationMs: number | null, running: boolean, writtenBytes: number | null,
 *   checkpointBytes: number | null, opsPerSec: number | null, stalledSeconds: number | null
 * }} Checkpoint bytes written to disk by all, and for the checkpoint,
 *   in the samples around it; operations completed in the intervals it touched
 * @typedef {{ from: Date, seconds: number, inCheckpoint: boolean }} Stall
 */

/** @param {Sample} sample @param {Counter} name */
const value = (sample, name) => sample.counters[name] ?? 0;

/** @param {Window} window @returns {Found[] | null} null: the server does not report */
function findCheckpoints({ samples }) {
  if (
    samples.length < 2 ||
    samples.some(({ counters }) => counters['checkpoint.totalMs'] === undefined)
  )
    return null;
  /** @type {Found[]} */ const found = [];
  let begun = runs(samples[0]) ? begin(samples, 0, -Infinity) : null;
  for (let i = 1; i < samples.length; i++) {
    const [prior, sample] = [samples[i - 1], samples[i]];
    const took = value(sample, 'checkpoint.totalMs') - value(prior, 'checkpoint.totalMs');
    if (took > 0) found.push(...endings(samples, i, begun, took));
    begun = begunAfter(samples, i, took > 0 ? null : begun);
  }
  return begun === null
    ? found
    : [
        ...found,
        {
          fromMs: begun.latestMs,
          toMs: null,
          durationMs: null,
          before: begun.at,
          after: samples.length - 1,
        },
      ];
}

/**
 * @param {readonly Sample[]} samples
 * @param {number} i
 * @param {Begun | null} begun what had begun before and has not ended
 * @returns {Begun | null}
 */
function begunAfter(samples, i, begun) {
  if (!runs(samples[i])) return null;
  return begun === null && starts(samples[i - 1], samples[i])
    ? begin(samples, i, samples[i - 1].atMs)
    : begun;
}

/** @param {Sample} sample */
const runs = (sample) => value(sample, 'checkpoint.running') > 0;

/**
 * Whether a new checkpoint began: the flag stays set a little longer than the checkpoint, so by
 * itself it shows a new one only after it was cleared.
 * @param {Sample} prior
 * @param {Sample} sample
 */
const starts = (prior, sample) =>
  !runs(prior) || value(sample, 'checkpoint.generation') > value(prior, 'checkpoint.generation');

/**
 * @param {readonly Sample[]} samples
 * @param {number} i the first that shows it
 * @param {number} earliestMs
 * @returns {Begun}
 */
const begin = (samples, i, earliestMs) => ({
  at: Math.max(0, i - 1),
  earliestMs,
  latestMs: samples[i].atMs,
});

/**
 * Checkpoints that ended between two samples: more time than the last one took belongs to others
 * before it, counted as one.
 * @param {readonly Sample[]} samples
 * @param {number} i
 * @param {Begun | null} begun
 * @param {number} took ms
 * @returns {Found[]}
 */
function endings(samples, i, begun, took) {
  const lastMs = Math.min(took, samples[i].counters['checkpoint.lastMs'] ?? took);
  return took > lastMs
    ? [ended(samples, i, begun, took - lastMs), ended(samples, i, null, lastMs)]
    : [ended(samples, i, begun, took)];
}

/**
 * @param {readonly Sample[]} samples
 * @param {number} i the first after its end
 * @param {Begun | null} begun
 * @param {number} durationMs
 * @returns {Found}
 */
function ended(samples, i, begun, durationMs) {
  const [prior, sample] = [samples[i - 1], samples[i]];
  const earliest = Math.max(begun?.earliestMs ?? prior.atMs, prior.atMs - durationMs);
  const latest = Math.min(begun?.latestMs ?? sample.atMs, sample.atMs - durationMs);
  const fromMs = Math.round((Math.min(earliest, latest) + latest) / 2);
  return { fromMs, toMs: fromMs + durationMs, durationMs, before: begun?.at ?? i - 1, after: i };
}

/**
 * @param {Window} window
 * @returns {{
 *   checkpoints: Checkpoint[] | null, stalls: Stall[] | null,
 *   opsPerSec: { inside: number | null, outside: number | null }, timeline: Moment[]
 * }}
 *   `stalls` null: too little work, or too few samples, to tell
 */
function checkpointsOf(window) {
  const found = findCheckpoints(window);
  const intervals = intervalsOf(window);
  const touched = (/** @type {Interval} */ interval) =>
    interval.inCheckpoint || (found ?? []).some((checkpoint) => touches(checkpoint, interval));
  const runs = stallIntervalsIn(intervals)?.map(({ run }) => run) ?? null;
  const stalled = new Set(runs?.flat());
  return {
    checkpoints:
      found?.map((checkpoint) => describe(window, checkpoint, intervals, runs && stalled)) ?? null,
    stalls:
      runs?.map((run) => ({
        from: new Date(fromMs(run[0])),
        seconds: seconds(run),
        inCheckpoint: run.some(touched),
      })) ?? null,
    opsPerSec: {
      inside: rateOf(intervals.filter(touched)),
      outside: rateOf(intervals.filter((interval) => !touched(interval))),
    },
    timeline: intervals.map((interval) => ({
      from: new Date(fromMs(interval)),
      opsPerSec: interval.ops / interval.seconds,
      checkpoint: touched(interval),
      stalled: stalled.has(interval),
    })),
  };
}

/** @typedef {{ from: Date, opsPerSec: number, checkpoint: boolean, stalled: boolean }} Moment */

/**
 * @param {Window} window
 * @param {Found} checkpoint
 * @param {readonly Interval[]} intervals
 * @param {Set<Interval> | null} stalled
 * @returns {Checkpoint}
 */
function describe({ samples }, checkpoint, intervals, stalled) {
  const during = intervals.filter((interval) => touches(checkpoint, interval));
  const grown = (/** @type {Counter} */ name) => {
    const [before, after] = [
      samples[checkpoint.before].counters[name],
      samples[checkpoint.after].counters[name],
    ];
    return before === undefined || after === undefined || after < before ? null : after - before;
  };
  return {
    from: new Date(checkpoint.fromMs),
    durationMs: checkpoint.durationMs,
    running: checkpoint.toMs === null,
    writtenBytes: grown('block.writtenBytes'),
    checkpointBytes: grown('block.checkpointBytes'),
    opsPerSec: rateOf(during),
    stalledSeconds: stalled && seconds(during.filter((interval) => stalled.has(interval))),
  };
}

/** @param {Found} checkpoint @param {Interval} interval */
const touches = (checkpoint, interval) =>
  checkpoint.fromMs < end(interval) && (checkpoint.toMs ?? Infinity) >= fromMs(interval);
/** @param {Interval} interval */
const end = ({ toMs }) => /** @type {number} */ (toMs);
/** @param {Interval} interval */
const fromMs = (interval) => end(interval) - interval.seconds * 1000;
/** @param {readonly Interval[]} intervals */
const seconds = (intervals) => intervals.reduce((sum, interval) => sum + interval.seconds, 0);
/** @param {readonly Interval[]} intervals @returns {number | null} */
const rateOf = (intervals) =>
  intervals.length === 0
    ? null
    : intervals.reduce((sum, { ops }) => sum + ops, 0) / seconds(intervals);

module.exports = { findCheckpoints, checkpointsOf };
