'use strict';

const { TuneError, isCode } = require('../base/pure/errors');
const { mapServerError, isRefusal } = require('../base/server-errors');
const { restoreWords, undoCallFor } = require('../change/threshold-conflict');
const { pick, settingsOf, showChange } = require('../config/change');
const { EarlyEnd, earlyEndOf } = require('./early-end');
const { activeSentence, externalSentence } = require('./pure/external-settings');
const { SWITCH_SECONDS } = require('./pure/ramp-estimate');
const { switchBack } = require('./switch');
const { externalEnd } = require('./external-end');
const { closeJournal, closeAsUnknown, isNotRestored } = require('./close-journal');
const { quoteConfig } = require('../config/engine-config');

/**
 * @import { EndKind } from './early-end'
 * @import { TrialRun } from './trial-run'
 */

/**
 * Tries over a lost connection, which returns within seconds, if at all: after an election, or
 * through a proxy.
 */
const TRIES = 3;
const PAUSE_MS = 2000;

/**
 * Restores A after an early end; where that fails, the error names the undo call.
 * @param {TrialRun} trial @param {Error} error the error that ended the trial
 * @returns {Promise<EarlyEnd>}
 * @throws {TuneError} the error that ended the trial, where the user must see it
 */
async function restoreA(trial, error) {
  noteRefusal(trial, error);
  const early = await externalFirst(trial, earlyEndOf(error));
  if (early?.kind === 'gone') return early;
  const end = endWithoutRestore(early, await tryRestore(trial, early, error));
  if (end !== null) return end;
  if (trial.broken) trial.broken.backMs ??= performance.now() - trial.broken.atMs;
  if (early === null) throw failed(trial, error);
  return hasExternal(trial) && !early.leavesExternal ? withExternal(trial, early) : early;
}

/**
 * Notes that nothing was changed, where the server itself refused the first switch, or it was never
 * sent.
 * @param {TrialRun} trial @param {Error} error
 */
function noteRefusal(trial, error) {
  const { sent, sentCalls, unansweredCall, lateCalls } = trial.changeRun;
  const isUnsent = sentCalls.length === 0 && unansweredCall === null && lateCalls.length === 0;
  if ((isRefusal(error) || isUnsent) && settingsOf(sent).length === 0) trial.settleAtA();
}

/**
 * Handles what another session has set of the same settings first: it counts neither as A nor as B,
 * and is not overwritten; it may be what broke a limit.
 * @param {TrialRun} trial
 * @param {EarlyEnd | null} early
 * @returns {Promise<EarlyEnd | null>}
 */
async function externalFirst(trial, early) {
  if (early?.leavesExternal || early?.kind === 'gone') return early;
  const disturbed = await externalEnd(trial).catch(() => null);
  if (disturbed === null || early === null) return early;
  // While A is in effect, another session's settings end nothing.
  if (trial.activeSide === 'A' && !disturbed.leavesExternal) return early;
  if (trial.broken) disturbed.message += ' A limit of the guardrail was exceeded then.';
  trial.excuseB();
  return disturbed;
}

/**
 * @param {TrialRun} trial
 * @param {EarlyEnd | null} early
 * @param {Error} error
 * @returns {Promise<EarlyEnd | null>} the end, where there is nothing to restore
 */
async function tryRestore(trial, early, error) {
  const longestSeconds = LONGEST_SECONDS[early?.kind ?? 'load'] ?? SWITCH_SECONDS.longestRamp;
  try {
    await withRetries(() => switchBack(trial, { longestSeconds }));
    return null;
  } catch (cause) {
    const found = earlyEndOf(mapServerError(cause, 'setParameter'));
    if (found?.kind === 'gone' || found?.leavesExternal) return found;
    throw stranded(trial, early ?? error, /** @type {Error} */ (cause));
  }
}

/**
 * Longest time of the steps down, in seconds, before the rest is set at once. After Ctrl-C the
 * shell waits for a minute; B does harm while the guardrail restores A; and a level that did not
 * fall for a minute will not in another.
 */
const LONGEST_SECONDS = Object.freeze(
  /** @type {{ [kind in EndKind]?: number }} */ ({ interrupted: 20, guardrail: 10, level: 10 }),
);

/** @param {() => Promise<void>} act */
async function withRetries(act) {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await act();
    } catch (error) {
      if (left === 0 || !isLost(error)) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, PAUSE_MS);
      });
    }
  }
}

/** @param {unknown} error */
const isLost = (error) => isCode(mapServerError(error, 'setParameter'), 'TUNE-20006');

