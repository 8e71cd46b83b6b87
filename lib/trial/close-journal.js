'use strict';

const { settingsOf } = require('../config/change');
const { withoutForeign } = require('./pure/foreign');

/**
 * @import { TrialResult } from '../change/pure/journal'
 * @import { TrialRun } from './trial-run'
 */

/**
 * What became of a trial, as far as it is certain.
 * @param {TrialRun} trial
 * @param {{
 *   kept?: boolean, verified: boolean | null, reason: string, result?: TrialResult
 * }} end
 */
function closeJournal(trial, { kept = false, verified, reason, result }) {
  const { changeRun, spec, foreign } = trial;
  const mayArrive = changeRun.lateCalls.length > 0 || changeRun.unansweredCall !== null;
  if (mayArrive || (isBlocked(trial) && !kept)) return leaveOpen(trial, reason);
  // Nothing of it came back where all of it is theirs.
  const isForeign = settingsOf(withoutForeign(spec.B, foreign)).length === 0;
  const outcome = isForeign ? 'interrupted' : 'undone';
  changeRun.close({
    outcome: kept ? 'applied' : outcome,
    after: kept ? spec.B : null,
    verified,
    reason,
    ...(result && { result }),
  });
}

/** @param {TrialRun} trial @returns {boolean} B is or may be effective, and A was not restored */
const isBlocked = ({ blocked, at, landed }) => blocked !== null && (at !== 'A' || landed);

/**
 * The trial is over, and something of it may be in effect: an undo goes back.
 * @param {{ changeRun: TrialRun['changeRun'] }} trial
 * @param {string} reason
 */
function leaveOpen({ changeRun }, reason) {
  changeRun.close({ outcome: 'unknown', after: null, verified: null, reason });
}

module.exports = { closeJournal, leaveOpen, isBlocked };
