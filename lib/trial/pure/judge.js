'use strict';

const { compare, pairsOf, oneSidedOf } = require('./compare');
const { sideEffects } = require('./side-effects');
const { decide, moreBlocks, SAME_RATIO } = require('./decide');
const { disturbances } = require('./disturbed');
const { TRIAL_METRICS, TRIAL_METRIC_NAMES } = require('./metrics');
const { count, percent } = require('../../base/pure/units');

/**
 * @import { Comparison, Pair } from './compare'
 * @import { TrialVerdict } from './decide'
 * @import { Disturbance } from './disturbed'
 * @import { Block } from './figures'
 * @import { TrialMetric } from './metrics'
 * @import { TrialJudgement } from './types'
 */

/**
 * The whole judgement of a trial.
 * @typedef {{ ratio: number, low: number | null, high: number | null }} Effect
 */

/**
 * @param {readonly Block[]} blocks in order
 * @param {TrialMetric} metric
 * @param {string | null} ended why it ended before its time, which nothing is concluded from; null:
 *   it did not
 * @returns {TrialJudgement}
 */
function judgeTrial(blocks, metric, ended = null) {
  const pairs = pairsOf(blocks, metric);
  const comparison = compare(pairs);
  const { ratio, low, high } = comparison ?? single(pairs);
  const found = disturbances(blocks, metric, ratio ?? 1);
  const plain = concluded(comparison, metric);
  const spoilt = ended ?? spoilerOf(blocks, metric, { found, verdict: plain.verdict });
  const said =
    spoilt === undefined
      ? plain
      : { verdict: /** @type {const} */ ('inconclusive'), because: spoilt, moreBlocks: null };
  const alongside = spoilt === undefined ? sideEffects(blocks, metric, said.verdict) : [];
  const notes = [
    ...found.map(({ say }) => say).filter((say) => say !== spoilt),
    ...unsettled(blocks),
    ...alongside,
  ];
  return { ...said, ratio, low, high, pairs: pairs.length, notes, effects: effectsOf(blocks) };
}

/**
 * @param {readonly Block[]} blocks
 * @param {TrialMetric} metric
 * @param {{ found: Disturbance[], verdict: TrialVerdict }} plain
 * @returns {string | undefined} why nothing can be concluded
 */
function spoilerOf(blocks, metric, { found, verdict }) {
  const stopped = found.find(({ kind }) => kind === 'stopped')?.say;
  // An interval that is narrow in spite of a drift has the drift in it already.
  return (
    stopped ??
    unseen(blocks, metric) ??
    found.find(({ spoils }) => spoils && verdict !== 'same')?.say
  );
}

/** @param {readonly Block[]} blocks @returns {string[]} */
function unsettled(blocks) {
  const some = blocks.filter(({ settled }) => settled === false).length;
  return some === 0
    ? []
    : [
        `In ${some} of ${blocks.length} blocks the cache was still on its way from the one ` +
          'setting to the other when counting began, however long that was waited for: in the ' +
          'long run B may do more than was measured here. Longer blocks tell.',
      ];
}

/** @param {readonly Block[]} blocks @param {TrialMetric} metric @returns {string | undefined} */
function unseen(blocks, metric) {
  const { pairs, oneSided } = oneSidedOf(blocks, metric);
  if (oneSided.length === 0) return undefined;
  const [{ without }] = oneSided;
  return (
    `In ${oneSided.length} of ${pairs} pairs ${TRIAL_METRICS[metric].words} is known of one ` +
    'setting only: nothing of the kind ended under ' +
    `${oneSided.every((one) => one.without === without) ? without : 'the other'}.`
  );
}

/** @param {Comparison | null} comparison @param {TrialMetric} metric */
function concluded(comparison, metric) {
  const verdict = decide(comparison, metric);
  return {
    verdict,
    because: reasonOf(verdict, metric, comparison),
    moreBlocks: verdict === 'inconclusive' ? moreBlocks(comparison) : null,
  };
}

/** @param {readonly Pair[]} pairs */
const single = (pairs) => ({
  ratio: pairs.length === 1 ? pairs[0].b / pairs[0].a : null,
  low: null,
  high: null,
});

/** @param {readonly Block[]} blocks @returns {TrialJudgement['effects']} */
const effectsOf = (blocks) =>
  Object.fromEntries(
    TRIAL_METRIC_NAMES.flatMap((metric) => {
      const compared = compare(pairsOf(blocks, metric));
      return compared === null
        ? []
        : [[metric, { ratio: compared.ratio, low: compared.low, high: compared.high }]];
    }),
  );

/**
 * @param {TrialVerdict} verdict
 * @param {TrialMetric} metric
 * @param {Comparison | null} comparison
 */
function reasonOf(verdict, metric, comparison) {
  const { words, higherIsBetter } = TRIAL_METRICS[metric];
  if (comparison === null) return `Too few pairs of blocks in which ${words} is known.`;
  const interval = `between ×${count(comparison.low)} and ×${count(comparison.high)} of A with a confidence of 95%`;
  if (verdict === 'same')
    return `With B ${words} is ${interval}: no more than ${percent(SAME_RATIO - 1)} from A either way.`;
  if (verdict === 'inconclusive')
    return `With B ${words} is ${interval}: too wide a range to tell.`;
  const grown = (verdict === 'better') === higherIsBetter;
  return `With B ${words} is ${grown ? 'higher' : 'lower'}, ${interval}.`;
}

module.exports = { judgeTrial };
