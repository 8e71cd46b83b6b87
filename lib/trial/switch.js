'use strict';

const { takeSample } = require('../server/sampler');
const { waitForLevel } = require('../change/ramp-down');
const { momentOf } = require('./pure/switch-cost');
const { inOrderWith } = require('../change/threshold-conflict');
const { knownNow } = require('../change/external-change');
const { makeSteps, unlikeSteps } = require('../change/pure/steps');
const { levelsOf, withSmallerCache } = require('../change/pure/levels');
const { SWITCH_SECONDS } = require('./pure/ramp-estimate');
const { sleep } = require('../base/context');
const { TuneError } = require('../base/pure/errors');
const { runSteps } = require('../change/apply-plan');
const { withoutExternal } = require('./pure/external-settings');
const { settingsOf } = require('../config/change');
const { configuredValues } = require('../change/plan-change');
const { EarlyEnd } = require('./early-end');
const {
  checkExternal,
  checkOvertaken,
  refuseExternalChange,
  refuseAll,
  leaveConflict,
  refuseKnownExternal,
} = require('./external-end');
const { sampleOnce } = require('./measure');
const { beginSwitch, countCalls, endSwitch, takeLatencies } = require('./switch-record');

/**
 * @import { Change } from '../base/types'
 * @import { Counters } from '../server/pure/counters'
 * @import { Side } from './pure/schedule'
 * @import { TrialRun } from './trial-run'
 */

/**
 * Milliseconds of the visible wait for a running checkpoint: a call that sets something hangs
 * behind it, unseen and unstoppable.
 */
const CHECKPOINT_WAIT_MS = 120_000;
/** Milliseconds in which the last step affects the clients. */
const AFTER_MS = 1000;
const AFTER_SAMPLE_MS = 100;

/**
 * Makes a setting effective, on the safe path of tune.apply().
 * @param {TrialRun} trial
 * @param {Side} side
 * @throws {import('../base/pure/errors').TuneError} as tune.apply() does
 * @throws {EarlyEnd} when another session set something, or a level did not fall in time
 */
async function switchTo(trial, side) {
  if (trial.activeSide === side) return;
  await checkpointOver(trial);
  // This check comes last, for a checkpoint may take minutes.
  await checkExternal(trial);
  // A switch may be several calls: no call follows what another session set.
  trial.changeRun.guardCalls({
    beforeCall: () => refuseExternalChange(trial),
    longestWaitMs: SWITCH_SECONDS.longestRamp * 1000,
  });
  await sendSide(trial, side, trial.spec[side]).catch((error) => {
    if (!isTooHigh(error)) throw error;
    throw new EarlyEnd('level', `The switch to ${side} was not made. ${error.message}`);
  });
  checkOvertaken(trial);
}

/**
 * @param {TrialRun} trial
 * @param {Side} side
 * @param {Change} change the part of the side to send
 * @param {{ inSteps?: boolean }} [how] `inSteps`: before a trigger is lowered, the switch waits for
 *   the level, or lowers it in steps
 */
async function sendSide(trial, side, change, { inSteps = true } = {}) {
  const { changeRun } = trial;
  await beginSwitch(trial, side);
  // Sending at once means without reading the levels.
  const counters = inSteps ? await takeMoment(trial) : {};
  // Calls that are not answered yet count as effective from here on, and so do external settings.
  changeRun.countUnanswered();
  Object.assign(changeRun.sent, trial.externalSettings);
  const known = { ...configuredValues(changeRun.settings), ...changeRun.sent };
  const now = withSmallerCache(known, counters);
  const made = makeSteps(now, change, levelsOf(counters), { wait: inSteps });
  const steps = unlikeSteps(made, knownNow(changeRun));
  trial.leavesFor(side);
  changeRun.guardCalls({ watch: async () => (await sampleOnce(trial)).counters });
  await countCalls(trial, steps, () => runSteps(changeRun, steps));
  changeRun.ctx.progress(null);
  trial.arrivedAt(side, steps);
}

