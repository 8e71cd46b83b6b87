'use strict';

const jstat = require('jstat');

/**
 * Numbers as good as random, the same in every run.
 * @param {number} seed
 * @returns {() => number} mulberry32
 */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * How probable a deviation as large as this one is, if the theory is right.
 * @param {readonly number[]} seen counts a bin
 * @param {readonly number[]} expected probabilities a bin, together 1
 * @returns {number} 0 to 1; near 0: the theory is wrong
 */
function pValue(seen, expected) {
  const all = seen.reduce((sum, n) => sum + n, 0);
  const statistic = seen.reduce(
    (sum, n, i) => sum + (n - all * expected[i]) ** 2 / (all * expected[i]),
    0,
  );
  return 1 - jstat.chisquare.cdf(statistic, seen.length - 1);
}

/**
 * @param {() => number} draw
 * @param {number} times
 * @param {(value: number) => number} binOf
 * @param {number} bins
 */
function countBins(draw, times, binOf, bins) {
  const seen = new Array(bins).fill(0);
  for (let i = 0; i < times; i++) seen[binOf(draw())] += 1;
  return seen;
}

module.exports = { seeded, pValue, countBins };
