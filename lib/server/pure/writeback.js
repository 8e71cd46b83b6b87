'use strict';

const { intervalsOf, stallIntervalsIn } = require('./stalls');

/**
 * @import { Window } from './window'
 */

/**
 * Stalls in which the kernel wrote back: the dirty page cache falls while nothing is completed. The
 * machine is sampled once a second by another clock than the operations, so the samples before and
 * after a stall belong to it.
 */

const SLACK_MS = 1500;
/**
 * In stalls that were seen nearly all of it went (180 to 5 MB); a third comes and goes at any time.
 */
const FALLEN_RATIO = 0.5;
/** A few megabytes hold up no operation. */
const MIN_BYTES = 8 * 2 ** 20;

/**
 * @param {Window} window
 * @returns {number | undefined} share of the stalls' time; undefined where there was none, or
 *   the machine is not known
 */
function writebackShare(window) {
  const runs = stallIntervalsIn(intervalsOf(window)) ?? [];
  const observed = window.samples.flatMap(
    ({ counters: { 'diagnostics.atMs': atMs, 'writeback.dirtyPageBytes': bytes } }) =>
      atMs === undefined || bytes === undefined ? [] : [{ atMs, bytes }],
  );
  const spans = runs.map(({ run }) => ({
    seconds: run.reduce((sum, { seconds }) => sum + seconds, 0),
    toMs: run[run.length - 1].toMs ?? NaN,
  }));
  const known = spans
    .map(({ seconds, toMs }) => ({
      seconds,
      fell: fallOf(
        observed.filter(
          ({ atMs }) => atMs >= toMs - seconds * 1000 - SLACK_MS && atMs <= toMs + SLACK_MS,
        ),
      ),
    }))
    .filter(({ fell }) => fell !== undefined);
  const all = known.reduce((sum, { seconds }) => sum + seconds, 0);
  return all === 0
    ? undefined
    : known.filter(({ fell }) => fell).reduce((sum, { seconds }) => sum + seconds, 0) / all;
}

/**
 * Other programs may write meanwhile, so the value rises again: any fall counts, from the highest
 * sample before it.
 * @param {{ bytes: number }[]} observed in the order of time
 * @returns {boolean | undefined}
 */
function fallOf(observed) {
  if (observed.length < 2) return undefined;
  let peak = 0;
  return observed.some(({ bytes }) => {
    peak = Math.max(peak, bytes);
    return peak - bytes >= Math.max(MIN_BYTES, peak * FALLEN_RATIO);
  });
}

module.exports = { writebackShare };
