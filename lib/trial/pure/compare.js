'use strict';

const { studentQuantile } = require('../../base/pure/statistics');
const { TRIAL_METRICS } = require('./figures');

/**
 * @import { Block, TrialMetric } from './figures'
 */

/**
 * Computes the effect of B on a figure, from pairs of blocks that lie next to each other: the mean
 * of the logarithms of their ratios, and Student's interval for it. The pair is the unit: what the
 * load does over minutes is in both of its blocks.
 *
 * @typedef {{ a: number, b: number }} Pair
 * @typedef {{ ratio: number, low: number, high: number, pairs: number, spread: number }} Comparison
 *   B ÷ A; `low` and `high`: where the true
 *   ratio lies with a confidence of 95%; `spread`: standard deviation of the logarithms
 */

const CONFIDENCE = 0.95;
/** Fewest pairs that have a spread. */
const FEWEST_PAIRS = 2;

/**
 * @param {readonly Pair[]} pairs positive numbers
 * @returns {Comparison | null} null for fewer than two pairs
 */
function compare(pairs) {
  if (pairs.length < FEWEST_PAIRS) return null;
  const logs = pairs.map(({ a, b }) => Math.log(b / a));
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  const spread = Math.sqrt(
    logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1),
  );
  const half = halfWidth(spread, logs.length);
  return {
    ratio: Math.exp(mean),
    low: Math.exp(mean - half),
    high: Math.exp(mean + half),
    pairs: logs.length,
    spread,
  };
}

/**
 * @param {number} spread
 * @param {number} pairs
 * @returns {number} half the width of the interval of the mean logarithm
 */
const halfWidth = (spread, pairs) =>
  (studentQuantile(CONFIDENCE, pairs - 1) * spread) / Math.sqrt(pairs);

/**
 * @param {readonly Block[]} blocks @param {TrialMetric} metric
 * @returns {Pair[]} the figures of the pairs whose blocks are both complete and known
 */
const pairsOf = (blocks, metric) =>
  bothOf(blocks)
    .map(([a, b]) => ({ a: figureOf(a, metric), b: figureOf(b, metric) }))
    .filter(({ a, b }) => a > 0 && b > 0);

/**
 * Counts the pairs in which one block has no latency: only operations that ended have one. Where
 * none ended under one side, the pair is missing from the comparison, and not by chance.
 * @param {readonly Block[]} blocks
 * @param {TrialMetric} metric
 * @returns {{ pairs: number, oneSided: { pair: number, without: 'A' | 'B' }[] }}
 */
function oneSidedOf(blocks, metric) {
  const both = bothOf(blocks);
  const oneSided = both.flatMap(([a, b]) => {
    const [seenA, seenB] = [figureOf(a, metric) > 0, figureOf(b, metric) > 0];
    return seenA === seenB
      ? []
      : [{ pair: a.pair, without: /** @type {'A' | 'B'} */ (seenA ? 'B' : 'A') }];
  });
  return { pairs: both.length, oneSided };
}

/**
 * @param {readonly Block[]} blocks
 * @returns {[Block, Block][]} A and B of each complete pair
 */
const bothOf = (blocks) =>
  [...new Set(blocks.map(({ pair }) => pair))].flatMap((pair) => {
    const [a, b] = /** @type {const} */ (['A', 'B']).map((setting) =>
      blocks.find((block) => block.pair === pair && block.setting === setting),
    );
    return a && b ? [/** @type {[Block, Block]} */ ([a, b])] : [];
  });

/**
 * Returns the figure of a block. A rate of 0 counts as one operation in the block: 0 has no
 * logarithm, and its pair must stay in the comparison.
 * @param {Block} block
 * @param {TrialMetric} metric
 * @returns {number}
 */
function figureOf(block, metric) {
  const value = block[metric];
  return value === 0 && metric.endsWith('PerSec') ? 1 / block.seconds : (value ?? 0);
}

/**
 * The words for a ratio and its interval.
 * @typedef {'better' | 'worse' | 'same' | 'inconclusive'} TrialVerdict
 */

/** A smaller gain does not justify an unusual setting (docs/evidence/trials.md). */
const PRACTICAL_RATIO = 1.03;
/** Settings that differ by less cost the same (docs/evidence/trials.md). */
const SAME_RATIO = 1.1;
/** Largest number of pairs of blocks; more would take too long. */
const MAX_PAIRS = 100;

/**
 * @param {Comparison | null} comparison @param {TrialMetric} metric
 * @returns {TrialVerdict}
 */
function decide(comparison, metric) {
  if (comparison === null) return 'inconclusive';
  const { ratio, low, high } = TRIAL_METRICS[metric].higherIsBetter
    ? comparison
    : turned(comparison);
  if (low > 1 && ratio >= PRACTICAL_RATIO) return 'better';
  if (high < 1 && ratio <= 1 / PRACTICAL_RATIO) return 'worse';
  return low >= 1 / SAME_RATIO && high <= SAME_RATIO ? 'same' : 'inconclusive';
}

/** @param {Comparison} comparison */
const turned = ({ ratio, low, high }) => ({ ratio: 1 / ratio, low: 1 / high, high: 1 / low });

/**
 * Computes how many more blocks would decide, if the ratio and the spread stayed as they are.
 * @param {Comparison | null} comparison
 * @returns {number | null} null where even MAX_PAIRS would not decide
 */
function moreBlocks(comparison) {
  if (comparison === null) return null;
  const { ratio, spread, pairs } = comparison;
  const effect = Math.abs(Math.log(ratio));
  const wanted = Math.max(
    effect >= Math.log(PRACTICAL_RATIO) ? effect : 0,
    Math.log(SAME_RATIO) - effect,
  );
  for (let more = 1; pairs + more <= MAX_PAIRS; more += 1) {
    if (halfWidth(spread, pairs + more) < wanted) return 2 * more;
  }
  return null;
}

module.exports = { compare, pairsOf, oneSidedOf, decide, moreBlocks, PRACTICAL_RATIO, SAME_RATIO };
