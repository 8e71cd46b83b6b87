'use strict';

const { judgeTrial, judgeTripped } = require('./pure/judge');
const { showChange } = require('../config/change');
const { mapServerError } = require('../base/server-errors');
const { isVerified } = require('../change/apply-plan');
const { switchTo, lastSwitch } = require('./switch');
const { restoreA, sayExternal, sayLost, sayNotRestored, undoCall } = require('./restore-a');
const { closeJournal, closeAsUnknown } = require('./close-journal');
const { externalEnd } = require('./external-end');
const { EarlyEnd } = require('./early-end');
const { quoteConfig } = require('../config/engine-config');

/**
 * @import { TrialRun } from './trial-run'
 * @import { TrialJudgement } from './pure/types'
 */

/**
 * @typedef {'if-better' | 'never'} Keep
 * @typedef {TrialJudgement & { kept: boolean, effective: 'A'
 *   | 'B' | null, verified: boolean | null, warnings: string[] }} Conclusion `effective`: null
 *   where another session, or a restart, decided that
 */

/**
 * Judges the blocks, leaves the chosen setting in effect, and closes the journal.
 * @param {TrialRun} trial @param {EarlyEnd | null} early @param {Keep} keep
 * @returns {Promise<Conclusion>}
 */
async function conclude(trial, early, keep) {
  const { blocks, spec, broken, changeRun } = trial;
  const judged = broken
    ? judgeTripped(blocks, spec.metric, broken)
    : judgeTrial(blocks, spec.metric, early?.message ?? null);
  const { kept, problems, end } = await applyFinalSide(trial, early, {
    wanted: keep === 'if-better' && judged.verdict === 'better',
  });
  const isSure = !isExternalEnd(end) && changeRun.lateCalls.length === 0;
  const verified = isSure ? await readBack(trial) : null;
  inJournal(trial, end, { kept, verified, judged });
  return {
    ...judged,
    kept,
    effective: activeSideAfter(end, kept),
    verified,
    warnings: [
      ...unlike(changeRun),
      ...problems,
      ...(kept ? [] : sayExternal(trial)),
      ...sayLost(trial),
      ...(kept ? [] : sayNotRestored(trial)),
      ...elsewhere(trial, end),
    ],
  };
}

/**
 * @typedef {{ kept: boolean, problems: string[], end: EarlyEnd | null }} FinalSide `end`: why a
 *   setting that is not the trial's is in effect
 */

/**
 * @param {TrialRun} trial
 * @param {EarlyEnd | null} early
 * @param {{ wanted: boolean }} how `wanted`: B is to stay
 * @returns {Promise<FinalSide>}
 */
async function applyFinalSide(trial, early, { wanted }) {
  const left = isExternalEnd(early)
    ? { kept: false, problems: [], end: early }
    : await keepOrRestore(trial, wanted);
  await lastSwitch(trial, { gone: isExternalEnd(left.end) });
  return isExternalEnd(left.end) ? left : recheck(trial, left);
}

/**
 * Checks again after the last switch: meanwhile another session may set something, or a lost call
 * may arrive.
 * @param {TrialRun} trial
 * @param {FinalSide} left
 * @returns {Promise<FinalSide>}
 */
async function recheck(trial, { kept, problems, end }) {
  const seen = await externalEnd(trial).catch(() => null);
  // A late call is reverted first, also where another session has set something.
  if (trial.hasLateCall && !kept) {
    const again = await keepOrRestore(trial, false);
    const endLeft = seen?.leavesExternal && !isExternalEnd(again.end) ? seen : again.end;
    return { ...again, problems: [...problems, ...again.problems], end: endLeft };
  }
  return seen?.leavesExternal
    ? { kept, problems: [...problems, seen.message], end: seen }
    : { kept, problems, end };
}

/**
 * Returns the side whose settings are in effect after the trial; null where another session set
 * them.
 * @param {EarlyEnd | null} end
 * @param {boolean} kept
 */
