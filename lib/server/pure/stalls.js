'use strict';

const { quantile } = require('../../base/pure/statistics');
const { intervalBetween, secondsBetween } = require('./growth');
const { once } = require('./window');

/**
 * @import { Interval, ReadCounter } from './growth'
 * @import { Sample } from './sample'
 * @import { Window } from './window'
 */

/**
 * Finds stalls: seconds in which hardly any operation completed although clients waited. A mean
 * over the window hides them, so each pair of samples is judged. A pause of the clients gives the
 * same counts, but another time of the operations that complete afterwards (opLatencies counts it
 * at their end, with the wait for the journal).
 * @typedef {{ seconds: number, longestSeconds: number, inCheckpointSeconds: number }} Stalls
 */

/** The server stalls below this share of the usual rate. */
const STALL_RATIO = 0.05;
/** At a lower rate a second without any operation is chance. */
const MIN_OPS_PER_SEC = 20;
/** Intervals that a usual rate needs. */
const MIN_INTERVALS = 10;
/**
 * Clients must have waited for at least this share of the stall: else they had asked for nothing.
 */
const WAITED_RATIO = 0.5;
/** Coarser samples hide a stall of seconds. */
const COARSEST_SECONDS = 5;
/**
 * The usual rate is the third quartile: it is right while up to three quarters of the window are
 * stalls.
 */
const USUAL = 0.75;

/** Between each two samples that have enough counters. */
const intervalsOf = once(findIntervals);

/** @param {Window} window @returns {readonly Interval[]} */
function findIntervals({ samples }) {
  return samples.slice(1).flatMap((sample, i) => {
    const when = { seconds: secondsBetween(samples[i], sample), toMs: sample.atMs };
    return intervalBetween(readerOf(samples[i]), readerOf(sample), when) ?? [];
  });
}

/** @param {Sample} sample @returns {ReadCounter} */
const readerOf =
  ({ counters }) =>
  (name) =>
    counters[name] ?? NaN;

/**
 * @param {Window} window
 * @returns {Stalls | undefined} undefined: too few or too coarse samples, or too little work, to
 *   tell
 */
const findStalls = once((window) => stallsIn(intervalsOf(window)));

/** @param {readonly Interval[]} all one after the other @returns {Stalls | undefined} */
const stallsIn = (all) =>
  stallIntervalsIn(all)?.reduce(addRun, { seconds: 0, longestSeconds: 0, inCheckpointSeconds: 0 });

/**
 * @param {readonly Interval[]} all one after the other
 * @returns {{ run: Interval[], after: Interval[] }[] | undefined} each with the intervals that it
 *   lasted, and the one after it
 */
function stallIntervalsIn(all) {
  if (all.length < MIN_INTERVALS || total(all, 'seconds') / all.length > COARSEST_SECONDS)
    return undefined;
  const usual = quantile(all.map(rateOf), USUAL);
  if (usual < MIN_OPS_PER_SEC) return undefined;
  const still = (/** @type {Interval} */ interval) => rateOf(interval) < usual * STALL_RATIO;
  const moving = all.filter((interval) => !still(interval));
  const usualSeconds = quantile(
    moving.map(({ clientSeconds, ops }) => clientSeconds / ops),
    0.5,
  );
  return runsOf(all, still).filter(({ run, after }) => waited(run, after, usualSeconds));
}

/** @param {Interval} interval */
const rateOf = ({ ops, seconds }) => ops / seconds;

/**
 * @param {readonly Interval[]} intervals
 * @param {'seconds' | 'ops' | 'clientSeconds' | 'cpuSeconds' | 'writtenBytes' |
 *   'waitSeconds'} field
 */
const total = (intervals, field) =>
  intervals.reduce((sum, interval) => sum + /** @type {number} */ (interval[field]), 0);

/**
 * @param {readonly Interval[]} all @param {(interval: Interval) => boolean} still
 * @returns {{ run: Interval[], after: Interval[] }[]} each stall with what came right after it
 */
function runsOf(all, still) {
  const runs = /** @type {{ run: Interval[], after: Interval[] }[]} */ ([]);
  all.forEach((interval, i) => {
    if (!still(interval)) return;
    if (i > 0 && still(all[i - 1])) runs[runs.length - 1].run.push(interval);
    else runs.push({ run: [interval], after: [] });
    runs[runs.length - 1].after = all.slice(i + 1, i + 2);
  });
  return runs;
}

