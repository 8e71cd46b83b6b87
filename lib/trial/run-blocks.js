'use strict';

const guardrail = require('./pure/guardrail');
const { stoppedBlocks } = require('./pure/disturbed');
const { washOutOf } = require('./pure/wash-out');
const { makeSteps } = require('../change/pure/steps');
const { levelsOf } = require('../change/pure/levels');
const { mapServerError } = require('../base/server-errors');
const { openRun } = require('../change/apply-plan');
const { configuredValues } = require('../change/plan-change');
const { EarlyEnd } = require('./early-end');
const { switchTo } = require('./switch');
const { checkExternal } = require('./external-end');
const { measureBlock, sampleFor, line } = require('./measure');
const { restoreA } = require('./restore-a');
const { TrialRun } = require('./trial-run');
const { expectedOf } = require('../sizing/expected');
const { metricsOf } = require('../server/pure/metrics');
const { makeWindow } = require('../server/pure/window');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Change, Context } from '../base/types'
 * @import { TrialMetric } from './pure/figures'
 * @import { Broken, Limits, ReferenceA } from './pure/guardrail'
 * @import { Slot } from './pure/schedule'
 * @import { WashOut } from './pure/wash-out'
 * @import { Settings } from '../change/types'
 * @import { Facts } from '../server/pure/types'
 */

/**
 * @typedef {{
 *   A: Change, B: Change, slots: Slot[], seconds: number,
 *   metric: TrialMetric, guardrail: Partial<Limits>,
 *   role: string | null, washOut: WashOut, force: boolean
 * }} Spec what is tried; `A` and `B` set the same settings; `force`: it begins though another shell
 *   is at work, and overwrites nothing of others all the same
 * @typedef {Broken & { atMs: number, settling: boolean,
 *   backMs?: number, recovered?: boolean | null }} GuardrailBreak `settling`: before
 *   anything was counted
 */

/** Long enough for the guardrail's limits, short beside a trial. */
const FIRST_A_SECONDS = 10;

/**
 * @param {{
 *   A: Change, B: Change, slots: Slot[], seconds: number, metric: Spec['metric'],
 *   guardrail: Partial<Limits>, role: string | null, force: boolean
 * }} plan
 * @returns {Spec}
 */
const specOf = (plan) => ({ ...plan, washOut: washOutOf(plan.B, plan.seconds) });

/**
 * Writes down what is going to be tried.
 * @param {Context} ctx
 * @param {Spec} spec
 * @param {Settings} settings
 * @returns {TrialRun}
 * @throws {TuneError} TUNE-30010, TUNE-40001
 */
function beginTrial(ctx, spec, settings) {
  const { seconds, metric, slots } = spec;
  const plan = {
    action: /** @type {const} */ ('trial'),
    undoes: null,
    change: spec.B,
    before: spec.A,
    steps: makeSteps(configuredValues(settings), spec.B, levelsOf(settings.live)),
    trial: { blocks: slots.length, seconds, metric },
  };
  return new TrialRun(spec, openRun(ctx, plan, settings, spec.force));
}

/**
 * Runs the blocks. It comes back with A in effect, unless every block was run: then with what the
 * last one left.
 * @param {TrialRun} trial
 * @param {Facts} facts of the server, with its data where a cache size is tried
 * @returns {Promise<EarlyEnd | null>} why it ended before its time
 * @throws {TuneError} with `id` and `undo`, when something went wrong
 *   that is not the trial's to judge
 */
async function runTrial(trial, facts) {
  const { ctx } = trial.changeRun;
  try {
    await measureFirstA(trial, facts);
    for (const slot of trial.spec.slots) await runBlock(trial, slot);
    return null;
  } catch (cause) {
    const early = await restoreA(trial, mapServerError(cause, 'serverStatus', ctx.signal));
    if (trial.broken && trial.restoreFailure === null)
      trial.broken.recovered = await hasRecovered(trial);
    return early;
  } finally {
    ctx.progress(null);
  }
}

/**
 * What A does, before anything is changed: the guardrail's limits come from it.
 * @param {TrialRun} trial
 * @param {Facts} facts
 */
async function measureFirstA(trial, facts) {
  const seconds = Math.min(FIRST_A_SECONDS, Math.max(guardrail.SPAN_MS / 1000, trial.spec.seconds));
  const samples = await sampleFor(trial, seconds, (done) =>
    line(trial, { number: 0, pair: 0, setting: 'A' }, `${done} of ${seconds} s`),
  );
  trial.learnFromA(samples);
  trial.expects(expectedOf(trial.spec.B, metricsOf(makeWindow(samples), facts)));
  if ((trial.referenceA?.flow.operation ?? 0) >= guardrail.STALL_PER_SEC) return;
  throw new EarlyEnd(
    'load',
    'There is no load, so there is nothing to compare. Nothing was changed.',
  );
}

/** @param {TrialRun} trial @param {Slot} slot */
async function runBlock(trial, slot) {
  await switchTo(trial, slot.setting);
  const { block, samples } = await measureBlock(trial, slot);
  trial.measured(block, samples);
  // Under B alone it may be an effect of B: the next block shows that.
  if (
    stoppedBlocks(trial.blocks.slice(-2)).length === 2 ||
    (slot.setting === 'A' && stoppedBlocks(trial.blocks).includes(block))
  ) {
    throw new EarlyEnd(
      'load',
      `The load stopped: in block ${slot.number} there were almost no operations.`,
    );
  }
  await checkExternal(trial);
}

/**
 * Whether the few seconds after A is back keep the limits again: then it was B that broke them.
 * @param {TrialRun} trial
 * @returns {Promise<boolean | null>} null: nobody could look
 */
async function hasRecovered(trial) {
  try {
    await sampleFor(trial, (2 * guardrail.SPAN_MS) / 1000, () =>
      trial.changeRun.ctx.progress(
        'A is active again; checking whether it stays within the limits',
      ),
    );
    return (
      guardrail.checkGuardrail(trial.sinceSwitch, /** @type {ReferenceA} */ (trial.referenceA))
        .broken === null
    );
  } catch (_gone) {
    return null;
  }
}

module.exports = { beginTrial, runTrial, specOf, FIRST_A_SECONDS };
