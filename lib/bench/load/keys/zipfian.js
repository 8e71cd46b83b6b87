'use strict';

/**
 * Numbers from 0 on, of which the small ones come often: rank r with a probability near 1 / (r +
 * 1)^θ. The algorithm is that of Gray et al., "Quickly Generating Billion-Record Synthetic
 * Databases" (SIGMOD 1994), which YCSB uses: exact for the first two ranks, by a continuous curve
 * for the others.
 */

/** YCSB's constant. */
const THETA = 0.99;

/** @typedef {() => number} Random at least 0, below 1 */

/**
 * @param {number} items how many numbers there are
 * @param {Random} random
 * @param {{ theta?: number, zeta?: number }} [options] `zeta`: that of `items`, where it is known;
 *   summing up 10^10 takes minutes
 * @returns {(count?: number) => number} `count`: as many items as there are now, never fewer than
 *   before
 */
function zipfian(items, random, { theta = THETA, zeta = zetaOf(0, items, theta, 0) } = {}) {
  const alpha = 1 / (1 - theta);
  const zetaOfTwo = zetaOf(0, 2, theta, 0);
  const second = 1 + 0.5 ** theta;
  let [counted, sum, eta] = [items, zeta, etaOf(items, theta, zetaOfTwo, zeta)];
  return (count = counted) => {
    if (count > counted) {
      // What came in since is added to the sum; nothing is summed up again.
      sum = zetaOf(counted, count, theta, sum);
      counted = count;
      eta = etaOf(counted, theta, zetaOfTwo, sum);
    }
    const u = random();
    if (u * sum < 1) return 0;
    if (u * sum < second) return 1;
    return Math.floor(counted * (eta * u - eta + 1) ** alpha);
  };
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} theta
 * @param {number} sum of those before `from`
 * @returns {number}
 */
function zetaOf(from, to, theta, sum) {
  let total = sum;
  for (let i = from; i < to; i++) total += 1 / (i + 1) ** theta;
  return total;
}

/** @param {number} items @param {number} theta @param {number} zetaOfTwo @param {number} zeta */
const etaOf = (items, theta, zetaOfTwo, zeta) =>
  (1 - (2 / items) ** (1 - theta)) / (1 - zetaOfTwo / zeta);

module.exports = { zipfian, zetaOf, THETA };