/** @param {TrialRun} trial */
async function takeMoment(trial) {
  const sample = await takeSample(trial.changeRun.ctx.port);
  trial.switching?.moments.push(momentOf(sample));
  return sample.counters;
}

/** Waits until the checkpoint is over; the guardrail samples meanwhile. @param {TrialRun} trial */
async function checkpointOver(trial) {
  const { ctx } = trial.changeRun;
  const readCounters = async () => (await sampleOnce(trial)).counters;
  if (!(await readCounters())['checkpoint.running']) return;
  const goal = {
    advance: (/** @type {Counters} */ counters) => !counters['checkpoint.running'],
    doing: () => 'waiting for the checkpoint',
    say: () => 'the switch comes after it',
  };
  try {
    await waitForLevel(ctx, goal, readCounters, CHECKPOINT_WAIT_MS);
  } catch (error) {
    // The checkpoint takes even longer: the call itself will wait.
    if (!isTooHigh(error)) throw error;
  }
}

/**
 * Restores A from any state, except what other sessions set; Ctrl-C no longer ends it.
 * @param {TrialRun} trial
 * @param {{ longestSeconds: number }} how the longest time of the steps down
 * @throws {EarlyEnd} where another session's settings prevent it
 */
async function switchBack(trial, { longestSeconds }) {
  const { changeRun } = trial;
  changeRun.startWayBack();
  const end = performance.now() + longestSeconds * 1000;
  while (trial.activeSide !== 'A' || trial.hasLateCall) {
    const change = withoutExternal(trial.spec.A, trial.externalSettings);
    if (settingsOf(change).length === 0) {
      trial.settleAtA();
      return;
    }
    refuseAll(trial);
    const { rest, ...left } = inOrderWith(changeRun, change);
    changeRun.guardCalls({
      beforeCall: () => refuseKnownExternal(trial, rest),
      longestWaitMs: Math.max(0, end - performance.now()),
    });
    trial.clearLateCall();
    const isSent = await sendBack(trial, rest);
    const { conflict } = left;
    if (isSent && conflict !== null) throw leaveConflict(trial, { ...left, conflict });
  }
}

/**
 * @param {TrialRun} trial @param {Change} change
 * @returns {Promise<boolean>} whether no other session changed what is to be sent meanwhile
 */
async function sendBack(trial, change) {
  try {
    if (settingsOf(change).length > 0) await sendWithFallback(trial, change);
    return true;
  } catch (error) {
    if (trial.restoreFailure?.force || !(error instanceof EarlyEnd && error.leavesExternal))
      throw error;
    return false;
  }
}

/** @param {TrialRun} trial @param {Change} change */
async function sendWithFallback(trial, change) {
  try {
    await sendSide(trial, 'A', change);
  } catch (error) {
    // The load holds the level up for minutes: a pause of the clients is better than a setting that
    // was not requested.
    if (!isTooHigh(error)) throw error;
    await sendSide(trial, 'A', change, { inSteps: false });
  }
}

/**
 * Samples after the last switch, after which no block is measured; a break of the guardrail would
 * end nothing any more.
 * @param {TrialRun} trial
 * @param {{ gone: boolean }} how `gone`: this server does not answer any more, or its setting is
 *   not the trial's any more
 */
async function lastSwitch(trial, { gone }) {
  const {
    switching,
    changeRun: { ctx },
  } = trial;
  if (switching === null || gone) return endSwitch(trial, null);
  try {
    for (const end = performance.now() + AFTER_MS; switching.isDown && performance.now() < end;) {
      await takeMoment(trial);
      await sleep(AFTER_SAMPLE_MS, ctx.signal);
    }
    await takeMoment(trial);
    endSwitch(trial, await takeLatencies(ctx.port));
  } catch (_gone) {
    endSwitch(trial, null);
  }
}

/** @param {unknown} error */
const isTooHigh = (error) => error instanceof TuneError && error.code === 'TUNE-30003';

module.exports = { switchTo, switchBack, lastSwitch };
