'use strict';

const { settingsOf } = require('../config/change');
const { withoutExternal } = require('./pure/external-settings');

/**
 * @import { TrialResult } from '../change/pure/journal'
 * @import { TrialRun } from './trial-run'
 */

/**
 * Writes the end of a trial into the journal, as far as it is certain.
 * @param {TrialRun} trial
 * @param {{
 *   kept?: boolean, verified: boolean | null, reason: string, result?: TrialResult
 * }} end
 */
function closeJournal(trial, { kept = false, verified, reason, result }) {
  const { changeRun, spec, externalSettings } = trial;
  const mayArrive = changeRun.lateCalls.length > 0 || changeRun.unansweredCall !== null;
  if (mayArrive || (isNotRestored(trial) && !kept)) return closeAsUnknown(trial, reason);
  // No setting of A was restored where another session has set each of them.
  const isAllExternal = settingsOf(withoutExternal(spec.B, externalSettings)).length === 0;
  const outcome = isAllExternal ? 'interrupted' : 'undone';
  changeRun.close({
    outcome: kept ? 'applied' : outcome,
    after: kept ? spec.B : null,
    verified,
    reason,
    ...(result && { result }),
  });
}

/** @param {TrialRun} trial @returns {boolean} B is or may be effective, and A was not restored */
const isNotRestored = ({ restoreFailure, activeSide, hasLateCall }) =>
  restoreFailure !== null && (activeSide !== 'A' || hasLateCall);

/**
 * Closes the entry as `unknown`: a call may still be in effect, and an undo reverts it.
 * @param {{ changeRun: TrialRun['changeRun'] }} trial
 * @param {string} reason
 */
function closeAsUnknown({ changeRun }, reason) {
  changeRun.close({ outcome: 'unknown', after: null, verified: null, reason });
}

module.exports = { closeJournal, closeAsUnknown, isNotRestored };
