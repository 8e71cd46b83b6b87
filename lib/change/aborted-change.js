'use strict';

const { callText } = require('../base/pure/printable');
const { readLastString } = require('../server/engine-history');
const { settingsOf, pick, showChange, without } = require('../config/change');
const { TuneError, isCode } = require('../base/pure/errors');
const { checkServer, betweenClocks } = require('./check-server');
const { recordAfterwards, recordExternal, activeExternal, knownNow } = require('./external-change');
const { sets } = require('./pure/later-changes');
const { takeSample } = require('../server/sampler');
const { endWords } = require('./pure/end-words');
const { levelsOf } = require('./pure/levels');
const { makeSteps, unlikeSteps } = require('./pure/steps');
const { isRefusal } = require('../base/server-errors');
const { configuredValues } = require('./plan-change');
const { notRestorable } = require('../config/thresholds');
const { needsForce } = require('./undo-call');
const { withTimeout } = require('../base/timing');

/**
 * @import { Change } from '../base/types'
 * @import { ChangeRun, UnansweredCall } from './change-run'
 * @import { CallTimes } from './check-server'
 * @import { Outcome } from './pure/journal'
 * @import { Answerer, End } from './pure/end-words'
 * @import { Step } from './pure/steps'
 */

/**
 * Makes the error of a change that was ended, with the settings of it that are effective. While a
 * call is unanswered its outcome is unknown, unless the server shows its string; the journal then
 * says "unknown", which also means that no shell is working on it.
 * @param {ChangeRun} changeRun
 * @param {Error} error
 * @param {Error} [last] the last error, where the rollback failed too
 * @returns {Promise<Error>}
 */
async function abortedError(changeRun, error, last = error) {
  const isUnknown = await isOutcomeUnknown(changeRun, last);
  if (last !== error) forgetBack(changeRun, changeRun.plan.before);
  const { id } = changeRun;
  const end = await endOf(changeRun, error, isUnknown);
  const { sent, some } = end;
  const undo = some && !end.isLost ? end.undo : null;
  changeRun.close({
    outcome: outcomeOf(error, end),
    after: settingsOf(sent).length > 0 ? { ...sent } : null,
    verified: null,
    reason: error.message,
  });
  // For a change of several members roll-out.js reports the outcome of all.
  const message = changeRun.plan.group
    ? error.message
    : [error.message, ...endWords(changeRun, end)].filter((one) => one !== '').join(' ');
  return Object.assign(error, { message, id, sent, undo });
}

/**
 * @param {ChangeRun} changeRun
 * @param {Error} error
 * @param {boolean} isUnknown whether the outcome of the last call is unknown
 * @returns {Promise<End>}
 */
async function endOf(changeRun, error, isUnknown) {
  const answerer = await answererAfter(changeRun, error, isUnknown);
  const restarted = answerer === 'restarted';
  const mayStillArrive = isUnknown && !restarted;
  await learnLast(changeRun, error, { isUnknown, mayStillArrive });
  const { sent: all, plan, external } = changeRun;
  return {
    ...splitByOwner(all, restarted ? all : activeExternal(external)),
    some: (mayStillArrive || settingsOf(all).length > 0) && !restarted,
    open: mayStillArrive,
    answerer,
    undo: isUnclear(changeRun, error)
      ? null
      : plainUndoCall(changeRun, mayStillArrive ? plan.change : {}),
    isLost: !mayStillArrive && isNoneRestorable(plan.before, all),
  };
}

/**
 * Reads what can still be known of the calls that were sent, and of what another session set.
 * @param {ChangeRun} changeRun @param {Error} error
 * @param {{ isUnknown: boolean, mayStillArrive: boolean }} call
 */
async function learnLast(changeRun, error, { isUnknown, mayStillArrive }) {
  // A call to a process that has ended cannot arrive any more.
  if (isUnknown && !mayStillArrive) changeRun.countUnanswered();
  if (!mayStillArrive && !isAway(error)) await checkOnceMore(changeRun);
}

/**
 * @param {ChangeRun} changeRun @param {Change} perhaps the settings that may have been set besides
 * @returns {string | null} null where it would overwrite what other sessions set
 */
function plainUndoCall({ id, plan, settings, sent, external }, perhaps) {
  const change = { ...sent, ...perhaps };
  if (external.some(({ values }) => sets(values.config, change))) return null;
  const undone = settings.entries.find((entry) => entry.id === plan.undoes);
  const planned = { ...plan, change, before: pick(plan.before, settingsOf(change)) };
  const force = needsForce(planned, settings, { wasForced: undone?.force });
  return callText('undo', id, { confirm: true, force });
}

/** @param {Change} all @param {Change} over the settings that ended a part of it */
function splitByOwner(all, over) {
  const of = (/** @type {boolean} */ isOver) =>
    pick(
      all,
      settingsOf(all).filter((setting) => (over[setting] !== undefined) === isOver),
    );
  return { sent: of(false), gone: of(true) };
}

/**
 * Says whether no undo can be offered: an undo takes what WiredTiger applied of a refused call for
 * another session's.
 * @param {ChangeRun} changeRun @param {Error} error
 */
const isUnclear = ({ hasLogGap }, error) => hasLogGap || isCode(error, 'TUNE-30005');

/** Says whether an undo has nothing to set. @param {Change} before @param {Change} sent */
function isNoneRestorable(before, sent) {
  const { unknown, blocked } = notRestorable(before, sent);
  return settingsOf(sent).length > 0 && unknown.length + blocked.length === settingsOf(sent).length;
}

