'use strict';

const { mapServerError } = require('../base/server-errors');
const { settingsOf, pick, without } = require('../config/change');
const { TuneError } = require('../base/pure/errors');
const {
  conflictNow,
  conflictWith,
  firstWords,
  inOrderWith,
  restoreWords,
  undoCallFor,
} = require('../change/threshold-conflict');
const { activeExternal, recordExternal, refuseGap } = require('../change/external-change');
const { externalWords } = require('../change/pure/external-words');
const { closeAsUnknown } = require('../trial/close-journal');

/**
 * @import { SetStep, ChangeRun } from '../change/change-run'
 * @import { SettingName, Change } from '../base/types'
 * @import { OrderConflict } from '../change/threshold-conflict'
 * @import { Left } from './step-sequence'
 */

/**
 * @typedef {{
 *   kept: boolean, failure: Error | null, left: SettingName[], conflict: OrderConflict | null
 * }} End `failure`: why it was not kept; `left`, `conflict`: what was not restored, and why
 */

/**
 * The end of a sequence of steps: which settings stay, and which are restored beside what other
 * sessions set meanwhile.
 */

/**
 * Sets what the sequence ends with. It overwrites nothing that another session sets on the way, and
 * keeps no steps beside it. Steps that cannot be kept whole are all reverted.
 * @param {ChangeRun} changeRun
 * @param {{
 *   before: Change, keep: Change | null, go(wanted: Change, wait?: boolean): Promise<void>
 * }} how `keep`: the settings to keep; null: revert the steps
 * @returns {Promise<End>}
 */
async function endAt(changeRun, { before, keep, go }) {
  changeRun.guardCalls({ beforeCall: (step) => refuseForeign(changeRun, step) });
  /** @type {Error | null} */ let failure = null;
  for (;;) {
    const foreign = await findForeign(changeRun);
    const isKept = keep !== null && failure === null && foreign.length === 0;
    // The user wants the steps reverted from here on; Ctrl-C only ends the waits.
    if (!isKept) changeRun.startWayBack();
    const { rest, ...end } = isKept
      ? { rest: keep, left: [], conflict: null }
      : inOrderWith(changeRun, without(before, foreign));
    try {
      await go(rest).catch((cause) =>
        isKept || cause.code !== 'TUNE-30003' ? Promise.reject(cause) : go(rest, false),
      );
      return { kept: isKept, failure, ...end };
    } catch (cause) {
      if (await isAnother(changeRun, { foreign, rest, isKept, cause })) continue;
      if (!isKept) throw cause;
      failure = mapServerError(cause, 'setParameter', changeRun.ctx.signal);
    }
  }
}

/**
 * @param {ChangeRun} changeRun
 * @param {{ foreign: SettingName[], rest: Change, isKept: boolean, cause: any }} tried
 * @returns {Promise<boolean>} whether the end has to be planned again
 */
async function isAnother(changeRun, { foreign, rest, isKept, cause }) {
  if ((await hasArrived(changeRun)) || isNewForeign(changeRun, foreign, cause)) return true;
  return !isKept && cause.code === 'TUNE-30002' && inOrderWith(changeRun, rest).left.length > 0;
}

/**
 * @param {ChangeRun} changeRun
 * @returns {Promise<boolean>} whether the server shows a call whose answer was lost
 */
async function hasArrived(changeRun) {
  if (changeRun.unansweredCall === null) return false;
  await recordExternal(changeRun).catch(() => undefined);
  return changeRun.unansweredCall === null;
}

/**
 * @param {ChangeRun} changeRun
 * @param {readonly SettingName[]} known
 * @param {any} cause
 * @returns {boolean} whether the call failed because of a setting that another session set
 *   meanwhile and that is known now
 */
const isNewForeign = (changeRun, known, { code }) =>
  code === 'TUNE-30006' &&
  !changeRun.hasLogGap &&
  externalNames(changeRun).some((setting) => !known.includes(setting));

/**
 * Closes the entry of the journal.
 * @param {ChangeRun} changeRun
 * @param {End & { after: Change, verified: boolean | null }} end
 * @returns {Left}
 */
function endOf(changeRun, { kept, failure, left, conflict, after, verified }) {
  if (changeRun.lateCalls.length > 0 || changeRun.unansweredCall !== null)
    return leftOpen(changeRun, kept);
  if (conflict !== null) return leftOutOfOrder(changeRun, conflict, left);
  const foreign = externalNames(changeRun);
  if (foreign.length > 0) return leftToThem(changeRun, foreign);
  return closed(changeRun, { kept, failure, after, verified });
}

/**
 * @param {ChangeRun} changeRun
 * @param {{ kept: boolean, failure: Error | null, after: Change, verified: boolean | null }} end
 * @returns {Left}
 */
function closed(changeRun, { kept, failure, after, verified: isAsSent }) {
  const against = sayNow(changeRun);
  const verified = against === null ? isAsSent : false;
  const as = kept
    ? 'the steps were kept'
    : 'the steps are over; the settings before them are active';
  changeRun.close({
    outcome: kept ? 'applied' : 'undone',
    after: kept ? after : null,
    verified,
    reason: against ?? as,
  });
  const { id, external: externalChanges } = changeRun;
  const ended = against === null ? notKept(failure) : disturbed(against);
  return { id, kept, verified, externalChanges, ...ended };
}

/** @param {string} because @returns {{ ended: 'disturbed', because: string }} */
const disturbed = (because) => ({ ended: 'disturbed', because });

/**
 * Names a contradiction also where nothing was left to send: another session may have set it just
 * before the last call.
 * @param {ChangeRun} changeRun
 * @returns {string | null} the settings that are active in a wrong order
 */
