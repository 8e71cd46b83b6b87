'use strict';

const { SLOT_MS } = require('./series');

/**
 * Times in which next to nothing was completed although operations waited: in a benchmark they
 * always do. Averages and even percentiles of a closed loop hide them, for while nothing ends
 * nothing is timed (docs/evidence/bench.md).
 * @typedef {{ count: number, longestMs: number, totalMs: number }} Stalls
 */

/** Below this share of the usual rate the server stands still: the same as for tune.advise(). */
const STALL_RATIO = 0.05;
/**
 * The usual rate is that of the third quartile: it stays right while up to three quarters of the
 * time stand still.
 */
const USUAL = 0.75;
/** The pause that tune.apply() keeps to as well: what people notice. */
const MIN_MS = 500;
/** With fewer operations a second an empty half second is chance. */
const MIN_PER_SEC = 20;

/**
 * @param {ArrayLike<number>} slots operations completed in each of SLOT_MS
 * @returns {Stalls | null} null: too few operations to tell
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

module.exports = { stallsIn };
