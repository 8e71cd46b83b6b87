'use strict';

const { takeSample } = require('../server/sampler');
const { makeSteps } = require('../change/pure/steps');
const { levelsOf } = require('../change/pure/levels');
const { planChange, rawOf } = require('../change/planned');
const { knobsOf, pick } = require('../config/change');
const { mapServerError } = require('../base/server-errors');
const { beginWork, perform, isVerified } = require('../change/carry-out');
const { close } = require('../change/work');
const { refuseExternal } = require('../change/others-look');
const { planTrial, refuseOpen } = require('../trial/plan');

/**
 * Settings of the engine that come one on top of the other, and all go again: one entry of the
 * journal, open until the end, so that whoever types tune after a shell was killed learns of it and
 * can undo it.
 *
 * @typedef {import('../base/context').Context} Context
 * @typedef {import('../observe/settings').Settings} Settings
 * @typedef {import('../config/knobs').Change} Change
 * @typedef {{ before: Change, after: Change, changes: readonly Change[] }} ClimbPlan
 * @typedef {{
 *   to(rung: number): Promise<void>, back(): Promise<void>, end(keep: boolean): Promise<Left>
 * }} Climb
 * @typedef {{
 *   id: string | null, kept: boolean, verified: boolean | null,
 *   externalChanges: import('../change/external').ExternalChange[], ended?: 'disturbed', because?: string
 * }} Left
 *   `to`: the changes up to that number are in force; `back`: none of them; both reject where
 *   another session set the same meanwhile
 */

/**
 * @param {Settings} settings
 * @param {readonly Change[]} changes one a rung, empty where it is no change of the engine
 * @param {{ force: boolean, cores: number | null }} options
 * @returns {ClimbPlan | null} null: nothing of the engine
 * @throws {import('../base/pure/errors').TuneError} TUNE-30002, TUNE-30003, TUNE-30008, TUNE-30011
 */
function planClimb(settings, changes, options) {
  if (changes.every((change) => knobsOf(change).length === 0)) return null;
  refuseOpen(settings);
  changes.forEach((_, rung) => planChange(upTo(changes, rung), settings, options));
  const { before, change } = planTrial(upTo(changes, changes.length - 1), settings, options);
  return { before, after: change, changes };
}

/** So long a level may hold up the way back; then it is gone at once. */
const INTERRUPTED_WAIT_MS = 20_000;

/** @param {readonly Change[]} changes @param {number} rung @returns {Change} */
const upTo = (changes, rung) => Object.assign({}, ...changes.slice(0, rung + 1));

/**
 * @param {Context} ctx
 * @param {Settings} settings
 * @param {ClimbPlan | null} plan
 * @param {number} seconds of each rung, for the journal
 * @returns {Climb}
 */
function makeClimb(ctx, settings, plan, seconds) {
  if (plan === null)
    return {
      async to() {},
      async back() {},
      end: async () => ({ id: null, kept: false, verified: null, externalChanges: [] }),
    };
  const { before, after, changes } = plan;
  const work = beginClimb(ctx, settings, plan, seconds);
  /** @type {import('../change/pure/steps').Step[]} */ let last = [];
  work.beforeCall = () => refuseExternal(work);
  const go = async (/** @type {Change} */ wanted, wait = true) => {
    const { metrics } = await takeSample(ctx.port);
    const now = { ...rawOf(settings), ...work.sent, ...work.onItsWay?.step.change };
    const unlike = pick(
      wanted,
      knobsOf(wanted).filter((knob) => now[knob] !== wanted[knob]),
    );
    if (knobsOf(unlike).length === 0) return;
    Object.assign(work.sent, work.onItsWay?.step.change);
    last = makeSteps(now, unlike, levelsOf(metrics), { wait });
    await perform(work, last);
    work.ctx.progress(null);
  };
  const inForce = (/** @type {number} */ rung) => ({
    ...before,
    ...pick(after, knobsOf(upTo(changes, rung))),
    ...pick(upTo(changes, rung), knobsOf(after)),
  });
  return {
    to: (rung) => go(inForce(rung)),
    back: () => go(before),
    async end(keep) {
      // The way back is gone whatever the user wants by now; after Ctrl-C the shell waits for a
      // minute.
      if (work.ctx.signal.aborted) work.longestWaitMs = INTERRUPTED_WAIT_MS;
      work.ctx = { ...work.ctx, signal: keep ? work.ctx.signal : new AbortController().signal };
      const theirs = await othersOf(work);
      const own = keep
        ? inForce(changes.length - 1)
        : pick(
            before,
            knobsOf(before).filter((knob) => !theirs.includes(knob)),
          );
      try {
        await go(own).catch((cause) =>
          keep || cause.code !== 'TUNE-30003' ? Promise.reject(cause) : go(own, false),
        );
      } catch (cause) {
        throw Object.assign(mapServerError(cause, 'setParameter'), {
          id: work.id,
          undo: `tune.undo("${work.id}", { confirm: true })`,
        });
      }
      const verified = await isVerified(work, last).catch(() => null);
      if (theirs.length > 0) return leftToThem(work, theirs);
      return closeClimb(work, { keep, after, verified });
    },
  };
}

/**
 * Opens the entry of the journal for all rungs together.
 * @param {Context} ctx
 * @param {Settings} settings
 * @param {ClimbPlan} plan
 * @param {number} seconds of each rung
 */
function beginClimb(ctx, settings, { before, after, changes }, seconds) {
  const steps = makeSteps(rawOf(settings), after, levelsOf(settings.live));
  return beginWork(
    ctx,
    {
      action: 'trial',
      undoes: null,
      change: after,
      before,
      steps,
      trial: { blocks: changes.length, seconds, metric: 'opsPerSec' },
    },
    settings,
  );
}

/**
 * Closes the entry of the journal when nobody else interfered.
 * @param {import('../change/work').Work} work
 * @param {{ keep: boolean, after: Change, verified: boolean | null }} end
 * @returns {Left}
 */
function closeClimb(work, { keep, after, verified }) {
  close(work, {
    outcome: keep ? 'applied' : 'undone',
    after: keep ? after : null,
    verified,
    reason: keep
      ? 'the steps of the ladder were kept'
      : 'the ladder is over; the settings before it are in force',
  });
  return { id: work.id, kept: keep, verified, externalChanges: work.external };
}

/**
 * What another session has set meanwhile, and is in force, is left to it; the way back is gone with
 * the rest.
 * @param {import('../change/work').Work} work
 * @returns {Promise<import('../config/knobs').Knob[]>}
 */
async function othersOf(work) {
  await refuseExternal(work).catch((cause) => {
    if (cause.code !== 'TUNE-30006') throw cause;
  });
  work.beforeCall = undefined;
  const standing = work.external
    .filter(({ values }) => !values.overwritten)
    .map(({ values }) => values.change);
  return knobsOf(pick(Object.assign({}, ...standing), knobsOf(work.plan.change)));
}

/** @param {import('../change/work').Work} work @param {readonly string[]} theirs @returns {Left} */
function leftToThem(work, theirs) {
  const because =
    `Another session set ${theirs.join(', ')} meanwhile: that stays, and the other settings ` +
    'are as they were before.';
  close(work, { outcome: 'interrupted', after: null, verified: null, reason: because });
  return {
    id: null,
    kept: false,
    verified: null,
    externalChanges: work.external,
    ended: 'disturbed',
    because,
  };
}

module.exports = { planClimb, makeClimb };
