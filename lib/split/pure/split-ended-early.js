'use strict';

const { PHASE_TABLE } = require('./phase-table');

/**
 * @import { Row } from './types'
 */

/**
 * Says what happened and what to type where another session opened the other name by hand before it
 * had all writes: no command continues then.
 */

/**
 * Returns the name that was opened too early, that of its collection, and the one with the writes.
 * @param {Row} row
 */
const namesOf = ({ phase, from, into, renamedTo, stagingName }) =>
  PHASE_TABLE[phase].way === 'reverse'
    ? { opened: from, copy: renamedTo, written: into, what: 'rollback' }
    : { opened: into, copy: stagingName, written: from, what: 'cutover' };

/** @param {Row} row @returns {string | null} */
function endedEarly(row) {
  if (!row.endedEarly) return null;
  const { opened, copy, written } = namesOf(row);
  return row.endedEarly === 'both'
    ? `Another session renamed data of the split: ${written} and ${opened} both take writes.`
    : `Another session renamed ${copy} to ${opened} before it had all writes to ${written}.`;
}

/** @param {Row} row @returns {string | null} */
function adviceOfEarly(row) {
  if (row.unsaved) return adviceOfUnsaved(row);
  if (!row.endedEarly) return null;
  const { opened } = namesOf(row);
  return (
    `${firstWords(row)}stop the writers of ${opened}, and save what was written there: the next ` +
    `command may overwrite it. Then type these${row.endedEarly === 'both' ? restartOf(row) : ''}.`
  );
}

/** Says that a restart follows: the source took writes that are in no copy. @param {Row} row */
const restartOf = (row) =>
  row.phase === 'aborting' ? '' : `: ${commandOf(row)} then asks for a restart`;

/** @param {Row} row @returns {string} the name of the next command */
const commandOf = ({ next }) => /\w+(?=\()/.exec(next ?? '')?.[0] ?? 'the next command';

/**
 * Returns the advice where the shell died after the switch, or another session made it.
 * @param {Row} row
 */
function adviceOfUnsaved(row) {
  const { opened, written, what } = namesOf(row);
  const command = commandOf(row);
  return row.isWhole
    ? `connect the application to ${opened}: ${command} saves the ${what} as done.`
    : `${command} first compares what was written to ${written} after its cut with ${opened}. ` +
        `If nothing differs, the ${what} counts as done. If not, ${command} stops and says what to do.`;
}

/**
 * Makes the calls that give the collection its name back.
 * @param {Row} row @returns {[string, string | null][]}
 */
const callsOfEarly = (row) =>
  row.endedEarly ? [firstCall(row), ['Rename', row.copyCall ?? null]] : [];

/** Says how a name becomes free: a view or a time series can get no other name. @param {Row} row */
const firstWords = ({ freeFirst = '' }) =>
  freeFirst === '' || isCall(freeFirst) ? '' : `${freeFirst}, which another session made. Then `;

/** @param {Row} row @returns {[string, string | null]} */
const firstCall = ({ freeFirst = '' }) => ['Rename', isCall(freeFirst) ? freeFirst : null];

/** @param {string} text */
const isCall = (text) => /renameCollection/.test(text);

/**
 * Says whether the name was opened early; also after its last writes, before that is saved.
 * @param {Row} row
 */
const isOpenedEarly = ({ endedEarly, unsaved }) => Boolean(endedEarly ?? unsaved);

/** @param {Row} row */
function stateOfEarly(row) {
  const { opened, what } = namesOf(row);
  return row.unsaved
    ? { say: `${opened} has its collection, ${what} not saved yet`, tone: WARN }
    : { say: `${what} stopped: another session ended it early`, tone: BAD };
}
const WARN = /** @type {const} */ ('warn');
const BAD = /** @type {const} */ ('bad');

module.exports = {
  adviceOfEarly,
  callsOfEarly,
  endedEarly,
  firstCall,
  firstWords,
  isOpenedEarly,
  stateOfEarly,
};
