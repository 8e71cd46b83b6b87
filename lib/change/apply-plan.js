'use strict';

const { randomBytes } = require('node:crypto');
const { send } = require('./checked-call');
const { refuseLaterFormat } = require('./journal');
const { writeNow } = require('./late-lines');
const { JOURNAL_FORMAT } = require('./pure/journal-format');
const lock = require('./change-lock');
const { ownWriter } = require('./writer');
const { readLastString } = require('../server/engine-history');
const { takeSample } = require('../server/sampler');
const { knownOf } = require('./pure/known-before');
const { interrupted } = require('../base/context');
const { mapServerError } = require('../base/server-errors');
const { pick, settingsOf } = require('../config/change');
const { ChangeRun } = require('./change-run');
const { refuseMemberAtWork, refuseSecondAtWork } = require('./group-in-progress');
const { refuseExternal, checkAfterwards } = require('./external-change');
const { abortedError, rollBack } = require('./aborted-change');
const { rampDown } = require('./ramp-down');

/**
 * @import { Port } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Change, Context } from '../base/types'
 * @import { ExternalChange } from './external-change'
 * @import { Step } from './pure/steps'
 * @import { Settings, Plan } from './types'
 * @import { EngineHistory } from '../server/types'
 * @import { Intent } from './pure/types'
 */

/**
 * @typedef {{
 *   id: string, verified: boolean, rampCommands: string[], mismatches: string[],
 *   replaced: string[], journalProblem: string | null, external: ExternalChange[]
 * }} Done `replaced`: settings that another session set after tune's call
 */

/**
 * Applies a plan, the journal first. However it ends, the journal has what was sent.
 * @param {Context} ctx
 * @param {Plan} plan
 * @param {Settings} settings
 * @returns {Promise<Done>}
 * @throws {TuneError} with `id`, `sent` (the settings of it that are in effect) and `undo`;
 *   TUNE-30010 before anything is sent, while another shell is changing the server
 */
async function applyPlan(ctx, plan, settings) {
  const changeRun = openRun(ctx, plan, settings);
  const letGo = lock.markInProgress(changeRun.id);
  try {
    return await runPlan(changeRun);
  } finally {
    letGo();
  }
}

/** @param {ChangeRun} changeRun @returns {Promise<Done>} */
async function runPlan(changeRun) {
  const { ctx, plan } = changeRun;
  changeRun.guardCalls({ beforeCall: () => refuseExternal(changeRun, valuesToSet(changeRun)) });
  /** @type {boolean} */ let verified;
  try {
    await runSteps(changeRun, plan.steps);
    await checkAfterwards(changeRun);
    verified = await isVerified(changeRun, plan.steps);
    if (!verified && changeRun.mismatches.length === 0) changeRun.noteMismatch(SHOWS_ANOTHER);
  } catch (cause) {
    const error = mapServerError(cause, 'setParameter', ctx.signal);
    const last = await rollBack(changeRun, error, (steps) => sendWayBack(changeRun, steps));
    throw await abortedError(changeRun, error, mapServerError(last, 'setParameter', ctx.signal));
  } finally {
    ctx.progress(null);
  }
  changeRun.close({
    outcome: 'applied',
    after: plan.change,
    verified,
    reason: changeRun.mismatches.join('; ') || null,
  });
  const { id, rampCommands, mismatches, replaced, journalProblem, external } = changeRun;
  return { id, verified, rampCommands, mismatches, replaced, journalProblem, external };
}

/**
 * Returns all values of the plan, so that nothing is half made.
 * @param {ChangeRun} changeRun @returns {Change}
 */
const valuesToSet = ({ plan, sent, isWayBack }) =>
  isWayBack ? pick(plan.before, settingsOf(sent)) : plan.change;

const SHOWS_ANOTHER =
  'the server shows another string than the last one sent, so another session has set something ' +
  'since';

/**
 * Writes the intent into the journal.
 * @param {Context} ctx @param {Plan} plan @param {Settings} settings
 * @param {boolean} [force] the run begins although another shell is at work, and may overwrite its
 *   settings
 * @returns {ChangeRun}
 * @throws {TuneError} TUNE-30010, TUNE-40001, TUNE-40010
 */