/**
 * Few operations that take long may be large ones, too, such as scans after a load: then the
 * process works for them meanwhile.
 * @param {Interval[]} run
 * @param {Interval[]} after
 * @param {number} usualSeconds of one operation
 */
function waited(run, after, usualSeconds) {
  const seen = [...run, ...after];
  return (
    total(seen, 'clientSeconds') - total(seen, 'ops') * usualSeconds - total(run, 'cpuSeconds') >=
    WAITED_RATIO * total(run, 'seconds')
  );
}

/** @param {Stalls} sum @param {{ run: Interval[] }} stall @returns {Stalls} */
function addRun(sum, { run }) {
  const seconds = total(run, 'seconds');
  const inCheckpoint = total(
    run.filter((interval) => interval.inCheckpoint),
    'seconds',
  );
  return {
    seconds: sum.seconds + seconds,
    longestSeconds: Math.max(sum.longestSeconds, seconds),
    inCheckpointSeconds: sum.inCheckpointSeconds + inCheckpoint,
  };
}

/** Next to nothing, against what is written at other times (heuristic). */
const QUIET_RATIO = 0.05;

/**
 * Share of the stalls' time in which the engine wrote next to no page: it had handed over what
 * it had, and waited itself for the disk to take it.
 * @param {Window} window
 * @returns {number | undefined} undefined where there was none, or nothing is ever written
 */
function quietShare(window) {
  const all = intervalsOf(window).filter(({ writtenBytes }) => writtenBytes !== undefined);
  const stalled = (stallIntervalsIn(all) ?? []).flatMap(({ run }) => run);
  const usual = total(all, 'writtenBytes') / total(all, 'seconds');
  if (stalled.length === 0 || !(usual > 0)) return undefined;
  return (
    total(
      stalled.filter(
        (interval) =>
          /** @type {number} */ (interval.writtenBytes) < usual * QUIET_RATIO * interval.seconds,
      ),
      'seconds',
    ) / total(stalled, 'seconds')
  );
}

/** Thread-seconds of waiting for each second of a stall: less is not what it waits for (heuristic). */
const CACHE_WAIT_RATIO = 0.5;

/**
 * Share of the stalls' time in which application threads waited for the cache; a wait counts when
 * it ends, so that it may be credited right after the stall.
 * @param {Window} window
 * @returns {number | undefined} undefined where there was none, or that is not known
 */
function cacheWaitShare(window) {
  const all = intervalsOf(window);
  const runs = stallIntervalsIn(all) ?? [];
  if (runs.length === 0 || all.some(({ waitSeconds }) => waitSeconds === undefined))
    return undefined;
  const seconds = runs.map(({ run }) => total(run, 'seconds'));
  const waited = runs.reduce(
    (sum, { run, after }, i) =>
      total([...run, ...after], 'waitSeconds') >= seconds[i] * CACHE_WAIT_RATIO
        ? sum + seconds[i]
        : sum,
    0,
  );
  return waited / seconds.reduce((sum, one) => sum + one, 0);
}

/** Intervals: a shorter checkpoint says nothing of the pace within it. */
const MIN_INSIDE = 2;

/**
 * Computes how much slower the server completes operations while a checkpoint runs. It only uses
 * time in which clients wanted as much as otherwise: their waiting time per second must not have
 * fallen below half.
 * @param {Window} window
 * @returns {number | undefined} rate inside ÷ rate outside; undefined when there is too little of
 *   either
 */
function checkpointPace(window) {
  const all = intervalsOf(window);
  const [inside, outside] = [
    all.filter(({ inCheckpoint }) => inCheckpoint),
    all.filter(({ inCheckpoint }) => !inCheckpoint),
  ];
  if (inside.length < MIN_INSIDE || outside.length < MIN_INTERVALS / 2) return undefined;
  const perSecond = (
    /** @type {Interval[]} */ some,
    /** @type {'ops' | 'clientSeconds'} */ field,
  ) => total(some, field) / total(some, 'seconds');
  if (perSecond(outside, 'ops') < MIN_OPS_PER_SEC) return undefined;
  if (perSecond(inside, 'clientSeconds') < perSecond(outside, 'clientSeconds') / 2)
    return undefined;
  return perSecond(inside, 'ops') / perSecond(outside, 'ops');
}

module.exports = {
  findStalls,
  quietShare,
  cacheWaitShare,
  stallsIn,
  stallIntervalsIn,
  intervalsOf,
  checkpointPace,
  STALL_RATIO,
  MIN_OPS_PER_SEC,
};
