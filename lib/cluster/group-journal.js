'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { readLines, writeLine, writeOutcome } = require('../change/journal');
const { entriesOf } = require('../change/pure/journal');
const { lostLines } = require('../change/pure/journal-groups');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Entry, JournalLine } from '../change/pure/journal'
 */

/**
 * What the journal has of a change that goes from member to member, beside the entries of each
 * member.
 */

/**
 * A file may be cut, or moved away, while several members are changed one after the other: what
 * this shell wrote and the file has lost is written again.
 * @param {string} home
 * @param {readonly JournalLine[]} kept what this shell wrote of the change
 * @returns {Entry[]} all of the journal
 * @throws {TuneError} TUNE-40001, TUNE-40002
 */
function wholeEntries(home, kept) {
  const { lines } = readLines(home);
  const lost = lostLines(kept, lines);
  for (const line of lost) writeLine(home, line);
  return entriesOf([...lines, ...lost]);
}

/**
 * @param {readonly JournalLine[]} kept
 * @returns {string} a folder with a journal of this change alone, for where the journal itself can
 *   not be read or written
 */
function spareHome(kept) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'mongosh-tune-'));
  for (const line of kept) writeLine(home, line);
  return home;
}

/**
 * It is over. Where that cannot be written, it is over once this shell ends.
 * @param {string} home @param {string} id of the group @param {Error | null} error what ended it
 */
function endGroup(home, id, error) {
  try {
    writeOutcome(home, id, {
      outcome: error === null ? 'applied' : 'interrupted',
      reason: error?.message ?? null,
    });
  } catch (_unwritable) {
    // The outcome of each member is reported to the user.
  }
}

/**
 * @param {string} home @param {Entry} entry
 * @throws {TuneError} TUNE-40001
 */
const endByRestart = (home, { id }) =>
  writeOutcome(home, id, { outcome: 'undone', reason: 'a restart of the server took it back' });

module.exports = { wholeEntries, spareHome, endGroup, endByRestart };