/** Milliseconds for an answer: a server that still runs answers in milliseconds. */
const ASK_MS = 5000;

/**
 * @param {ChangeRun} changeRun
 * @param {Error & { restarted?: boolean }} error
 * @param {boolean} isUnknown whether the outcome of the last call is unknown
 * @returns {Promise<Answerer>} the server is asked only where the error leaves it open
 */
async function answererAfter({ ctx, settings, sent }, error, isUnknown) {
  if (error.restarted === true) return 'restarted';
  if (!isAway(error) || !(isUnknown || settingsOf(sent).length > 0)) return 'same';
  return withTimeout(() => checkServer(ctx, settings), ASK_MS, ctx.signal).then(
    () => 'same',
    (cause) => (cause.restarted === true ? 'restarted' : 'away'),
  );
}

/** @param {Error} error */
const isAway = (error) => isCode(error, 'TUNE-20006') || isCode(error, 'TUNE-20010');

/**
 * Checks for external changes since the last check; if the log cannot be read, the known ones
 * count.
 * @param {ChangeRun} changeRun
 */
async function checkOnceMore(changeRun) {
  if (settingsOf(changeRun.sent).length > 0) await recordExternal(changeRun).catch(() => undefined);
}

/** @param {Error} error @param {End} end @returns {Outcome} */
function outcomeOf(error, { open, sent, gone }) {
  if (open) return 'unknown';
  const some = settingsOf(sent).length + settingsOf(gone).length > 0;
  return some || isCode(error, 'TUNE-30009') ? 'interrupted' : 'refused';
}

/**
 * @param {ChangeRun} changeRun
 * @param {Error} error
 * @returns {Promise<boolean>} whether the outcome of the last call is unknown
 */
async function isOutcomeUnknown(changeRun, error) {
  if (isCode(error, 'TUNE-30005')) return /** @type {any} */ (error).isAnswered !== true;
  if (changeRun.unansweredCall === null || isAnswer(error)) return false;
  const call = changeRun.unansweredCall;
  const times = await arrived(changeRun, call);
  if (times === null) return true;
  // Only the log has what another session set just before it.
  await recordAfterwards(changeRun);
  changeRun.accepted(call.step, { ...times, was: changeRun.stringBefore, askedAtMs: call.atMs });
  return false;
}

/** Says whether the server refused the call, or was never asked. @param {Error} error */
const isAnswer = (error) =>
  error instanceof TuneError && !isCode(error, 'TUNE-20006') && !isCode(error, 'TUNE-30009');

/**
 * @param {ChangeRun} changeRun @param {UnansweredCall} call
 * @returns {Promise<CallTimes | null>} null: the server does not show the call
 */
async function arrived({ ctx, settings }, { step, atMs, sentAtMs }) {
  try {
    await checkServer(ctx, settings);
    if ((await readLastString(ctx.port)) !== step.config) return null;
    const passedMs = performance.now() - sentAtMs;
    return betweenClocks(atMs, passedMs, Date.now() + (await checkServer(ctx, settings)));
  } catch {
    // The connection is lost: the outcome stays unknown.
    return null;
  }
}

/**
 * Rolls back the groups sent before a refused one, so that no change is half made.
 * @param {ChangeRun} changeRun
 * @param {Error} error the error that ended the change
 * @param {(steps: Step[]) => Promise<boolean>} go sends the steps, and returns whether all is read
 *   back as sent
 * @returns {Promise<Error>} the last error: that one, or the error of the rollback
 */
async function rollBack(changeRun, error, go) {
  const { plan, settings, sent, ctx } = changeRun;
  if (!isRefusal(error) || settingsOf(sent).length === 0) return error;
  const { unknown: notKnown, blocked } = notRestorable(plan.before, sent);
  const unknown = [...notKnown, ...blocked];
  const back = pick(plan.before, settingsOf(without(sent, unknown)));
  try {
    const { counters } = await takeSample(ctx.port);
    const steps = makeSteps({ ...configuredValues(settings), ...sent }, back, levelsOf(counters));
    const isVerified = await go(unlikeSteps(steps, knownNow(changeRun)));
    forgetBack(changeRun, back);
    if (unknown.length > 0) throw notKnownBefore(unknown);
    const doubt = isVerified ? '' : ', but reading it back shows another value';
    const words = `The settings of the calls before it were undone: ${showChange(back)}${doubt}.`;
    Object.assign(error, { message: `${error.message} ${words}`, rolledBack: back });
    return error;
  } catch (cause) {
    const failure = /** @type {Error} */ (cause);
    const words = `The settings of the calls before it could not be undone: ${failure.message}`;
    Object.assign(error, { message: `${error.message} ${words}`, rolledBack: null });
    return failure;
  }
}

/**
 * Says what cannot be restored although all calls were answered: only some settings have no known
 * former value.
 * @param {readonly string[]} unknown
 */
const notKnownBefore = (unknown) =>
  Object.assign(
    new TuneError('TUNE-30005', `The value before is unknown: ${unknown.join(', ')}.`, {
      value: unknown,
    }),
    { isAnswered: true },
  );

/**
 * Removes the restored settings from the change: they are no part of it any more.
 * @param {ChangeRun} changeRun @param {Change} back
 */
function forgetBack({ sent }, back) {
  for (const setting of settingsOf(sent)) if (sent[setting] === back[setting]) delete sent[setting];
}

module.exports = { abortedError, rollBack };
