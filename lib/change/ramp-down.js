'use strict';

const {
  aboveLimits,
  levelsOf,
  limitsAfter,
  loweredBy,
  showLimits,
  withSmallerCache,
} = require('./pure/levels');
const { nextDown, isDrained, writeRate } = require('./pure/ramp');
const { configStringOf, shownConfig } = require('../config/engine-config');
const { unlikeStep } = require('./pure/steps');
const { knownNow } = require('./external-change');
const { configuredValues } = require('./plan-change');
const { sleep } = require('../base/context');
const { TuneError } = require('../base/pure/errors');

/**
 * @import { Change, Context } from '../base/types'
 * @import { Raw } from '../config/thresholds'
 * @import { Counters } from '../server/pure/counters'
 * @import { SetStep, ChangeRun } from './change-run'
 * @import { Levels, Limit } from './pure/levels'
 * @import { Gathered } from './pure/ramp'
 * @import { Step } from './pure/steps'
 */

/**
 * @typedef {{ sample(): Promise<Counters>, send(step: SetStep): Promise<void> }} RampActions
 */

/** Milliseconds in which the level may fall by itself, while the disk's speed is measured. */
const BY_ITSELF_MS = 2000;
/** Milliseconds for clients between two steps: about half of each second. */
const BREATHER_MS = 300;
/**
 * Milliseconds. The load holds up a level that stays above its trigger this long: draining a step
 * should take half a second.
 */
const STEADY_LOAD_MS = 2000;

/** Milliseconds after which force sets the rest at once. */
const FORCED_WAIT_MS = 60_000;

/**
 * Waits until a change may be sent without stopping clients. Where the load holds the level up, it
 * lowers the trigger in steps.
 * @param {ChangeRun} changeRun
 * @param {Extract<Step, { kind: 'wait' }>} step
 * @param {RampActions} actions
 * @throws {TuneError} TUNE-30003, TUNE-30009
 */
async function rampDown(changeRun, { limits: planned, group, change }, { sample, send }) {
  const { stateIn, limitsIn } = nowOf(changeRun, planned, change);
  const above = (/** @type {Counters} */ counters) =>
    aboveLimits(limitsIn(counters), levelsOf(counters));
  let ramp = newRamp('');
  const sendNext = async (
    /** @type {Raw} */ effective,
    /** @type {Levels} */ levels,
    /** @type {Gathered} */ now,
  ) => {
    const bytesPerSec = ramp.first && writeRate(ramp.first, now);
    const next = nextDown(effective, change, { levels, bytesPerSec });
    if (next === null) return true;
    const step = unlikeStep(
      { kind: 'set', group, change: next, config: configStringOf(next) },
      knownNow(changeRun),
    );
    await send(step);
    changeRun.noteRampCommand(step.config);
    ramp = newRamp(step.config);
    return false;
  };
  const advance = async (/** @type {Counters} */ counters, /** @type {number} */ waitedMs) => {
    const now = { atMs: waitedMs, writtenBytes: counters['cache.writtenBytes'] };
    ramp.first ??= now;
    if (above(counters).length === 0) return true;
    const [effective, levels] = [stateIn(counters), levelsOf(counters)];
    if (mayFallByItself(limitsIn(counters), effective, { change, levels, waitedMs })) return false;
    if (isDrained(effective, change, levels) || waitedMs - ramp.first.atMs >= STEADY_LOAD_MS)
      ramp.drainedMs ??= waitedMs;
    if (ramp.drainedMs === null || waitedMs - ramp.drainedMs < ramp.breatherMs) return false;
    return sendNext(effective, levels, now);
  };
  const doing = () =>
    ramp.config === ''
      ? 'waiting before the trigger is lowered'
      : `lowering in steps, now ${shownConfig(ramp.config)}`;
  const { force } = changeRun.plan;
  await waitForLevel(
    changeRun.ctx,
    {
      advance,
      doing,
      say: (counters) => showLimits(above(counters), levelsOf(counters)),
      isOver: () => changeRun.interruptedWait.isOver,
      onInterrupt: changeRun.isWayBack || changeRun.ctx.interrupt ? ENDS_WAIT : ENDS_HERE,
    },
    sample,
    changeRun.longestWaitMs ?? (force ? FORCED_WAIT_MS : undefined),
  ).catch((error) => {
    const mayBlock = force || changeRun.interruptedWait.isEnding;
    if (!mayBlock || error.code !== 'TUNE-30003') throw error;
  });
}