function activeSideAfter(end, kept) {
  if (isExternalEnd(end)) return null;
  return kept ? 'B' : 'A';
}

/**
 * @param {TrialRun['changeRun']} changeRun
 * @returns {string[]} what differed from the plan in the journal
 */
const unlike = ({ mismatches, externalBeforeCall, journalProblem, external }) => [
  ...mismatches.map((say) => `Not as sent: ${say}.`),
  ...(externalBeforeCall === null
    ? []
    : [`Another session set ${quoteConfig(externalBeforeCall)} just before the last switch.`]),
  ...external.flatMap(({ values }) =>
    values.overwritten
      ? [
          `The trial overwrote ${quoteConfig(values.config)}, which another session had set: ` +
            `tune.apply(${showChange(values.change)}) shows how to set it again.`,
        ]
      : [],
  ),
  ...(journalProblem === null ? [] : [journalProblem]),
];

/**
 * Says whether another member answers: after a failover this shell cannot change what is effective
 * on the former one.
 * @param {TrialRun} trial
 * @param {EarlyEnd | null} early
 */
const elsewhere = (trial, early) =>
  hasMoved(early) && trial.activeSide !== 'A'
    ? [
        `B may still be in effect on ${trial.changeRun.settings.run.host}: connect to it with ` +
          `directConnection=true and type ${undoCall(trial).undo}.`,
      ]
    : [];

/** @param {EarlyEnd | null} early */
const hasMoved = (early) => early?.kind === 'gone' && !early.restarted;

/**
 * Says whether the settings in effect are not the trial's any more.
 * @param {EarlyEnd | null} early
 */
const isExternalEnd = (early) => early !== null && (early.leavesExternal || early.kind === 'gone');

/**
 * @param {TrialRun} trial
 * @param {boolean} wanted B is to stay
 * @returns {Promise<FinalSide>}
 */
async function keepOrRestore(trial, wanted) {
  try {
    if (!wanted) return finalSideAfter(await restoreA(trial, END), []);
    await switchTo(trial, 'B');
    return { kept: true, problems: [], end: null };
  } catch (cause) {
    if (!wanted) throw cause;
    return finalSideAfter(await restoreA(trial, cause instanceof EarlyEnd ? cause : END), [
      'B was better but could not be set again: ' +
        `${mapServerError(cause, 'setParameter').message}`,
    ]);
  }
}

/** @param {EarlyEnd} end @param {string[]} problems */
const finalSideAfter = (end, problems) => ({
  kept: false,
  problems: [...problems, ...(isExternalEnd(end) ? [end.message] : [])],
  end,
});

/** The ordinary end of a trial is no error, but restores A in the same way. */
const END = new EarlyEnd('load', 'The trial is over.');

/** @param {TrialRun} trial @returns {Promise<boolean | null>} */
async function readBack(trial) {
  try {
    return trial.activeSide === null ? null : await isVerified(trial.changeRun, trial.steps);
  } catch (_gone) {
    return null;
  }
}

/**
 * @param {TrialRun} trial
 * @param {EarlyEnd | null} early
 * @param {{ kept: boolean, verified: boolean | null, judged: TrialJudgement }} end
 */
function inJournal(trial, early, { kept, verified, judged }) {
  // Another server than the changed one answers: B may be in effect there, and its entry stays
  // open.
  if (hasMoved(early) && trial.activeSide !== 'A')
    return closeAsUnknown(trial, /** @type {EarlyEnd} */ (early).message);
  const said = early?.leavesExternal
    ? early.message
    : `result of the trial: ${judged.verdict}; ` +
      `${kept ? 'its setting was kept' : 'the setting before the trial is active'}`;
  const lost =
    trial.changeRun.lateCalls.length > 0 ? '; a call that was not answered may still arrive' : '';
  const { verdict, ratio, low, high } = judged;
  closeJournal(trial, {
    kept,
    verified,
    reason: `${said}${lost}`,
    result: { verdict, metric: trial.spec.metric, ratio, low, high, expected: trial.expected },
  });
}

module.exports = { conclude };
