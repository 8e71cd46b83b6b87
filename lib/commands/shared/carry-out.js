'use strict';

const { randomBytes } = require('node:crypto');
const { sendGroup } = require('../../apply/runtime-config');
const { waitForLevel } = require('../../apply/wait-for-level');
const { writeLine } = require('../../apply/journal');
const { readServerRun } = require('../../collect/server-run');
const { readLastString, readRefusal } = require('../../collect/engine-history');
const { takeSample } = require('../../collect/sampler');
const { aboveLimits, levelsOf, showLimits } = require('../../plan/levels');
const { configStringOf } = require('../../plan/config-string');
const { knobsOf, pick, showChange } = require('../../model/change');
const { sameRun } = require('../../model/journal');
const { interrupted } = require('../../context');
const { mapServerError } = require('../../server-errors');
const { TuneError } = require('../../errors');

/**
 * @typedef {import('../../context').Context} Context
 * @typedef {import('../../model/knobs').Change} Change
 * @typedef {import('./settings').Settings} Settings
 * @typedef {import('../../plan/steps').Step} Step
 * @typedef {{ action: 'apply' | 'undo', undoes: string | null, change: Change, before: Change, steps: Step[] }} Plan
 * @typedef {{ id: string, verified: boolean, mismatches: string[], journalProblem: string | null }} Done
 */

/**
 * Does what a plan says, with the journal ahead of it. Whatever ends it, the journal says what was sent.
 * @param {Context} ctx @param {Plan} plan @param {Settings} settings
 * @returns {Promise<Done>}
 * @throws {TuneError} with `id`, `sent` (what is in force of it) and `undo`
 */
async function carryOut(ctx, plan, settings) {
  const id = newId();
  const { port } = ctx;
  writeLine(ctx.home, intentOf(id, plan, settings));
  const work = { ctx, plan, settings, id, sent: /** @type {Change} */ ({}), mismatches: /** @type {string[]} */ ([]), journalProblem: /** @type {string | null} */ (null), onItsWay: /** @type {Work['onItsWay']} */ (null) };
  try {
    for (const step of plan.steps) await take(work, step);
  } catch (cause) {
    throw await ended(work, mapServerError(cause, 'setParameter', ctx.signal));
  }
  const verified = work.mismatches.length === 0 && await showsLast(port, plan.steps);
  close(work, { outcome: 'applied', after: plan.change, verified, reason: work.mismatches.join('; ') || null });
  return { id, verified, mismatches: work.mismatches, journalProblem: work.journalProblem };
}

/** @typedef {{ ctx: Context, plan: Plan, settings: Settings, id: string, sent: Change, mismatches: string[], journalProblem: string | null, onItsWay: Extract<Step, { kind: 'set' }> | null }} Work `onItsWay`: sent, not answered */

/** @param {Work} work @param {Step} step */
async function take(work, step) {
  const { ctx, settings } = work;
  if (ctx.signal.aborted) throw interrupted();
  const look = async () => (await takeSample(ctx.port)).metrics;
  if (step.kind === 'wait') {
    const { limits } = step;
    return waitForLevel(ctx, { isUnder: (m) => aboveLimits(limits, levelsOf(m)).length === 0, say: (m) => showLimits(aboveLimits(limits, levelsOf(m)), levelsOf(m)) }, look);
  }
  await checkServer(ctx, settings);
  ctx.progress(`setting ${step.config}`);
  const atMs = Date.now() + (settings.run.clockMs ?? 0);
  const call = { change: step.change, config: step.config, restore: configStringOf(pick(work.plan.before, knobsOf(step.change))) };
  work.onItsWay = step;
  const { was, mismatch } = await sendGroup(ctx.port, call, eyesOf(ctx, look), ctx.signal);
  work.onItsWay = null;
  Object.assign(work.sent, step.change);
  if (mismatch) work.mismatches.push(mismatch);
  note(work, { kind: 'sent', id: work.id, atMs, command: step.config, was });
}

/** @param {Context} ctx @param {() => Promise<import('../../model/metrics').Metrics>} look @returns {import('../../apply/runtime-config').Eyes} */
const eyesOf = ({ port }, look) => ({
  look,
  lastString: () => readLastString(port),
  reason: () => readRefusal(port),
});

