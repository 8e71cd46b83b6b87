'use strict';

const { randomBytes } = require('node:crypto');
const { sendGroup } = require('./runtime-config');
const { writeLine } = require('./journal');
const { ownWriter } = require('./writers');
const { readLastString, readRefusal } = require('../server/engine-history');
const { takeSample } = require('../server/sampler');
const { configStringOf } = require('../config/config-string');
const { knownOf } = require('./pure/timeline');
const { knobsOf, pick } = require('../config/change');
const { interrupted } = require('../base/context');
const { mapServerError } = require('../base/server-errors');
const { accepted, close, checkServer, checkProcess } = require('./work');
const { refuseExternal, lookBack } = require('./others-look');
const { ended } = require('./ended');
const { rollBack } = require('./roll-back');
const { goDown } = require('./go-down');

/**
 * @typedef {import('./work').Context} Context
 * @typedef {import('./work').Change} Change
 * @typedef {import('./work').Settings} Settings
 * @typedef {import('./work').Step} Step
 * @typedef {import('./work').Plan} Plan
 * @typedef {import('./work').Work} Work
 * @typedef {{
 *   id: string, verified: boolean, onTheWayDown: string[], mismatches: string[],
 *   journalProblem: string | null, external: import('./external').ExternalChange[]
 * }} Done
 */

/**
 * Does what a plan says, with the journal ahead of it. Whatever ends it, the journal says what was
 * sent.
 * @param {Context} ctx
 * @param {Plan} plan
 * @param {Settings} settings
 * @returns {Promise<Done>}
 * @throws {TuneError} with `id`, `sent` (what is in force of it) and `undo`
 */
async function carryOut(ctx, plan, settings) {
  const work = beginWork(ctx, plan, settings);
  work.beforeCall = () => refuseExternal(work);
  try {
    await perform(work, plan.steps);
    await lookBack(work);
  } catch (cause) {
    const error = mapServerError(cause, 'setParameter', ctx.signal);
    const last = await rollBack(work, error, (steps) => backBy(work, steps));
    throw await ended(work, error, mapServerError(last, 'setParameter', ctx.signal));
  } finally {
    ctx.progress(null);
  }
  const verified = await isVerified(work, plan.steps);
  close(work, {
    outcome: 'applied',
    after: plan.change,
    verified,
    reason: work.mismatches.join('; ') || null,
  });
  const { id, onTheWayDown, mismatches, journalProblem, external } = work;
  return { id, verified, onTheWayDown, mismatches, journalProblem, external };
}

/**
 * Writes down what is going to be done.
 * @param {Context} ctx @param {Plan} plan @param {Settings} settings @returns {Work}
 * @throws {import('../base/pure/errors').TuneError} TUNE-40001
 */
function beginWork(ctx, plan, settings) {
  const id = newId();
  const intent = intentOf(id, plan, settings);
  writeLine(ctx.home, intent);
  plan.lines?.push(intent);
  return {
    ctx,
    plan,
    settings,
    id,
    sent: {},
    onTheWayDown: [],
    mismatches: [],
    journalProblem: null,
    calls: [],
    external: [],
    last: settings.history.lastString,
    overtaken: null,
    onItsWay: null,
  };
}

/** @param {Work} work @param {readonly Step[]} steps */
async function perform(work, steps) {
  for (const step of steps) await take(work, step);
}

/** @param {Work} work @param {readonly Step[]} steps the way back @returns {Promise<boolean>} */
async function backBy(work, steps) {
  work.mismatches.splice(0);
  await perform(work, steps);
  return isVerified(work, steps);
}

/**
 * @param {Work} work
 * @param {readonly Step[]} steps the last that were taken
 * @returns {Promise<boolean>} whether all that can be read back is as sent
 */
const isVerified = async (work, steps) =>
  work.mismatches.length === 0 && (await showsLast(work.ctx.port, steps));

