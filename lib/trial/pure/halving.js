'use strict';

/**
 * Successive halving: all candidates get a short trial, the better half a longer one, until one is
 * left (Jamieson and Talwalkar 2016).
 * @template T
 * @typedef {{ candidate: T, score: number }} Scored `score`: how many times as good as what is in
 *   force; 0 where the guardrail ended it
 */

/**
 * @template T
 * @param {readonly Scored<T>[]} round in the order they were given
 * @returns {T[]} the better half, in that order; none that is no better than what is in effect by
 *   far
 */
function betterHalf(round) {
  const ranked = [...round]
    .filter(({ score }) => score > HOPELESS)
    .sort((a, b) => b.score - a.score);
  const kept = new Set(
    ranked.slice(0, Math.ceil(round.length / 2)).map(({ candidate }) => candidate),
  );
  return round.map(({ candidate }) => candidate).filter((candidate) => kept.has(candidate));
}

/**
 * After one pair of short blocks chance alone makes a tenth: what is worse than that is not tried
 * again.
 */
const HOPELESS = 0.9;

module.exports = { betterHalf };
