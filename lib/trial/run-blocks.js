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
 * }} Spec what the trial tries; `A` and `B` set the same settings; `force`: the trial begins
 *   although another shell is at work, but overwrites no other session's settings
 * @typedef {Broken & { atMs: number, settling: boolean,
 *   backMs?: number, recovered?: boolean | null }} GuardrailBreak `settling`: the break came before
 *   anything was counted
 */

/** Seconds of the first A: long enough for the guardrail's limits, short beside a trial. */
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
 * Writes the trial that begins into the journal.
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
 * Runs the blocks. It returns with A in effect, unless every block was run: then the last block's
 * setting stays.
 * @param {TrialRun} trial
 * @param {Facts} facts the server's facts, with its data size where a cache size is tried
 * @returns {Promise<EarlyEnd | null>} why the trial ended before its time
 * @throws {TuneError} with `id` and `undo`, after a failure that is no result of a trial
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
 * Measures A before anything is changed: the guardrail's limits come from it.
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
  // Under B alone it may be an effect of B, which the next block shows.
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
 * Checks whether the few seconds after A is restored keep the limits again: then B broke them.
 * @param {TrialRun} trial
 * @returns {Promise<boolean | null>} null: it could not be checked
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
