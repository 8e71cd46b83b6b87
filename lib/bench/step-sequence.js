'use strict';

const { takeSample } = require('../server/sampler');
const { makeSteps, unlikeSteps } = require('../change/pure/steps');
const { levelsOf } = require('../change/pure/levels');
const { planChange, configuredValues } = require('../change/plan-change');
const { settingsOf, pick } = require('../config/change');
const { mapServerError } = require('../base/server-errors');
const { openRun, runSteps, isVerified } = require('../change/apply-plan');
const { knownNow, refuseExternal } = require('../change/external-change');
const { markInProgress } = require('../change/change-lock');
const { endAt, endOf, stranded, warningsOf } = require('./end-sequence');
const { planTrial, refuseOpen, refuseDrift } = require('../trial/plan');

/**
 * @import { ChangeRun } from '../change/change-run'
 * @import { ExternalChange } from '../change/external-change'
 * @import { Step } from '../change/pure/steps'
 * @import { Change, Context } from '../base/types'
 * @import { Settings } from '../change/types'
 */

/**
 * A sequence of engine settings, each on top of the ones before, that are all reverted at the end.
 * It has one entry of the journal, open until the end: after a shell was killed, the next user of
 * tune sees it and can undo it.
 *
 * @typedef {{
 *   before: Change, after: Change, changes: readonly Change[], force: boolean, warnings: string[]
 * }} SequencePlan
 * @typedef {{
 *   to(index: number): Promise<void>, back(): Promise<void>, end(keep: boolean): Promise<Left>
 * }} Sequence
 * @typedef {{
 *   id: string | null, kept: boolean, verified: boolean | null, warnings?: string[],
 *   externalChanges: ExternalChange[], ended?: 'disturbed' | 'lost' | 'interrupted' | 'failed', because?: string
 * }} Left
 *   `to`: makes the changes up to that number active; `back`: reverts all of them; both reject
 *   where another session set the same meanwhile
 */

/**
 * @param {Settings} settings
 * @param {readonly Change[]} changes one for each step, empty where the step changes no setting of
 *   the engine
 * @param {{ force: boolean, cores: number | null }} options
 * @returns {SequencePlan | null} null: no step changes a setting of the engine
 * @throws {TuneError} TUNE-30002, TUNE-30003, TUNE-30006, TUNE-30008, TUNE-30011
 */
function planSequence(settings, changes, options) {
  const first = changes.find((change) => settingsOf(change).length > 0);
  if (first === undefined) return null;
  refuseOpen(settings);
  if (!options.force) refuseDrift(settings, first);
  const stages = changes.map((_, index) => upTo(changes, index));
  const last = stages[stages.length - 1];
  const sets = stages.map((stage) => settingsOf(planChange(stage, settings, options).change));
  // A step may set the value that was active before another step.
  const never = settingsOf(last).filter((setting) => !sets.flat().includes(setting));
  const changing = stages.flatMap((stage, i) =>
    sets[i].length > 0 ? [pick(stage, [...sets[i], ...never])] : [],
  );
  const all = (changing.length > 0 ? changing : [last]).map((stage) =>
    planTrial(stage, settings, options),
  );
  const before = Object.assign({}, ...all.map((planned) => planned.before));
  const warnings = [...new Set(all.flatMap((planned) => planned.warnings))];
  return { before, after: pick(last, settingsOf(before)), changes, force: options.force, warnings };
}

/** @param {readonly Change[]} changes @param {number} index @returns {Change} */
const upTo = (changes, index) => Object.assign({}, ...changes.slice(0, index + 1));

/** The sequence of steps that change no setting of the engine. @type {Sequence} */
const NO_SEQUENCE = Object.freeze({
  async to() {},
  async back() {},
  end: async () => ({ id: null, kept: false, verified: null, externalChanges: [] }),
});

/** One entry of the journal, and which of its changes are active. @implements {Sequence} */
class StepSequence {
  /**
   * @param {ChangeRun} changeRun
   * @param {SequencePlan} plan
   * @param {Settings} settings
   */
  constructor(changeRun, plan, settings) {
    this.changeRun = changeRun;
    this.plan = plan;
    this.settings = settings;
    this.unlock = markInProgress(changeRun.id);
    /** The calls that were sent last. */
    this.last = /** @type {Step[]} */ ([]);
    changeRun.guardCalls({ beforeCall: ({ change }) => refuseExternal(changeRun, change) });
  }

  /** @param {number} index */
  to(index) {
    return this.go(this.effectiveAt(index));
  }

  back() {
    return this.go(this.plan.before);
  }

  /** The settings with the changes up to that number. @param {number} index */
  effectiveAt(index) {
    const { before, after, changes } = this.plan;
    return { ...before, ...pick(upTo(changes, index), settingsOf(after)) };
  }

  /**
   * @param {Change} wanted
   * @param {boolean} [wait] whether to wait for levels that are above a trigger
   */
  async go(wanted, wait = true) {
    const { changeRun, settings } = this;
    const { counters } = await takeSample(changeRun.ctx.port);
    const now = {
      ...configuredValues(settings),
      ...changeRun.sent,
      ...changeRun.unansweredCall?.step.change,
    };
    const unlike = pick(
      wanted,
      settingsOf(wanted).filter((setting) => now[setting] !== wanted[setting]),
    );
    if (settingsOf(unlike).length === 0) return;
    changeRun.countUnanswered();
    const steps = makeSteps(now, unlike, levelsOf(counters), { wait });
    this.last = unlikeSteps(steps, knownNow(changeRun));
    await runSteps(changeRun, this.last);
    changeRun.ctx.progress(null);
  }

  /** @param {boolean} keep @returns {Promise<Left>} */
  async end(keep) {
    const { changeRun, plan } = this;
    try {
      const ending = await endAt(changeRun, {
        before: plan.before,
        keep: keep ? this.effectiveAt(plan.changes.length - 1) : null,
        go: (wanted, wait) => this.go(wanted, wait),
      });
      const verified = await isVerified(changeRun, this.last).catch(() => null);
      const left = endOf(changeRun, { ...ending, after: plan.after, verified });
      return { ...left, warnings: warningsOf(changeRun) };
    } catch (cause) {
      const left = stranded(changeRun, mapServerError(cause, 'setParameter'));
      return { ...left, warnings: warningsOf(changeRun) };
    } finally {
      this.unlock();
    }
  }
}

/**
 * @param {Context} ctx
 * @param {Settings} settings
 * @param {SequencePlan | null} plan
 * @param {number} seconds the duration of each step, for the journal
 * @returns {Sequence}
 */
const makeSequence = (ctx, settings, plan, seconds) =>
  plan === null
    ? NO_SEQUENCE
    : new StepSequence(beginSequence(ctx, settings, plan, seconds), plan, settings);

/**
 * Opens one entry of the journal for all steps.
 * @param {Context} ctx
 * @param {Settings} settings
 * @param {SequencePlan} plan
 * @param {number} seconds the duration of each step
 */
function beginSequence(ctx, settings, { before, after, changes, force }, seconds) {
  const steps = makeSteps(configuredValues(settings), after, levelsOf(settings.live));
  return openRun(
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
