'use strict';

const { takeSample } = require('../../../collect/sampler');
const { waitForLevel } = require('../../../apply/wait-for-level');
const { makeSteps } = require('../../../plan/steps');
const { levelsOf } = require('../../../plan/levels');
const { TuneError } = require('../../../errors');
const { perform } = require('../carry-out');
const { rawOf } = require('../planned');
const { checkOthers, checkOvertaken } = require('./others');
const { lookOnce } = require('./measure');

/**
 * @typedef {import('./experiment').Trial} Trial
 * @typedef {import('../../../plan/trial/schedule').SettingName} SettingName
 */

/** A call that sets something hangs behind a running checkpoint, unseen and unstoppable; so long it is waited for in the open. */
const CHECKPOINT_WAIT_MS = 120_000;

/**
 * Puts a setting into force, on the safe path of tune.apply().
 * @param {Trial} trial @param {SettingName} setting
 * @throws {import('../../../errors').TuneError} as tune.apply() does @throws {import('./early-end').EarlyEnd} when somebody else set something
 */
async function moveTo(trial, setting) {
  if (trial.at === setting) return;
  await checkpointOver(trial);
  // Last, for a checkpoint may take minutes.
  await checkOthers(trial);
  // A switch may be several calls: none of them follows one that overwrote what another session set.
  trial.work.beforeCall = async () => checkOvertaken(trial);
  await send(trial, setting, { gently: true });
  checkOvertaken(trial);
}

/**
 * @param {Trial} trial @param {SettingName} setting @param {{ gently: boolean }} how gently: a level is waited for, or gone down to in
 *   steps, before its trigger is lowered
 */
async function send(trial, setting, { gently }) {
  const { work } = trial;
  // At once means without a look at the levels.
  const metrics = gently ? (await takeSample(work.ctx.port)).metrics : {};
  const now = { ...rawOf(work.settings), ...work.sent, ...work.onItsWay?.step.change };
  const steps = makeSteps(now, trial.spec[setting], levelsOf(metrics), { wait: gently });
  // What is not answered yet is part of what is in force from here on.
  Object.assign(work.sent, work.onItsWay?.step.change);
  Object.assign(trial, { at: null, towards: setting });
  work.watch = async () => (await lookOnce(trial)).metrics;
  await perform(work, steps);
  work.ctx.progress(null);
  Object.assign(trial, { at: setting, towards: null, steps, sinceSwitch: [], washed: false });
}

/** The guard looks on meanwhile. @param {Trial} trial */
async function checkpointOver(trial) {
  const { ctx } = trial.work;
  const look = async () => (await lookOnce(trial)).metrics;
  if (!(await look())['checkpoint.running']) return;
  const goal = {
    isReached: (/** @type {import('../../../model/metrics').Metrics} */ metrics) => !metrics['checkpoint.running'],
    doing: () => 'waiting for the checkpoint', say: () => 'the switch comes after it',
  };
  try {
    await waitForLevel(ctx, goal, look, CHECKPOINT_WAIT_MS);
  } catch (error) {
    // One that takes even longer: the call itself will wait.
    if (!(error instanceof TuneError && error.code === 'TUNE-30003')) throw error;
  }
}

/**
 * Back to A, whatever the state; the signal of the user no longer counts.
 * @param {Trial} trial @param {{ gently: boolean }} how
 */
async function goBack(trial, { gently }) {
  const { work } = trial;
  work.ctx = { ...work.ctx, signal: new AbortController().signal };
  work.beforeCall = undefined;
  if (trial.at === 'A') return;
  try {
    await send(trial, 'A', { gently });
  } catch (error) {
    // The load holds the level up for minutes: a pause of the clients is the smaller evil than a setting that nobody asked for.
    if (!gently || !(error instanceof TuneError && error.code === 'TUNE-30003')) throw error;
    await send(trial, 'A', { gently: false });
  }
}

module.exports = { moveTo, goBack };
