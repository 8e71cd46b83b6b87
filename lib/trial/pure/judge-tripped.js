'use strict';

const { judgeTrial } = require('./judge');
const { TRIAL_METRICS } = require('./metrics');
const { count, figure, percent } = require('../../base/pure/units');

/**
 * @import { Block } from './figures'
 * @import { FlowKind } from './flow'
 * @import { Broken } from './guardrail'
 * @import { TrialMetric } from './metrics'
 * @import { TrialJudgement } from './types'
 */

/**
 * A trial that the guardrail ended. One bad moment is no proof: in trials of nothing on a busy machine
 * it came once in twenty (docs/evidence/trials.md). It is worse where the pairs before it say so as
 * well.
 * @typedef {{
 *   what: Broken['what'], value: number | null, limit: number | null,
 *   kind?: FlowKind, settling?: boolean, backMs?: number,
 *   recovered?: boolean | null
 * }} Tripped `settling`:
 *   in the seconds after the switch that are not counted; `recovered`: null where nobody could look
 */

/**
 * @param {readonly Block[]} blocks
 * @param {TrialMetric} metric
 * @param {Tripped} broken
 * @returns {TrialJudgement}
 */
function judgeTripped(blocks, metric, broken) {
  const before = judgeTrial(blocks, metric);
  const { verdict, say } = blame(broken, before);
  const back =
    broken.backMs === undefined ? '' : ` A was back after ${count(broken.backMs / 1000)} s.`;
  return {
    ...before,
    moreBlocks: null,
    verdict,
    because: `The guardrail ended it: ${whatBroke(broken)}.${back} ${say}`,
  };
}

/**
 * @param {Tripped} broken
 * @param {TrialJudgement} before
 * @returns {{ verdict: 'worse' | 'inconclusive', say: string }}
 */
function blame({ recovered = null, settling = false }, before) {
  if (before.verdict === 'worse') return { verdict: 'worse', say: `${before.because}` };
  if (recovered === null)
    return {
      verdict: 'inconclusive',
      say: 'Whether the limits are kept under A could not be seen.',
    };
  if (!recovered)
    return {
      verdict: 'inconclusive',
      say: 'Under A they are not kept either: it is not B alone, or the load stopped.',
    };
  if (settling)
    return {
      verdict: 'inconclusive',
      say:
        'Under A the limits are kept again. It was in the first seconds after the switch: it ' +
        'may be B, the switch, or chance.',
    };
  return {
    verdict: 'inconclusive',
    say: 'Under A the limits are kept again, which points to B; but one such moment is no proof.',
  };
}

/** A limit may be far below a millisecond. @param {number | null} value */
const ms = (value) => (value !== null && value < 1 ? `${figure(value)} ms` : `${count(value)} ms`);

/** @param {Tripped} broken */
function whatBroke({ what, value, limit, kind = 'operation' }) {
  if (what === 'stall') return `under B no ${kind} ended for seconds`;
  if (what === 'appWaitRatio')
    return (
      `under B clients waited for the cache for ${percent(value)} of their time, more than ` +
      `${percent(limit)}`
    );
  if (what === 'errors')
    return `under B there were ${count(value)} errors a second, more than ${count(limit)}`;
  return `under B ${TRIAL_METRICS[what].words} was ${ms(value)}, above ${ms(limit)}`;
}

module.exports = { judgeTripped };
