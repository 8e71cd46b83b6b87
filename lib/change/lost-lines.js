'use strict';

const { readLines, writeLine } = require('./journal');
const { entriesOf } = require('./pure/journal');
const { lostLines } = require('./pure/journal-groups');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Entry, JournalLine } from './pure/journal'
 */

/**
 * A file may be cut, or moved away, while a change is made: what this shell wrote and the file has
 * lost is written again.
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
 * @param {string} home
 * @param {string} id of a change
 * @returns {boolean} whether the journal has lost its beginning, without which nothing can undo it
 * @throws {TuneError} TUNE-40002
 */
const isLost = (home, id) =>
  !readLines(home).lines.some((line) => line.kind === 'intent' && line.id === id);

/** @param {string} home */
const lostWords = (home) =>
  `The journal in ${home} was taken away, or cut, while this change was made: it has the lines of ` +
  'this change again, and not those before it.';

module.exports = { isLost, lostWords, wholeEntries };
