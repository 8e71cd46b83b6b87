'use strict';

const { PHASE_TABLE } = require('./phase-table');

/**
 * @import { Row } from './types'
 */

/**
 * What is said, and what is to be typed, where another session opened the other name by hand before
 * it had all writes: no command goes on then.
 */

/** The name that was opened too early, that of its collection, and the one with the writes. @param {Row} row */
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
  if (!row.endedEarly) return null;
  const { opened } = namesOf(row);
  return (
    `${firstWords(row)}stop the writers of ${opened}, and save what was written there: the next ` +
    'command may overwrite it. Then type these.'
  );
}

/** Give the collection its name back. @param {Row} row @returns {[string, string | null][]} */
const callsOfEarly = (row) =>
  row.endedEarly ? [firstCall(row), ['Rename', row.copyCall ?? null]] : [];

/** How a name becomes free: a view or a time series has no other name to get. @param {Row} row */
const firstWords = ({ freeFirst = '' }) =>
  freeFirst === '' || isCall(freeFirst) ? '' : `${freeFirst}, which another session made. Then `;

/** @param {Row} row @returns {[string, string | null]} */
const firstCall = ({ freeFirst = '' }) => ['Rename', isCall(freeFirst) ? freeFirst : null];

/** @param {string} text */
const isCall = (text) => /renameCollection/.test(text);

/** @param {Row} row */
const stateOfEarly = (row) => ({
  say: `${namesOf(row).what} stopped: another session ended it early`,
  tone: /** @type {const} */ ('bad'),
});

module.exports = { adviceOfEarly, callsOfEarly, endedEarly, firstCall, firstWords, stateOfEarly };