/** @param {Work} work @param {Step} step */
async function take(work, step) {
  const look = async () => (await takeSample(work.ctx.port)).metrics;
  if (step.kind === 'set') return send(work, step, look);
  if (work.ctx.signal.aborted) throw interrupted();
  return goDown(work, step, { look: work.watch ?? look, send: (down) => send(work, down, look) });
}

/**
 * @param {Work} work
 * @param {import('./work').SetStep} step
 * @param {() => Promise<import('../server/pure/counters').Metrics>} look
 */
async function send(work, step, look) {
  const { ctx, settings, plan, sent } = work;
  if (ctx.signal.aborted) throw interrupted();
  const clockMs = await checkServer(ctx, settings);
  await work.beforeCall?.();
  ctx.progress(`setting ${step.config}`);
  const atMs = Date.now() + clockMs;
  /** @type {import('./pure/journal').Asking} */
  const asking = { kind: 'asking', id: work.id, atMs, command: step.config };
  writeLine(ctx.home, asking);
  plan.lines?.push(asking);
  const unanswered = work.onItsWay?.step.config;
  const call = {
    change: step.change,
    config: step.config,
    restore: configStringOf(pick({ ...plan.before, ...sent }, knobsOf(step.change))),
    check: async () => {
      await checkProcess(ctx, settings);
      work.onItsWay = { step, atMs };
      work.calls.push(step.config);
    },
    answered: (/** @type {string | null} */ was) => accepted(work, step, { atMs, was, unanswered }),
  };
  const { mismatch } = await sendGroup(ctx.port, call, eyesOf(ctx, look), ctx.signal).catch(
    (error) => {
      throw remembered(work, error);
    },
  );
  if (mismatch) work.mismatches.push(mismatch);
}

/**
 * What was sent again after a refusal is ours, too.
 * @template E
 * @param {Work} work
 * @param {E & { sentBack?: string, restored?: boolean }} error
 * @returns {E}
 */
function remembered(work, error) {
  if (error.restored && error.sentBack !== undefined) {
    work.calls.push(error.sentBack);
    work.last = error.sentBack;
  }
  return error;
}

/**
 * @param {Context} ctx
 * @param {() => Promise<import('../server/pure/counters').Metrics>} look
 * @returns {import('./runtime-config').Eyes}
 */
const eyesOf = ({ port }, look) => ({
  look,
  lastString: () => readLastString(port),
  reason: () => readRefusal(port),
});

/** @param {import('../base/context').Port} port @param {readonly Step[]} steps */
async function showsLast(port, steps) {
  const last = steps.findLast((step) => step.kind === 'set');
  const lastString = await readLastString(port);
  return last === undefined || lastString === null || lastString === last.config;
}

/**
 * @param {string} id
 * @param {Plan} plan
 * @param {Settings} settings
 * @returns {import('./pure/journal').Intent}
 */
function intentOf(
  id,
  { action, undoes, change, before, steps, trial, group },
  { run: { version, clockMs, ...run }, history, timeline },
) {
  return {
    kind: 'intent',
    id,
    at: new Date().toISOString(),
    atMs: Date.now() + (clockMs ?? 0),
    action,
    undoes,
    host: run.host,
    version,
    run,
    change,
    before,
    commands: steps.flatMap((step) => (step.kind === 'set' ? [step.config] : [])),
    was: history.lastString,
    known: knownOf(timeline),
    logged: loggedLast(history),
    writerPid: process.pid,
    writer: ownWriter(),
    ...(trial && { trial }),
    ...(group && { group }),
  };
}

/**
 * @param {import('../server/engine-history').EngineHistory} history
 * @returns {{ atMs: number, config: string } | null | undefined} undefined: the log does not tell
 */
function loggedLast({ sets, logWhole }) {
  const last = sets.findLast(({ ok }) => ok);
  if (last) return { atMs: last.atMs, config: last.config };
  return logWhole ? null : undefined;
}

/** Sorts by time, and two shells in the same second differ. */
const newId = () =>
  `${new Date().toISOString().slice(0, 19).replace(/[-:T]/g, '')}-${randomBytes(3).toString('hex')}`;

module.exports = { carryOut, beginWork, perform, isVerified, newId };
