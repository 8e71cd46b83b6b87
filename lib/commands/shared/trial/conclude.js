'use strict';

const { judgeTrial } = require('../../../diagnose/trial/judge');
const { judgeTripped } = require('../../../diagnose/trial/judge-tripped');
const { mapServerError } = require('../../../server-errors');
const { close } = require('../work');
const { isVerified } = require('../carry-out');
const { moveTo } = require('./switch');
const { backToA } = require('./back-to-a');

/**
 * @typedef {import('./experiment').Trial} Trial
 * @typedef {import('./early-end').EarlyEnd} EarlyEnd
 * @typedef {'if-better' | 'never'} Keep
 * @typedef {import('../../../diagnose/trial/judge').TrialJudgement & { kept: boolean, inForce: 'A' | 'B' | null, verified: boolean | null, warnings: string[] }} Conclusion `inForce`: null
 *   where somebody else, or a restart, decided that
 */

/**
 * Judges the blocks, leaves in force what is to stay, and closes the journal.
 * @param {Trial} trial @param {EarlyEnd | null} early @param {Keep} keep
 * @returns {Promise<Conclusion>}
 */
async function conclude(trial, early, keep) {
  const { blocks, spec, broken, work } = trial;
  const judged = broken ? judgeTripped(blocks, spec.metric, broken) : judgeTrial(blocks, spec.metric, early?.message ?? null);
  const { kept, problems } = isOthers(early) ? { kept: false, problems: [] } : await settle(trial, keep === 'if-better' && judged.verdict === 'better');
  const verified = isOthers(early) ? null : await readBack(trial);
  closeJournal(trial, early, { kept, verified, verdict: judged.verdict });
  const unlike = work.mismatches.map((say) => `Not as sent: ${say}.`);
  return { ...judged, kept, inForce: isOthers(early) ? null : kept ? 'B' : 'A', verified, warnings: [...unlike, ...problems, ...elsewhere(trial, early), ...(work.journalProblem === null ? [] : [work.journalProblem])] };
}

/** After a failover the connection reaches another member, and what is in force on the one of before nobody here can change. @param {Trial} trial @param {EarlyEnd | null} early */
const elsewhere = ({ work: { id, settings } }, early) => (hasMoved(early) ? [`B may still be in force on ${settings.run.host}: connect to it with directConnection=true and type tune.undo("${id}", { confirm: true }).`] : []);

/** @param {EarlyEnd | null} early */
const hasMoved = (early) => early?.kind === 'gone' && !/restarted/.test(early.message);

/** What is in force is not the trial's any more. @param {EarlyEnd | null} early */
const isOthers = (early) => early !== null && (early.stays || early.kind === 'gone');

/** @param {Trial} trial @param {boolean} wanted that B stays @returns {Promise<{ kept: boolean, problems: string[] }>} */
async function settle(trial, wanted) {
  try {
    if (wanted) await moveTo(trial, 'B');
    else await backToA(trial, END);
    return { kept: wanted, problems: [] };
  } catch (cause) {
    if (!wanted) throw cause;
    await backToA(trial, END);
    return { kept: false, problems: [`B was better but could not be put into force again: ${mapServerError(cause, 'setParameter').message}`] };
  }
}

/** The ordinary end of a trial is no error, but goes the same way back. */
const END = Object.assign(new (require('./early-end').EarlyEnd)('load', 'The trial is over.'));

/** @param {Trial} trial @returns {Promise<boolean | null>} */
async function readBack(trial) {
  try {
    return trial.at === null ? null : await isVerified(trial.work, trial.steps);
  } catch (_gone) {
    return null;
  }
}

/** @param {Trial} trial @param {EarlyEnd | null} early @param {{ kept: boolean, verified: boolean | null, verdict: string }} end */
function closeJournal({ work, spec }, early, { kept, verified, verdict }) {
  // Another server than the one that was changed: there B may be in force, and its entry stays open.
  if (hasMoved(early)) return;
  if (early?.stays) return close(work, { outcome: 'interrupted', after: null, verified, reason: early.message });
  const reason = `the trial said ${verdict}; ${kept ? 'its setting was kept' : 'the setting before it is in force'}`;
  close(work, { outcome: kept ? 'applied' : 'undone', after: kept ? spec.B : null, verified, reason });
}

module.exports = { conclude };
