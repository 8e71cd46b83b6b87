'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { outcomeLine, readLines, writeLine, writeOutcome } = require('../change/journal');
const {
  mergeWhenPossible,
  writeWhenPossible,
  lateFor,
  forgetLate,
} = require('../change/late-lines');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Entry, JournalLine } from '../change/pure/journal'
 */

/**
 * Keeps the journal of a change that goes from member to member, beside the entries of each member.
 */

/**
 * @param {readonly JournalLine[]} kept
 * @returns {string} a folder with a journal of this change only, for a journal that cannot be read
 *   or written
 */
function spareHome(kept) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'mongosh-tune-'));
  for (const line of kept) writeLine(home, line);
  return home;
}

/**
 * Adds the lines of the spare journal to the journal as soon as it can be written, with those that
 * the spare one could not take either.
 * @param {string} home
 * @param {string} spare
 * @returns {string | null} the spare folder, where it is still needed
 */
function mergeSpare(home, spare) {
  const lines = [...readLines(spare).lines, ...lateFor(spare)];
  if (mergeWhenPossible(home, lines) !== null) return spare;
  forgetLate(spare);
  fs.rmSync(spare, { recursive: true, force: true });
  return null;
}

/**
 * Ends a group in the journal. Where that line cannot be written now, it follows later, or the
 * group ends with this shell.
 * @param {string} home
 * @param {string} id of the group
 * @param {Error | null} error the error that ended it
 */
function endGroup(home, id, error) {
  const outcome = error === null ? 'applied' : 'interrupted';
  writeWhenPossible(home, outcomeLine(id, { outcome, reason: error?.message ?? null }));
}

/**
 * @param {string} home @param {Entry} entry
 * @throws {TuneError} TUNE-40001
 */
const endByRestart = (home, { id }) =>
  writeOutcome(home, id, { outcome: 'undone', reason: 'reverted by a restart of the server' });

module.exports = { spareHome, mergeSpare, endGroup, endByRestart };