function openRun(ctx, plan, settings, force = plan.force) {
  const id = newId();
  refuseLaterFormat(ctx.home);
  lock.refuseBusyServer(ctx.home, settings.run, { force });
  refuseMemberAtWork(ctx.home, settings.run, { ...plan, force });
  const intent = { ...intentOf(id, { ...plan, force }, settings), ...ctx.call?.journalFields };
  writeNow(ctx.home, intent);
  const written = plan.journalCopy ?? [];
  written.push(intent);
  lock.refuseSecond(ctx.home, settings.run, intent);
  refuseSecondAtWork(ctx.home, settings.run, { ...intent, isOwnWayBack: plan.isOwnWayBack });
  const changeRun = new ChangeRun({ ctx, plan, settings, id, atMs: intent.atMs, written });
  if (ctx.interrupt) changeRun.interruptedWait.hear(ctx.interrupt);
  return changeRun;
}

/** @param {ChangeRun} changeRun @param {readonly Step[]} steps */
async function runSteps(changeRun, steps) {
  for (const step of steps) await runStep(changeRun, step);
}

/**
 * Sends the steps of a rollback, also after Ctrl-C: nothing is left half done.
 * @param {ChangeRun} changeRun
 * @param {readonly Step[]} steps the steps that restore the values before
 * @returns {Promise<boolean>}
 */
async function sendWayBack(changeRun, steps) {
  changeRun.mismatches.splice(0);
  changeRun.startWayBack();
  await runSteps(changeRun, steps);
  return isVerified(changeRun, steps);
}

/**
 * @param {ChangeRun} changeRun
 * @param {readonly Step[]} steps the last steps sent
 * @returns {Promise<boolean>} whether all that can be read back is as sent
 */
const isVerified = async (changeRun, steps) =>
  changeRun.mismatches.length === 0 && (await showsLast(changeRun.ctx.port, steps));

/** @param {ChangeRun} changeRun @param {Step} step */
async function runStep(changeRun, step) {
  const sample = async () => (await takeSample(changeRun.ctx.port)).counters;
  if (step.kind === 'set') return send(changeRun, step, sample);
  if (changeRun.ctx.signal.aborted) throw interrupted();
  return rampDown(changeRun, step, {
    sample: changeRun.watch ?? sample,
    send: (down) => send(changeRun, down, sample),
  });
}

/** @param {Port} port @param {readonly Step[]} steps */
async function showsLast(port, steps) {
  const last = steps.findLast((step) => step.kind === 'set');
  const lastString = await readLastString(port);
  return last === undefined || lastString === null || lastString === last.config;
}

/**
 * @param {string} id
 * @param {Plan} plan
 * @param {Settings} settings
 * @returns {Intent}
 */
function intentOf(
  id,
  { action, undoes, change, before, steps, trial, group, force, unsettled },
  { run: { version, clockMs, ...run }, history, timeline, readFromMs, memoryBytes },
) {
  return {
    kind: 'intent',
    format: JOURNAL_FORMAT,
    id,
    at: new Date().toISOString(),
    atMs: Date.now() + (clockMs ?? 0),
    ...(readFromMs !== undefined && { readFromMs }),
    action,
    undoes,
    host: run.host,
    version,
    run,
    change,
    before,
    commands: steps.flatMap((step) => (step.kind === 'set' ? [step.config] : [])),
    memoryBytes,
    was: history.lastString,
    known: knownOf(timeline),
    logged: loggedLast(history),
    writerPid: process.pid,
    writer: ownWriter(),
    ...(trial && { trial }),
    ...(group && { group }),
    ...(force && { force }),
    ...(unsettled && { unsettled }),
  };
}

/**
 * @param {EngineHistory} history
 * @returns {{ atMs: number, config: string } | null | undefined} undefined: the log does not show
 *   it
 */
function loggedLast({ sets, logWhole }) {
  const last = sets.findLast(({ ok }) => ok);
  if (last) return { atMs: last.atMs, config: last.config };
  return logWhole ? null : undefined;
}

/** Makes an id that sorts by time, and differs for two shells in the same second. */
const newId = () =>
  `${new Date().toISOString().slice(0, 19).replace(/[-:T]/g, '')}-${randomBytes(3).toString('hex')}`;

module.exports = { applyPlan, openRun, runSteps, isVerified, newId };
