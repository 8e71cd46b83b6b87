'use strict';

const { judgeTrial } = require('./pure/judge');
const { judgeTripped } = require('./pure/judge-tripped');
const { showChange } = require('../config/change');
const { mapServerError } = require('../base/server-errors');
const { close } = require('../change/work');
const { isVerified } = require('../change/carry-out');
const { moveTo, lastSwitch } = require('./switch');
const { backToA } = require('./back-to-a');
const { EarlyEnd } = require('./early-end');

/**
 * @typedef {import('./experiment').Trial} Trial
 * @typedef {'if-better' | 'never'} Keep
 * @typedef {import('./pure/judge').TrialJudgement & { kept: boolean, inForce: 'A'
 *   | 'B' | null, verified: boolean | null, warnings: string[] }} Conclusion `inForce`: null
 *   where somebody else, or a restart, decided that
 */

/**
 * Judges the blocks, leaves in force what is to stay, and closes the journal.
 * @param {Trial} trial @param {EarlyEnd | null} early @param {Keep} keep
 * @returns {Promise<Conclusion>}
 */
async function conclude(trial, early, keep) {
  const { blocks, spec, broken, work } = trial;
  const judged = broken
    ? judgeTripped(blocks, spec.metric, broken)
    : judgeTrial(blocks, spec.metric, early?.message ?? null);
  const { kept, problems, end } = isOthers(early)
    ? { kept: false, problems: [], end: early }
    : await settle(trial, keep === 'if-better' && judged.verdict === 'better');
  await lastSwitch(trial, { gone: isOthers(end) });
  const verified = isOthers(end) ? null : await readBack(trial);
  closeJournal(trial, end, { kept, verified, verdict: judged.verdict });
  return {
    ...judged,
    kept,
    inForce: sideInForce(end, kept),
    verified,
    warnings: [...unlike(work), ...problems, ...elsewhere(trial, end)],
  };
}

/**
 * The side whose settings are in force after the trial; null where another session set them.
 * @param {EarlyEnd | null} end
 * @param {boolean} kept
 */
function sideInForce(end, kept) {
  if (isOthers(end)) return null;
  return kept ? 'B' : 'A';
}

/** @param {Trial['work']} work @returns {string[]} what did not go as it was written down */
const unlike = ({ mismatches, overtaken, journalProblem, external }) => [
  ...mismatches.map((say) => `Not as sent: ${say}.`),
  ...(overtaken === null ? [] : [`Somebody else set "${overtaken}" just before the last switch.`]),
  ...external.flatMap(({ values }) =>
    values.overwritten
      ? [
          `The trial overwrote "${values.config}", which another session had set: ` +
            `tune.apply(${showChange(values.change)}) shows how to set it again.`,
        ]
      : [],
  ),
  ...(journalProblem === null ? [] : [journalProblem]),
];

/**
 * After a failover the connection reaches another member, and what is in force on the one of before
 * nobody here can change.
 * @param {Trial} trial
 * @param {EarlyEnd | null} early
 */
const elsewhere = ({ at, work: { id, settings } }, early) =>
  hasMoved(early) && at !== 'A'
    ? [
        `B may still be in force on ${settings.run.host}: connect to it with ` +
          `directConnection=true and type tune.undo("${id}", { confirm: true }).`,
      ]
    : [];

/** @param {EarlyEnd | null} early */
const hasMoved = (early) => early?.kind === 'gone' && !/restarted/.test(early.message);

/** What is in force is not the trial's any more. @param {EarlyEnd | null} early */
const isOthers = (early) => early !== null && (early.stays || early.kind === 'gone');

/**
 * @param {Trial} trial
 * @param {boolean} wanted that B stays
 * @returns {Promise<{ kept: boolean, problems: string[], end: EarlyEnd | null }>} `end`: whose
 *   setting is in force, if not the trial's
 */
async function settle(trial, wanted) {
  try {
    if (!wanted) return leftIn(await backToA(trial, END), []);
    await moveTo(trial, 'B');
    return { kept: true, problems: [], end: null };
  } catch (cause) {
    if (!wanted) throw cause;
    return leftIn(await backToA(trial, cause instanceof EarlyEnd ? cause : END), [
      'B was better but could not be put into force again: ' +
        `${mapServerError(cause, 'setParameter').message}`,
    ]);
  }
}

/** @param {EarlyEnd} end @param {string[]} problems */
const leftIn = (end, problems) => ({
  kept: false,
  problems: [...problems, ...(isOthers(end) ? [end.message] : [])],
  end,
});

/** The ordinary end of a trial is no error, but goes the same way back. */
const END = new EarlyEnd('load', 'The trial is over.');

/** @param {Trial} trial @returns {Promise<boolean | null>} */
async function readBack(trial) {
  try {
    return trial.at === null ? null : await isVerified(trial.work, trial.steps);
  } catch (_gone) {
    return null;
  }
}

/**
 * @param {Trial} trial
 * @param {EarlyEnd | null} early
 * @param {{ kept: boolean, verified: boolean | null, verdict: string }} end
 */
function closeJournal({ at, work, spec }, early, { kept, verified, verdict }) {
  // Another server than the one that was changed: there B may be in force, and its entry stays
  // open.
  if (hasMoved(early) && at !== 'A') return;
  if (early?.stays)
    return close(work, { outcome: 'interrupted', after: null, verified, reason: early.message });
  const reason =
    `the trial said ${verdict}; ` +
    `${kept ? 'its setting was kept' : 'the setting before it is in force'}`;
  close(work, {
    outcome: kept ? 'applied' : 'undone',
    after: kept ? spec.B : null,
    verified,
    reason,
  });
}

module.exports = { conclude };