/** A failover or a new connection in between must not be changed. @param {Context} ctx @param {Settings} settings */
async function checkServer({ port }, settings) {
  const now = await readServerRun(port);
  if (sameRun(now, settings.run)) return;
  throw new TuneError('TUNE-20010', `The change was planned for ${settings.run.host} as it ran then, but this is ${now.host}${now.host === settings.run.host ? ', restarted since' : ''}.`, { value: now.host, allowed: settings.run.host });
}

/** @param {import('../../context').Port} port @param {readonly Step[]} steps */
async function showsLast(port, steps) {
  const last = steps.findLast((step) => step.kind === 'set');
  const lastString = await readLastString(port);
  return last === undefined || lastString === null || lastString === last.config;
}

/** @param {string} id @param {Plan} plan @param {Settings} settings @returns {import('../../model/journal').Intent} */
function intentOf(id, { action, undoes, change, before, steps }, { run: { version, clockMs, ...run }, history, config }) {
  return {
    kind: 'intent', id, at: new Date().toISOString(), atMs: Date.now() + (clockMs ?? 0), action, undoes, host: run.host, version, run, change, before,
    beforeMade: Object.fromEntries(knobsOf(before).filter((knob) => config[knob].from === 'runtime').map((knob) => [knob, before[knob]])),
    commands: steps.flatMap((step) => (step.kind === 'set' ? [step.config] : [])), was: history.lastString,
  };
}

/** Sorts by time, and two shells in the same second differ. */
const newId = () => `${new Date().toISOString().slice(0, 19).replace(/[-:T]/g, '')}-${randomBytes(3).toString('hex')}`;

/**
 * The server has been changed already: a journal that has become unwritable is said, but does not stop the rest.
 * @param {Work} work @param {import('../../model/journal').Line} line
 */
function note(work, line) {
  try {
    writeLine(work.ctx.home, line);
  } catch (error) {
    work.journalProblem = /** @type {Error} */ (error).message;
  }
}

/** @param {Work} work @param {Pick<import('../../model/journal').Closing, 'outcome' | 'after' | 'verified' | 'reason'>} outcome */
const close = (work, outcome) => note(work, { kind: 'outcome', id: work.id, at: new Date().toISOString(), ...outcome });

/**
 * What ended it, with what is in force of the change. While a call was on its way nobody knows whether it arrived, unless the
 * server shows its string: else the journal stays open, which reads "unknown".
 * @param {Work} work @param {Error} error @returns {Promise<Error>}
 */
async function ended(work, error) {
  const { id, sent } = work;
  const open = await isOpen(work, error);
  const some = knobsOf(sent).length > 0;
  if (!open) close(work, { outcome: some || isCode(error, 'TUNE-30009') ? 'interrupted' : 'refused', after: some ? { ...sent } : null, verified: null, reason: error.message });
  const undo = open || some ? `tune.undo("${id}", { confirm: true })` : null;
  const words = [error.message, inForceWords(sent), ...(open ? [NOT_KNOWN] : []), ...(undo ? [`${undo} takes it back.`] : [])];
  return Object.assign(error, { message: words.join(' '), id, sent, undo });
}

const NOT_KNOWN = 'Whether the last call is in force is not known; tune.config() shows what is.';

/** @param {Work} work @param {Error} error @returns {Promise<boolean>} whether it is open what became of the last call */
async function isOpen(work, error) {
  if (isCode(error, 'TUNE-30005')) return true;
  if (work.onItsWay === null || isAnswer(error)) return false;
  if (!await arrived(work, work.onItsWay)) return true;
  Object.assign(work.sent, work.onItsWay.change);
  return false;
}

/** @param {Change} sent */
const inForceWords = (sent) => (knobsOf(sent).length > 0 ? `In force of it: ${showChange(sent)}.` : 'Nothing of it is known to be in force.');

/** The server itself said no, or we never asked. @param {Error} error */
const isAnswer = (error) => error instanceof TuneError && !isCode(error, 'TUNE-20006') && !isCode(error, 'TUNE-30009');

/** @param {Error} error @param {import('../../errors').Code} code */
const isCode = (error, code) => error instanceof TuneError && error.code === code;

/** @param {Work} work @param {NonNullable<Work['onItsWay']>} step */
async function arrived({ ctx, settings }, step) {
  try {
    await checkServer(ctx, settings);
    return await readLastString(ctx.port) === step.config;
  } catch {
    // The connection is gone: nothing can be learnt.
    return false;
  }
}

module.exports = { carryOut };
