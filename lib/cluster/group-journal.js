'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { writeLine, writeOutcome } = require('../change/journal');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Entry, JournalLine } from '../change/pure/journal'
 */

/**
 * What the journal has of a change that goes from member to member, beside the entries of each
 * member.
 */

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
  writeOutcome(home, id, { outcome: 'undone', reason: 'reverted by a restart of the server' });

module.exports = { spareHome, endGroup, endByRestart };
