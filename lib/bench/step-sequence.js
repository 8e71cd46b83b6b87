'use strict';

const { takeSample } = require('../server/sampler');
const { makeSteps } = require('../change/pure/steps');
const { levelsOf } = require('../change/pure/levels');
const { planChange, rawOf } = require('../change/plan-change');
const { settingsOf, pick } = require('../config/change');
const { mapServerError } = require('../base/server-errors');
const { beginWork, runSteps, isVerified } = require('../change/apply-plan');
const { close } = require('../change/change-run');
const { refuseExternal } = require('../change/external-check');
const { planTrial, refuseOpen } = require('../trial/plan');

/**
 * @import { Context } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Work } from '../change/change-run'
 * @import { ExternalChange } from '../change/external-change'
 * @import { Step } from '../change/pure/steps'
 * @import { Change, SettingName } from '../config/setting-table'
 * @import { Settings } from '../observe/settings'
 */

/**
 * Settings of the engine that come one on top of the other, and all go again: one entry of the
 * journal, open until the end, so that whoever types tune after a shell was killed learns of it and
 * can undo it.
 *
 * @typedef {{ before: Change, after: Change, changes: readonly Change[] }} ClimbPlan
 * @typedef {{
 *   to(index: number): Promise<void>, back(): Promise<void>, end(keep: boolean): Promise<Left>
 * }} Climb
 * @typedef {{
 *   id: string | null, kept: boolean, verified: boolean | null,
 *   externalChanges: ExternalChange[], ended?: 'disturbed', because?: string
 * }} Left
 *   `to`: the changes up to that number are in force; `back`: none of them; both reject where
 *   another session set the same meanwhile
 */

/**
 * @param {Settings} settings
 * @param {readonly Change[]} changes one a rung, empty where it is no change of the engine
 * @param {{ force: boolean, cores: number | null }} options
 * @returns {ClimbPlan | null} null: nothing of the engine
 * @throws {TuneError} TUNE-30002, TUNE-30003, TUNE-30008, TUNE-30011
 */
function planSequence(settings, changes, options) {
  if (changes.every((change) => settingsOf(change).length === 0)) return null;
  refuseOpen(settings);
  changes.forEach((_, index) => planChange(upTo(changes, index), settings, options));
  const { before, change } = planTrial(upTo(changes, changes.length - 1), settings, options);
  return { before, after: change, changes };
}

/** So long a level may hold up the way back; then it is gone at once. */
const INTERRUPTED_WAIT_MS = 20_000;

/** @param {readonly Change[]} changes @param {number} index @returns {Change} */
const upTo = (changes, index) => Object.assign({}, ...changes.slice(0, index + 1));

/**
 * @param {Context} ctx
 * @param {Settings} settings
 * @param {ClimbPlan | null} plan
 * @param {number} seconds of each rung, for the journal
 * @returns {Climb}
 */
function makeSequence(ctx, settings, plan, seconds) {
  if (plan === null)
    return {
      async to() {},
      async back() {},
      end: async () => ({ id: null, kept: false, verified: null, externalChanges: [] }),
    };
  const { before, after, changes } = plan;
  const work = beginSequence(ctx, settings, plan, seconds);
  /** @type {Step[]} */ let last = [];
  work.beforeCall = () => refuseExternal(work);
  const go = async (/** @type {Change} */ wanted, wait = true) => {
    const { counters } = await takeSample(ctx.port);
    const now = { ...rawOf(settings), ...work.sent, ...work.onItsWay?.step.change };
    const unlike = pick(
      wanted,
      settingsOf(wanted).filter((setting) => now[setting] !== wanted[setting]),
    );
    if (settingsOf(unlike).length === 0) return;
    Object.assign(work.sent, work.onItsWay?.step.change);
    last = makeSteps(now, unlike, levelsOf(counters), { wait });
    await runSteps(work, last);
    work.ctx.progress(null);
  };
  const effective = (/** @type {number} */ index) => ({
    ...before,
    ...pick(after, settingsOf(upTo(changes, index))),
    ...pick(upTo(changes, index), settingsOf(after)),
  });
  return {
    to: (index) => go(effective(index)),
    back: () => go(before),
    async end(keep) {
      // The way back is gone whatever the user wants by now; after Ctrl-C the shell waits for a
      // minute.
      if (work.ctx.signal.aborted) work.longestWaitMs = INTERRUPTED_WAIT_MS;
      work.ctx = { ...work.ctx, signal: keep ? work.ctx.signal : new AbortController().signal };
      const foreign = await othersOf(work);
      const own = keep
        ? effective(changes.length - 1)
        : pick(
            before,
            settingsOf(before).filter((setting) => !foreign.includes(setting)),
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
      if (foreign.length > 0) return leftToThem(work, foreign);
      return closeSequence(work, { keep, after, verified });
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
function beginSequence(ctx, settings, { before, after, changes }, seconds) {
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
 * @param {Work} work
 * @param {{ keep: boolean, after: Change, verified: boolean | null }} end
 * @returns {Left}
 */
function closeSequence(work, { keep, after, verified }) {
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
 * @param {Work} work
 * @returns {Promise<SettingName[]>}
 */
async function othersOf(work) {
  await refuseExternal(work).catch((cause) => {
    if (cause.code !== 'TUNE-30006') throw cause;
  });
  work.beforeCall = undefined;
  const active = work.external
    .filter(({ values }) => !values.overwritten)
    .map(({ values }) => values.change);
  return settingsOf(pick(Object.assign({}, ...active), settingsOf(work.plan.change)));
}

/** @param {Work} work @param {readonly string[]} foreign @returns {Left} */
function leftToThem(work, foreign) {
  const because =
    `Another session set ${foreign.join(', ')} meanwhile: that stays, and the other settings ` +
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

module.exports = { planSequence, makeSequence };
