'use strict';

const { halfWidth } = require('./compare');
const { TRIAL_METRICS } = require('./metrics');

/**
 * @import { Comparison } from './compare'
 * @import { TrialMetric } from './metrics'
 */

/**
 * From a ratio and its interval to a word.
 * @typedef {'better' | 'worse' | 'same' | 'inconclusive'} TrialVerdict
 */

/** A smaller gain does not justify an unusual setting (docs/evidence/trials.md). */
const PRACTICAL_RATIO = 1.03;
/** Settings that differ by less cost the same (docs/evidence/trials.md). */
const SAME_RATIO = 1.1;
/** Blocks; more would take too long. */
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
 * If the ratio and the spread stayed as they are: how many more blocks would decide.
 * @param {Comparison | null} comparison
 * @returns {number | null} null where no number that anybody waits for would
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

module.exports = { decide, moreBlocks, PRACTICAL_RATIO, SAME_RATIO };
