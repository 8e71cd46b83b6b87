'use strict';

const { sendCall } = require('./send-call');
const { writeNow } = require('./late-lines');
const lock = require('./change-lock');
const { activeExternal, knownNow, recordExternal } = require('./external-change');
const { configuredValues } = require('./plan-change');
const { unlikeStep } = require('./pure/steps');
const { readLastString, readRefusal } = require('../server/engine-history');
const { configStringOf, shownConfig } = require('../config/engine-config');
const { settingsOf, pick } = require('../config/change');
const { interrupted } = require('../base/context');
const { TuneError } = require('../base/pure/errors');
const { GiB, bytes } = require('../base/pure/units');
const { stopwatch } = require('../base/timing');
const { isRefusal } = require('../base/server-errors');
const { readClock, readCallTimes, checkAnswerer, checkProcess } = require('./check-server');

/**
 * @import { Context } from '../base/types'
 * @import { Counters } from '../server/pure/counters'
 * @import { ChangeRun, SetStep } from './change-run'
 * @import { Clock } from './check-server'
 * @import { Asking } from './pure/journal'
 * @import { Again, Readback } from './send-call'
 */

/** Makes one call of a change: checks it, writes it to the journal, sends it, and reads it back. */

/**
 * Milliseconds for which a check is valid: a shell may be suspended before the call (Ctrl-Z, a
 * closed laptop).
 */
const FRESH_MS = 1000;

/** Says that a check was too old, and nothing was sent. */
class StaleCheck extends Error {}

/**
 * Repeats the check once if it is too old when the call is due.
 * @param {ChangeRun} changeRun
 * @param {SetStep} step
 * @param {() => Promise<Counters>} sample
 */
const send = (changeRun, step, sample) =>
  sendOnce(changeRun, step, { sample, freshMs: FRESH_MS }).catch((error) => {
    if (!(error instanceof StaleCheck)) throw error;
    // A server that is so slow will not be faster the next time.
    return sendOnce(changeRun, step, { sample, freshMs: Infinity });
  });

/**
 * @param {ChangeRun} changeRun
 * @param {SetStep} step
 * @param {{ sample: () => Promise<Counters>, freshMs: number }} how
 * @throws {StaleCheck}
 */
async function sendOnce(changeRun, step, { sample, freshMs }) {
  const { ctx, settings, plan } = changeRun;
  if (ctx.signal.aborted) throw interrupted();
  const clock = await readClock(ctx, settings);
  const passedMs = stopwatch();
  await changeRun.beforeCall?.(step);
  ctx.progress(`setting ${shownConfig(step.config)}`);
  const atMs = clock.earliest();
  /** @type {Asking} */
  const asking = { kind: 'asking', id: changeRun.id, atMs, command: step.config };
  writeAsking(changeRun, asking);
  const call = {
    change: step.change,
    config: step.config,
    restore: restoreString(changeRun, step),
    check: async (/** @type {Counters} */ before) => {
      await checkProcess(ctx, settings, plan);
      refuseShrinking(changeRun, step, before);
      if (changeRun.beforeCall && !changeRun.isWayBack) lock.checkStillOwn(changeRun);
      // This check comes last, for a slow disk may take long to read the journal.
      if (passedMs() > freshMs) throw new StaleCheck();
      changeRun.sending(step, atMs);
    },
    checkServer: () => checkProcess(ctx, settings),
    checkAnswerer: (/** @type {string} */ config) => checkAnswerer(ctx, settings, config),
    answered: async (/** @type {string | null} */ was) => {
      const times = await readCallTimes(ctx, settings, { clock, atMs, config: step.config });
      changeRun.accepted(step, { ...times, was, askedAtMs: atMs });
    },
    again: resendHooks(changeRun, clock),
  };
  const { mismatch } = await sendCall(ctx.port, call, readbackOf(ctx, sample), ctx.signal).catch(
    (error) => {
      if (isRefusal(error)) changeRun.callRefused();
      throw error;
    },
  );
  if (mismatch) changeRun.noteMismatch(mismatch);
}

/**
 * Refuses a call that would shrink the cache at once: every call applies the recorded size, and
 * another session set a larger active one.
 * @param {ChangeRun} changeRun @param {SetStep} step @param {Counters} before
 * @throws {TuneError} TUNE-30006
 */
function refuseShrinking(changeRun, step, before) {
  if (changeRun.plan.force || step.change.cacheSizeGB !== undefined) return;
  const [now, expected] = [before['cache.maxBytes'], largestKnown(changeRun)];
  if (now === undefined || expected === null || now <= expected) return;
  if (changeRun.isWayBack)
    return changeRun.noteMismatch(`the cache was ${bytes(now)}, which another session had set`);
  throw new TuneError(
    'TUNE-30006',
    `The cache is ${bytes(now)}, but ${bytes(expected)} was recorded: another session has ` +
      'changed it since this change was planned, and any call would set it back at once.',
    { value: now, allowed: expected },
  );
}

/**
 * @param {ChangeRun} changeRun
 * @returns {number | null} the largest size of the cache in bytes that was planned or set since
 */
function largestKnown({ settings, external, sent }) {
  const sizes = [
    configuredValues(settings).cacheSizeGB,
    settings.drift.find(({ setting }) => setting === 'cacheSizeGB')?.recorded,
    activeExternal(external).cacheSizeGB,
    sent.cacheSizeGB,
  ].flatMap((size) => (typeof size === 'number' ? [Math.ceil(size * GiB)] : []));
  return sizes.length === 0 ? null : Math.max(...sizes);
}

/**
 * @param {ChangeRun} changeRun
 * @param {SetStep} step
 * @returns {string} the values of its settings before the call, in a string that no other shell
 *   takes for its own
 */
function restoreString(changeRun, { group, change: going }) {
  const { plan, sent } = changeRun;
  const change = pick({ ...plan.before, ...sent }, settingsOf(going));
  const step = {
    kind: /** @type {const} */ ('set'),
    group,
    change,
    config: configStringOf(change),
  };
  return unlikeStep(step, knownNow(changeRun)).config;
}

/**
 * Writes the call to the journal first. A call that restores previous values is sent even if the
 * disk is full.
 * @param {ChangeRun} changeRun @param {Asking} asking
 */
function writeAsking(changeRun, asking) {
  if (changeRun.isWayBack) return changeRun.note(asking);
  writeNow(changeRun.ctx.home, asking);
  changeRun.written.push(asking);
}

/**
 * Makes the hooks of a string that is sent again after a refusal: it belongs to this change, too.
 * @param {ChangeRun} changeRun
 * @param {Clock} clock
 * @returns {Again}
 */
function resendHooks(changeRun, clock) {
  let atMs = 0;
  return {
    asking(config) {
      atMs = clock.earliest();
      changeRun.askingAgain(config, atMs);
    },
    answered: (config, was, expected) =>
      changeRun.acceptedAgain(config, { atMs, was, expected, answeredAtMs: clock.latest() }),
    others: async () => {
      await recordExternal(changeRun).catch(() => undefined);
      return activeExternal(changeRun.external);
    },
  };
}

/**
 * @param {Context} ctx
 * @param {() => Promise<Counters>} sample
 * @returns {Readback}
 */
const readbackOf = ({ port }, sample) => ({
  sample,
  lastString: () => readLastString(port),
  reason: (config) => readRefusal(port, config),
});

module.exports = { send };
