'use strict';

/** Completions are counted in slots of this length: fine enough for stalls of half a second. */
const SLOT_MS = 100;

/**
 * Times in which almost no operation completed. Means and percentiles of a closed loop hide them,
 * for only what completes is timed (docs/evidence/bench.md).
 * @typedef {{ count: number, longestMs: number, totalMs: number }} Stalls
 */

/** Below this share of the usual rate the server is stalled: the same as for tune.advise(). */
const STALL_RATIO = 0.05;
/** Quantile taken for the usual rate: it holds while up to three quarters of the time are stalls. */
const USUAL = 0.75;
/** A shorter pause is not noticed; tune.apply() keeps to the same. */
const MIN_MS = 500;
/** With fewer operations a second an empty half second is chance (heuristic). */
const MIN_PER_SEC = 20;

/**
 * Counts the stalls.
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

module.exports = { SLOT_MS, stallsIn };
