'use strict';

/** Quantiles, of measured values and of Student's distribution, and the most frequent value. */

/**
 * @param {ArrayLike<number>} values not changed; what is not a number does not count
 * @param {number} share 0 to 1
 * @returns {number} NaN where there is none
 */
function quantile(values, share) {
  const known = Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort();
  return known.length === 0
    ? NaN
    : known[Math.min(known.length - 1, Math.floor(share * known.length))];
}

/**
 * Student's distribution for whole degrees of freedom, from its finite sums: Abramowitz and Stegun,
 * Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
 */

/** Each step halves what is left of a quarter turn: 60 of them reach the precision of a number. */
const STEPS = 60;

/**
 * The value that the amount of a variable exceeds with the probability `1 - confidence`: 12.706 for
 * one degree of freedom and 0.95.
 * @param {number} confidence both tails together leave the rest
 * @param {number} degrees of freedom, whole, at least 1
 * @returns {number}
 */
function studentQuantile(confidence, degrees) {
  let [low, high] = [0, Math.PI / 2];
  for (let step = 0; step < STEPS; step += 1) {
    const angle = (low + high) / 2;
    if (probabilityWithin(angle, degrees) < confidence) low = angle;
    else high = angle;
  }
  return Math.sqrt(degrees) * Math.tan((low + high) / 2);
}

/**
 * The probability that the amount of a variable is at most `sqrt(degrees) * tan(angle)`.
 * @param {number} angle
 * @param {number} degrees
 */
function probabilityWithin(angle, degrees) {
  const isOdd = degrees % 2 === 1;
  const cosine = Math.cos(angle);
  let term = isOdd ? cosine : 1;
  let sum = 0;
  for (let power = isOdd ? 1 : 0; power <= degrees - 2; power += 2) {
    sum += term;
    term *= ((power + 1) / (power + 2)) * cosine ** 2;
  }
  const series = Math.sin(angle) * sum;
  return isOdd ? (2 / Math.PI) * (angle + series) : series;
}

/** @param {readonly string[]} values @returns {string | null} the first of equally frequent ones */
function mostFrequent(values) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

module.exports = { studentQuantile, quantile, mostFrequent };