/**
 * Returns the settings in effect, and the limits that the level has to be under, by the present
 * size of the cache.
 * @param {ChangeRun} changeRun @param {Limit[]} planned @param {Change} change
 */
function nowOf(changeRun, planned, change) {
  const known = () => ({ ...configuredValues(changeRun.settings), ...changeRun.sent });
  const stateIn = (/** @type {Counters} */ counters) => withSmallerCache(known(), counters);
  const limitsIn = (/** @type {Counters} */ counters) => {
    const state = stateIn(counters);
    return state.cacheSizeGB === known().cacheSizeGB ? planned : limitsAfter(state, change);
  };
  return { stateIn, limitsIn };
}

/**
 * Says whether a level may still fall by itself: clean pages leave for a smaller size only, however
 * long the wait is.
 * @param {readonly Limit[]} limits
 * @param {Raw} effective
 * @param {{
 *   change: Change, levels: Levels, waitedMs: number
 * }} seen
 */
function mayFallByItself(limits, effective, { change, levels, waitedMs }) {
  if (waitedMs >= BY_ITSELF_MS) return false;
  const clean = new Set(
    loweredBy(effective, change)
      .filter(({ isClean }) => isClean)
      .map(({ kind }) => kind),
  );
  return aboveLimits(limits, levels).some(({ kind }) => !clean.has(kind));
}

/**
 * Begins a ramp with the level now. The call may have waited for a checkpoint, so time counts from
 * the first sample after it.
 * @param {string} config the string sent last
 */
const newRamp = (config) => ({
  config,
  breatherMs: config === '' ? 0 : BREATHER_MS,
  first: /** @type {Gathered | null} */ (null),
  drainedMs: /** @type {number | null} */ (null),
});

/** The words for the effect of Ctrl-C meanwhile. */
const ENDS_HERE = 'Ctrl-C stops here';
const ENDS_WAIT = 'Ctrl-C ends this within 20 s';

/** Milliseconds: long enough for a slow disk to drain a few GB. */
const MAX_LEVEL_WAIT_MS = 120_000;
/** Milliseconds between samples: a few for a pause of half a second; each costs the server 1 ms. */
const POLL_MS = 100;

/**
 * @typedef {{
 *   advance(counters: Counters, waitedMs: number): boolean | Promise<boolean>, doing(): string,
 *   say(counters: Counters): string, isOver?(): boolean, onInterrupt?: string
 * }} Goal `advance` may do something to reach it; `isOver`: the wait was long enough;
 *   `onInterrupt`: the effect of Ctrl-C
 */

/**
 * Waits until the cache is below the triggers that will be set.
 * @param {Context} ctx
 * @param {Goal} goal
 * @param {() => Promise<Counters>} sample
 * @param {number} [longestMs]
 * @throws {TuneError} TUNE-30003 when the level does not fall in time, TUNE-30009 after Ctrl-C
 */
async function waitForLevel(ctx, goal, sample, longestMs = MAX_LEVEL_WAIT_MS) {
  const started = performance.now();
  try {
    for (;;) {
      const counters = await sample();
      const waitedMs = performance.now() - started;
      if (await goal.advance(counters, waitedMs)) return;
      if (waitedMs >= longestMs || goal.isOver?.()) throw tooHigh(goal.say(counters), waitedMs);
      ctx.progress(
        `${goal.doing()}: ${goal.say(counters)} (${Math.round(waitedMs / 1000)} s; ` +
          `${goal.onInterrupt ?? ENDS_HERE})`,
      );
      await sleep(POLL_MS, ctx.signal);
    }
  } finally {
    ctx.progress(null);
  }
}

/** @param {string} say @param {number} waitedMs */
const tooHigh = (say, waitedMs) =>
  new TuneError(
    'TUNE-30003',
    `After ${Math.round(waitedMs / 1000)} s there are still ${say}: lowering the ` +
      'trigger now would block every client until the difference is written to disk.',
    { value: say, allowed: 'a level under the new trigger' },
  );

module.exports = { rampDown, waitForLevel };