/** @param {TrialRun} trial @param {Error} why @param {Error} cause @returns {TuneError} */
function stranded(trial, why, cause) {
  const { id } = trial.changeRun;
  const { undo, over } = undoCall(trial);
  const end = isCode(cause, 'TUNE-30009')
    ? 'Ctrl-C ended the way back, too.'
    : `restoring the settings before it failed: ${cause.message}`;
  const say = `The trial ended (${why.message.replace(/\.$/, '')}), and ${end} ${sayActive(trial)}`;
  closeAsUnknown(trial, say);
  return new TuneError(
    'TUNE-30010',
    `${say} ${undo} restores the settings before the trial${over}.`,
    { cause, id, undo, value: id },
  );
}

/**
 * @param {TrialRun} trial @returns {string} which settings are in effect where A was not restored
 */
function sayActive({ spec, changeRun: { sent, unansweredCall, lateCalls } }) {
  const open = unansweredCall ?? lateCalls.at(-1);
  return open
    ? `Whether ${quoteConfig(open.step.config)} is active is not known: tune.settings() shows it.`
    : `Active when the server last answered: ${showChange(pick(sent, settingsOf(spec.B)))}.`;
}

/**
 * @param {EarlyEnd | null} early the end of the trial
 * @param {EarlyEnd | null} gone the reason why A was not restored
 * @returns {EarlyEnd | null} null: A was restored, or the user must see the error that ended the
 *   trial
 */
function endWithoutRestore(early, gone) {
  if (gone === null || gone.kind === 'gone') return gone;
  if (early === null) return null;
  const words = early.message.includes(gone.message)
    ? early.message
    : `${early.message} ${gone.message}`;
  return new EarlyEnd(early.kind, words, { leavesExternal: true });
}

/**
 * @param {TrialRun} trial
 * @param {Error} error the error that the user must see
 */
function failed(trial, error) {
  const { changeRun } = trial;
  closeJournal(trial, { verified: null, reason: error.message });
  const words = [
    ...sayExternal(trial),
    ...sayLost(trial),
    ...sayNotRestored(trial),
    ...changeRun.mismatches.map((say) => `Not as before: ${say}.`),
  ];
  return Object.assign(error, {
    message: [
      error.message,
      ...(words.length > 0 ? words : ['The settings are as before the trial.']),
    ].join(' '),
    id: changeRun.id,
    undo: changeRun.lateCalls.length > 0 || isNotRestored(trial) ? undoCall(trial).undo : null,
  });
}

/** @param {TrialRun} trial */
const hasExternal = ({ externalSettings }) => settingsOf(externalSettings).length > 0;

/**
 * Adds what another session set while A was being restored.
 * @param {TrialRun} trial
 * @param {EarlyEnd} early
 */
function withExternal({ changeRun, externalSettings }, { kind, message }) {
  const configs = changeRun.external.flatMap(({ values }) =>
    values.overwritten ? [] : [values.config],
  );
  return new EarlyEnd(kind, `${message} ${externalSentence(configs, externalSettings)}`, {
    leavesExternal: true,
  });
}

/** @param {TrialRun} trial @returns {{ undo: string, over: string }} `over`: begins with ", and" */
function undoCall({ changeRun, restoreFailure }) {
  const { undo, over } = undoCallFor(changeRun, restoreFailure?.force);
  return { undo, over: over === '' ? '' : `, and ${over}` };
}

/** @param {TrialRun} trial @returns {string[]} the settings in effect that other sessions set */
function sayExternal(trial) {
  const { spec, externalSettings, restoreFailure } = trial;
  const left = isNotRestored(trial) ? (restoreFailure?.left ?? settingsOf(spec.A)) : null;
  return activeSentence(spec.A, externalSettings, left);
}

/**
 * @param {TrialRun} trial
 * @returns {string[]} the sentences about settings of A that were not restored
 */
function sayNotRestored(trial) {
  const { restoreFailure, changeRun } = trial;
  if (!isNotRestored(trial)) return [];
  if (restoreFailure?.conflict)
    return [
      `${restoreFailure.left?.join(', ')}: ${restoreWords(changeRun, restoreFailure.conflict)}`,
    ];
  const { undo, over } = undoCall(trial);
  return [
    'The settings before the trial were not restored: tune.settings() shows the ' +
      `active ones; ${undo} reverts the trial${over}.`,
  ];
}

/** @param {TrialRun} trial @returns {string[]} the sentences about calls that may still arrive */
function sayLost(trial) {
  const { undo, over } = undoCall(trial);
  return trial.changeRun.lateCalls.map(
    ({ step }) =>
      `The call that sets ${quoteConfig(step.config)} was not answered and may still arrive: ` +
      `check tune.settings() later; ${undo} reverts it${over}.`,
  );
}

module.exports = { restoreA, sayExternal, sayLost, sayNotRestored, undoCall };
