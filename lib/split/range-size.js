'use strict';

/**
 * How many documents a range of a copy has: so many that it takes the server half a second, and its
 * overhead (an edge, a state written by majority) is small against it; fewer while the clients are
 * to be spared, since a range that is under way cannot be slowed down.
 */

/** Milliseconds; heuristic. */
const RANGE_MS = 500;
/** Documents. Doubled from a small beginning: they may be of 16 MB. */
const FIRST = 500;
const MAX = 16_000;
/** While the clients are spared: fewer would be overhead alone; heuristic. */
const FEWEST_SPARING = 250;

/** @param {number} size @param {{ ms: number, held: boolean }} last @returns {number} */
function nextSize(size, { ms, held }) {
  if (held) return Math.min(size, Math.max(FEWEST_SPARING, Math.ceil(size / 2)));
  if (ms > 2 * RANGE_MS) return Math.ceil(size / 2);
  return ms < RANGE_MS / 2 ? Math.min(MAX, 2 * size) : size;
}

module.exports = { nextSize, FIRST };
