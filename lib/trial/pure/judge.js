'use strict';

const { compare, pairsOf, oneSidedOf, decide, moreBlocks, SAME_RATIO } = require('./compare');
const { disturbances } = require('./disturbed');
const { TRIAL_METRICS, TRIAL_METRIC_NAMES } = require('./figures');
const { count, percent, figure } = require('../../base/pure/units');

/**
 * @import { Comparison, Pair, TrialVerdict } from './compare'
 * @import { Disturbance } from './disturbed'
 * @import { Block, TrialMetric } from './figures'
 * @import { TrialJudgement } from './types'
 * @import { FlowKind, Broken } from './guardrail'
 */

/**
 * The whole judgement of a trial.
 * @typedef {{ ratio: number, low: number | null, high: number | null }} Effect
 */

/**
 * @param {readonly Block[]} blocks in order
 * @param {TrialMetric} metric
 * @param {string | null} ended why the trial ended before its time, from which nothing is
 *   concluded; null: it did not
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
  // An interval that is narrow in spite of a drift contains the drift already.
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
        `In ${some} of ${blocks.length} blocks the cache size had not settled when measurement began, ` +
          'despite the wait. B may do more in the long run: use longer blocks.',
      ];
}

/** @param {readonly Block[]} blocks @param {TrialMetric} metric @returns {string | undefined} */
function unseen(blocks, metric) {
  const { pairs, oneSided } = oneSidedOf(blocks, metric);
  if (oneSided.length === 0) return undefined;
  const [{ without }] = oneSided;
  return (
    `In ${oneSided.length} of ${pairs} pairs ${TRIAL_METRICS[metric].words} is known ` +
    'for one setting only: no such operation ended under ' +
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
  const { words } = TRIAL_METRICS[metric];
  if (comparison === null) return `Too few pairs of blocks with a known ${words}.`;
  if (verdict === 'same')
    return `With B ${words} differs by no more than ${percent(SAME_RATIO - 1)} from A.`;
  if (verdict === 'inconclusive')
    return `The confidence interval of ${words} is too wide for a verdict.`;
  return `B has ${comparison.ratio.toFixed(2)} times the ${words} of A.`;
}

/**
 * Effects of B on other metrics than the one that decides: a gain at the cost of others, or a gain
 * that the chosen metric cannot show, such as the throughput of clients at a fixed rate.
 */

/**
 * These are few, and each means something to the clients: of many figures one always differs by
 * chance.
 */
const EXAMINED = Object.freeze(
  /** @type {const} */ ([
    'opsPerSec',
    'readLatencyMs',
    'readP99Ms',
    'writeLatencyMs',
    'writeP99Ms',
  ]),
);

/**
 * @param {readonly Block[]} blocks
 * @param {TrialMetric} metric the metric that decides
 * @param {TrialVerdict} verdict the verdict by that metric
 * @returns {string[]} one sentence for each figure with another verdict
 */
const sideEffects = (blocks, metric, verdict) =>
  EXAMINED.filter((other) => other !== metric).flatMap((other) => {
    const compared = compare(pairsOf(blocks, other));
    const says = decide(compared, other);
    if (compared === null || says === verdict || (says !== 'better' && says !== 'worse')) return [];
    const grown = compared.ratio > 1 ? 'higher' : 'lower';
    return [
      `Side effect: ${TRIAL_METRICS[other].words} is ${grown}, between ` +
        `×${count(compared.low)} and ×${count(compared.high)}: ${says}. One of several ` +
        `metrics can differ by chance; to be sure, run a trial with metric: "${other}".`,
    ];
  });

/**
 * Judges a trial that the guardrail ended. One bad moment is no proof: in trials of no change on a
 * busy machine it came once in twenty (docs/evidence/trials.md). The verdict is worse only where
 * the pairs before it say so as well.
 * @typedef {{
 *   what: Broken['what'], value: number | null, limit: number | null,
 *   kind?: FlowKind, settling?: boolean, backMs?: number,
 *   recovered?: boolean | null
 * }} BreakSeen `settling`: in the uncounted seconds after the switch; `recovered`: null where it
 *   could not be checked
 */

/**
 * @param {readonly Block[]} blocks
 * @param {TrialMetric} metric
 * @param {BreakSeen} broken
 * @returns {TrialJudgement}
 */
function judgeTripped(blocks, metric, broken) {
  const before = judgeTrial(blocks, metric);
  const { verdict, say } = blame(broken, before);
  const back =
    broken.backMs === undefined
      ? ''
      : ` A was active again after ${count(broken.backMs / 1000)} s.`;
  return {
    ...before,
    moreBlocks: null,
    verdict,
    because: `The guardrail ended the trial: ${whatBroke(broken)}.${back} ${say}`,
  };
}

/**
 * @param {BreakSeen} broken
 * @param {TrialJudgement} before
 * @returns {{ verdict: 'worse' | 'inconclusive', say: string }}
 */
function blame({ recovered = null, settling = false }, before) {
  if (before.verdict === 'worse') return { verdict: 'worse', say: `${before.because}` };
  if (recovered === null)
    return { verdict: 'inconclusive', say: 'It is unknown whether A stays within the limits.' };
  if (!recovered)
    return {
      verdict: 'inconclusive',
      say: 'A exceeds the limits too: B is not the only cause, or the load stopped.',
    };
  if (settling)
    return {
      verdict: 'inconclusive',
      say:
        'A is within the limits again. The limit was exceeded in the first seconds ' +
        'after the switch: the cause may be B, the switch, or chance.',
    };
  return {
    verdict: 'inconclusive',
    say: 'A is within the limits again, which points to B; one event is no proof.',
  };
}

/** Prints milliseconds: a limit may be far below one. @param {number | null} value */
const ms = (value) => (value !== null && value < 1 ? `${figure(value)} ms` : `${count(value)} ms`);

/** @param {BreakSeen} broken */
function whatBroke({ what, value, limit, kind = 'operation' }) {
  if (what === 'stall') return `under B no ${kind} completed for seconds`;
  if (what === 'appWaitRatio')
    return (
      `under B application threads waited for the cache for ${percent(value)} of ` +
      `their time, more than ${percent(limit)}`
    );
  if (what === 'errors')
    return `under B there were ${count(value)} errors a second, more than ${count(limit)}`;
  return `under B ${TRIAL_METRICS[what].words} was ${ms(value)}, above ${ms(limit)}`;
}

module.exports = { judgeTrial, judgeTripped };
