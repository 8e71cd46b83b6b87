'use strict';

/**
 * What B did to a figure, from pairs of blocks that lie next to each other: the mean of the logarithms of their ratios, and
 * Student's interval for it. The pair is the unit: what the load does over minutes is in both of its blocks.
 *
 * @typedef {{ a: number, b: number }} Pair
 * @typedef {{ ratio: number, low: number, high: number, pairs: number, spread: number }} Comparison B ÷ A; `low` and `high`: where the true
 *   ratio lies with a confidence of 95 %; `spread`: standard deviation of the logarithms
 */

const CONFIDENCE = 0.95;
/** One pair has no spread. */
const FEWEST_PAIRS = 2;

/** @param {readonly Pair[]} pairs positive numbers @returns {Comparison | null} null for fewer than two pairs */
function compare(pairs) {
  if (pairs.length < FEWEST_PAIRS) return null;
  const logs = pairs.map(({ a, b }) => Math.log(b / a));
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  const spread = Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1));
  const half = halfWidth(spread, logs.length);
  return { ratio: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half), pairs: logs.length, spread };
}

/** @param {number} spread @param {number} pairs @returns {number} of the interval of the mean logarithm */
const halfWidth = (spread, pairs) => (quantile(pairs - 1) * spread) / Math.sqrt(pairs);

/** Of Student's distribution, both tails together 5 %. @param {number} degrees @returns {number} */
function quantile(degrees) {
  // @ts-expect-error It comes without types.
  const { jStat } = require('jstat');
  return jStat.studentt.inv(1 - (1 - CONFIDENCE) / 2, degrees);
}

/**
 * @param {readonly import('./figures').Block[]} blocks @param {import('./metrics').TrialMetric} metric
 * @returns {Pair[]} of the pairs of which both blocks are there and known
 */
function pairsOf(blocks, metric) {
  const of = (/** @type {number} */ pair, /** @type {'A' | 'B'} */ setting) => blocks.find((block) => block.pair === pair && block.setting === setting)?.[metric] ?? 0;
  const numbers = [...new Set(blocks.map(({ pair }) => pair))];
  return numbers.map((pair) => ({ a: of(pair, 'A'), b: of(pair, 'B') })).filter(({ a, b }) => a > 0 && b > 0);
}

module.exports = { compare, pairsOf, halfWidth };
