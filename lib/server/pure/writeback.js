'use strict';

const { intervalsOf, stallIntervalsIn } = require('./stalls');

/**
 * @import { Window } from './window'
 */

/**
 * Standstills in which the kernel wrote back: what was written to files and not yet to the disk
 * falls while nothing is completed. The machine is looked at once a second by another clock than
 * the operations, so a sample before and one behind belong to a standstill.
 */

const SLACK_MS = 1500;
/**
 * In stalls that were seen nearly all of it went (180 to 5 MB); a third comes and goes at any time.
 */
const FALLEN_RATIO = 0.5;
/** A few megabytes hold nobody up. */
const MIN_BYTES = 8 * 2 ** 20;

/**
 * @param {Window} window
 * @returns {number | undefined} share of the standstills' time; undefined where there was none, or
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
 * Others may write on meanwhile, so that what has fallen rises again: any fall counts, from the
 * highest look before it.
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
