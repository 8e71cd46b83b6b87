'use strict';

const { takeSample } = require('../server/sampler');
const { makeSteps } = require('../change/pure/steps');
const { unlikeSteps } = require('../change/pure/unlike-steps');
const { levelsOf } = require('../change/pure/levels');
const { planChange, rawOf } = require('../change/plan-change');
const { settingsOf, pick } = require('../config/change');
const { mapServerError } = require('../base/server-errors');
const { beginWork, runSteps, isVerified } = require('../change/apply-plan');
const { refuseExternal } = require('../change/external-check');
const { takeInHand } = require('../change/fence');
const { endAt, endOf, stranded } = require('./end-sequence');
const { planTrial, refuseOpen } = require('../trial/plan');

/**
 * @import { Context } from '../base/context'
 * @import { ExternalChange } from '../change/external-change'
 * @import { Step } from '../change/pure/steps'
 * @import { Change } from '../config/setting-table'
 * @import { Settings } from '../observe/settings'
 */

/**
 * Settings of the engine that come one on top of the other, and all go again: one entry of the
 * journal, open until the end, so that whoever types tune after a shell was killed learns of it and
 * can undo it.
 *
 * @typedef {{ before: Change, after: Change, changes: readonly Change[], force: boolean }} ClimbPlan
 * @typedef {{
 *   to(index: number): Promise<void>, back(): Promise<void>, end(keep: boolean): Promise<Left>
 * }} Climb
 * @typedef {{
 *   id: string | null, kept: boolean, verified: boolean | null,
 *   externalChanges: ExternalChange[], ended?: 'disturbed' | 'lost', because?: string
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
  return { before, after: change, changes, force: options.force };
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
  const changeRun = beginSequence(ctx, settings, plan, seconds);
  const letGo = takeInHand(changeRun.id);
  /** @type {Step[]} */ let last = [];
  changeRun.beforeCall = () => refuseExternal(changeRun);
  const go = async (/** @type {Change} */ wanted, wait = true) => {
    const { counters } = await takeSample(ctx.port);
    const now = { ...rawOf(settings), ...changeRun.sent, ...changeRun.onItsWay?.step.change };
    const unlike = pick(
      wanted,
      settingsOf(wanted).filter((setting) => now[setting] !== wanted[setting]),
    );
    if (settingsOf(unlike).length === 0) return;
    Object.assign(changeRun.sent, changeRun.onItsWay?.step.change);
    last = unlikeSteps(
      makeSteps(now, unlike, levelsOf(counters), { wait }),
      settings,
      changeRun.sent,
    );
    await runSteps(changeRun, last);
    changeRun.ctx.progress(null);
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
      if (changeRun.ctx.signal.aborted) changeRun.longestWaitMs = INTERRUPTED_WAIT_MS;
      changeRun.ctx = {
        ...changeRun.ctx,
        signal: keep ? changeRun.ctx.signal : new AbortController().signal,
      };
      try {
        const kept = await endAt(changeRun, {
          before,
          keep: keep ? effective(changes.length - 1) : null,
          go,
        });
        const verified = await isVerified(changeRun, last).catch(() => null);
        return endOf(changeRun, { keep: kept, after, verified });
      } catch (cause) {
        return stranded(changeRun, mapServerError(cause, 'setParameter'));
      } finally {
        letGo();
      }
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
function beginSequence(ctx, settings, { before, after, changes, force }, seconds) {
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
    force,
  );
}

module.exports = { planSequence, makeSequence };