function sayNow(changeRun) {
  const conflict = conflictNow(changeRun);
  return conflict && `${conflict.say}. ${firstWords(conflict)}`;
}

/** @param {Error | null} failure @returns {Pick<Left, 'ended' | 'because'>} */
function notKept(failure) {
  if (failure === null) return {};
  const { code, message } = /** @type {TuneError} */ (failure);
  return code === 'TUNE-30009'
    ? { ended: 'interrupted', because: 'Ctrl-C came before the steps were active again.' }
    : { ended: 'failed', because: `The steps could not be kept: ${message}` };
}

/**
 * @param {ChangeRun} changeRun
 * @returns {SettingName[]} the settings of the steps that another session has set and that are
 *   active
 */
const externalNames = ({ external, plan }) =>
  settingsOf(pick(activeExternal(external), settingsOf(plan.change)));

/**
 * @param {ChangeRun} changeRun
 * @returns {Promise<SettingName[]>} see externalNames
 * @throws {TuneError} TUNE-30002, TUNE-30006 where nothing may be sent any more
 */
async function findForeign(changeRun) {
  await recordExternal(changeRun);
  refuseGap(changeRun);
  return externalNames(changeRun);
}

/**
 * Refuses a call at the end that would overwrite or contradict a setting of another session.
 * @param {ChangeRun} changeRun
 * @param {SetStep} step
 * @throws {TuneError} TUNE-30002, TUNE-30006
 */
async function refuseForeign(changeRun, { change }) {
  const foreign = await findForeign(changeRun);
  const conflict = conflictWith(changeRun, change);
  if (conflict !== null) throw new TuneError('TUNE-30002', `${conflict.say}.`, { value: change });
  if (foreign.some((setting) => change[setting] !== undefined))
    throw new TuneError('TUNE-30006', `Another session set ${foreign.join(', ')} during the run.`, {
      value: foreign,
    });
}

/**
 * Leaves the entry open, because a call that was not answered may still arrive.
 * @param {ChangeRun} changeRun @param {boolean} kept @returns {Left}
 */
function leftOpen(changeRun, kept) {
  const { id, external } = changeRun;
  const { undo, over } = undoCallFor(changeRun);
  const because =
    'A call that was not answered may still arrive: check tune.settings() later; ' +
    `${undo} reverts it${over === '' ? '' : `, and ${over}`}.`;
  closeAsUnknown({ changeRun }, because);
  return { id, kept, verified: null, externalChanges: external, ended: 'lost', because };
}

/**
 * Leaves the entry open where the settings before could not be restored: any shell can undo it.
 * @param {ChangeRun} changeRun
 * @param {Error} error
 * @returns {Left}
 * @throws {Error} with `id` and `undo`, unless a setting of another session prevents the restoring
 */
function stranded(changeRun, error) {
  const { code, restarted } = /** @type {TuneError & { restarted?: boolean }} */ (error);
  if (restarted) return endedByRestart(changeRun);
  const { undo, over } = undoCallFor(changeRun, code === 'TUNE-30006');
  const because =
    `The settings before the steps could not be restored: ${error.message} tune.settings() ` +
    `shows what is in effect; ${undo} restores them${over === '' ? '' : `, and ${over}`}.`;
  closeAsUnknown({ changeRun }, because);
  if (code !== 'TUNE-30006' && code !== 'TUNE-30002')
    throw Object.assign(error, { message: because, id: changeRun.id, undo });
  const { id, external: externalChanges } = changeRun;
  return { id, kept: false, verified: null, externalChanges, ...disturbed(because) };
}

/**
 * Closes the entry: the restart left nothing to undo.
 * @param {ChangeRun} changeRun
 * @returns {Left}
 */
function endedByRestart(changeRun) {
  const because = 'The server restarted, which reverted the settings of the steps.';
  changeRun.close({ outcome: 'undone', after: null, verified: null, reason: because });
  const { external: externalChanges } = changeRun;
  return { id: null, kept: false, verified: null, externalChanges, ended: 'failed', because };
}

/**
 * Leaves the entry open for an undo, because restoring would contradict a setting of another
 * session.
 * @param {ChangeRun} changeRun @param {OrderConflict} conflict @param {readonly SettingName[]} left
 * @returns {Left}
 */
function leftOutOfOrder(changeRun, conflict, left) {
  const { id, external: externalChanges } = changeRun;
  const because =
    `${conflict.say}: ${left.join(', ')} ${left.length === 1 ? 'was' : 'were'} not restored. ` +
    restoreWords(changeRun, conflict);
  closeAsUnknown({ changeRun }, because);
  return { id, kept: false, verified: null, externalChanges, ...disturbed(because) };
}

/**
 * Closes the entry and leaves in effect what another session set.
 * @param {ChangeRun} changeRun
 * @param {readonly string[]} foreign
 * @returns {Left}
 */
function leftToThem(changeRun, foreign) {
  const against = sayNow(changeRun);
  const because =
    `Another session set ${foreign.join(', ')} during the run: that stays, and the ` +
    `other settings were restored.${against === null ? '' : ` ${against}`}`;
  changeRun.close({ outcome: 'interrupted', after: null, verified: null, reason: because });
  const { external: externalChanges } = changeRun;
  return { id: null, kept: false, verified: null, externalChanges, ...disturbed(because) };
}

/**
 * @param {ChangeRun} changeRun
 * @returns {string[]} what differs from the plan
 */
const warningsOf = ({ mismatches, external, plan, journalProblem }) => [
  ...mismatches.map((say) => `Not as sent: ${say}.`),
  ...externalWords(external, plan.force === true),
  ...(journalProblem === null ? [] : [journalProblem]),
];

module.exports = { endAt, endOf, stranded, warningsOf };
