'use strict';

const { callText } = require('../base/pure/printable');
const { isCode } = require('../base/pure/errors');
const { settingsOf, without } = require('../config/change');
const { checkSafety } = require('../config/safety');
const { newConflicts, notRestorable } = require('../config/thresholds');
const { configuredValues, memoryToCheck } = require('./plan-change');

/**
 * @import { Done } from './apply-plan'
 * @import { ExternalChange } from './external-change'
 * @import { Planned } from './plan-change'
 * @import { Settings } from './types'
 */

/**
 * `settings`: before it; `wasForced`: what an undo undoes was made by force
 * @typedef {{
 *   done: Done | null, planned: Planned, settings: Settings, isUndo?: boolean, wasForced?: boolean
 * }} Made
 */

/**
 * Makes the undo call, as it would be typed after the change.
 * @param {Made} made
 * @returns {{ undo: string | null, undoWarning: string[] }}
 */
function undoCall(made) {
  const { change, before } = made.planned;
  if (settingsOf(change).length === 0 || settingsOf(before).length === 0) return NONE;
  const order = orderOfBefore(made.planned, made.settings);
  return order === null
    ? { undo: callOf(made), undoWarning: [] }
    : { undo: null, undoWarning: [`No undo can restore the settings before: ${order}.`] };
}

/** @param {Made} made */
function callOf({ done, planned, settings, isUndo, wasForced }) {
  const isRedoLater = Boolean(isUndo) && done === null;
  const isRefused = needsForce(planned, settings, { wasForced, isRedoLater });
  const options = { confirm: true, force: isRefused || hasOverwritten(done?.external ?? []) };
  if (isRedoLater) return callText('apply', planned.before, options);
  return done ? callText('undo', done.id, options) : callText('undo', options);
}

const NONE = Object.freeze({ undo: null, undoWarning: /** @type {string[]} */ ([]) });

/** @typedef {Pick<Planned, 'change' | 'before'>} ChangeAndBefore */
/**
 * @param {ChangeAndBefore} planned @returns {Planned['before']} the former values that an undo sets
 */
const restorable = ({ change, before }) => without(before, notRestorable(before, change).blocked);

/** @param {ChangeAndBefore} planned @param {Settings} settings @returns {import('../config/thresholds').Raw} */
const valuesAfter = ({ change }, settings) => ({ ...configuredValues(settings), ...change });

/**
 * @param {Planned} planned @param {Settings} settings
 * @returns {string | null} the wrong order that another session had set, and that force does not
 *   set
 */
function orderOfBefore(planned, settings) {
  const conflicts = newConflicts(valuesAfter(planned, settings), restorable(planned));
  return conflicts.find(({ kind }) => kind === 'order')?.say ?? null;
}

/**
 * @param {ChangeAndBefore} planned
 * @param {Settings} settings
 * @param {{ wasForced?: boolean, isRedoLater?: boolean }} [how] `isRedoLater`: an apply will set
 *   them
 * @returns {boolean} whether the values before are refused without force
 */
function needsForce(planned, settings, { wasForced = false, isRedoLater = false } = {}) {
  const history = { wasActive: !isRedoLater, journalOnly: !isRedoLater, checksLimit: wasForced };
  try {
    checkSafety({
      before: valuesAfter(planned, settings),
      change: restorable(planned),
      memoryBytes: memoryToCheck(settings, history),
      force: false,
      ...history,
    });
    return false;
  } catch (error) {
    return isCode(error, 'TUNE-30003');
  }
}

/**
 * @param {readonly ExternalChange[]} external
 * @returns {boolean} whether an undo is refused without force
 */
const hasOverwritten = (external) => external.some(({ values }) => values.overwritten);

module.exports = { undoCall, needsForce, orderOfBefore, hasOverwritten };
