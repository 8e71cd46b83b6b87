'use strict';

const { judgeTrial } = require('./judge');
const { TRIAL_METRICS } = require('./metrics');
const { count, figure, percent } = require('../../model/units');

/**
 * A trial that the guard ended. It was B's doing if B had settled, the limits are kept again as soon as A is back, and the pairs
 * before do not say otherwise: a cold cache and a switch hurt for a moment, too.
 * @typedef {{ what: import('./guard').Broken['what'], value: number | null, limit: number | null, settling?: boolean, backMs?: number, recovered?: boolean | null }} Tripped `settling`:
 *   in the seconds after the switch that are not counted; `recovered`: null where nobody could look
 */

/**
 * @param {readonly import('./figures').Block[]} blocks @param {import('./metrics').TrialMetric} metric @param {Tripped} broken
 * @returns {import('./judge').TrialJudgement}
 */
function judgeTripped(blocks, metric, broken) {
  const before = judgeTrial(blocks, metric);
  const { verdict, say } = blame(broken, before);
  const back = broken.backMs === undefined ? '' : ` A was back after ${count(broken.backMs / 1000)} s.`;
  return { ...before, moreBlocks: null, verdict, because: `The guard ended it: ${whatBroke(broken)}.${back} ${say}` };
}

/** @param {Tripped} broken @param {import('./judge').TrialJudgement} before @returns {{ verdict: 'worse' | 'inconclusive', say: string }} */
function blame({ recovered = null, settling = false }, before) {
  if (recovered === null) return { verdict: 'inconclusive', say: 'Whether the limits are kept under A could not be seen.' };
  if (!recovered) return { verdict: 'inconclusive', say: 'Under A they are not kept either: it is not B alone, or the load stopped.' };
  if (settling) return { verdict: 'inconclusive', say: 'Under A the limits are kept again. It was in the first seconds after the switch, so it is B, or the switch.' };
  if (before.verdict === 'same' || before.verdict === 'better') return { verdict: 'inconclusive', say: `The blocks before say ${before.verdict}, so it may be something else's doing.` };
  return { verdict: 'worse', say: 'Under A the limits are kept again, so it was B.' };
}

/** A limit may be far below a millisecond. @param {number | null} value */
const ms = (value) => (value !== null && value < 1 ? `${figure(value)} ms` : `${count(value)} ms`);

/** @param {Tripped} broken */
function whatBroke({ what, value, limit }) {
  if (what === 'standstill') return 'under B no operation ended for seconds';
  if (what === 'appWaitRatio') return `under B clients waited for the cache for ${percent(value)} of their time, more than ${percent(limit)}`;
  if (what === 'errors') return `under B there were ${count(value)} errors a second, more than ${count(limit)}`;
  return `under B ${TRIAL_METRICS[what].words} was ${ms(value)}, above ${ms(limit)}`;
}

module.exports = { judgeTripped };
