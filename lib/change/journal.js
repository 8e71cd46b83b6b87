'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { JOURNAL_FORMAT, formatOf, isOfLaterFormat } = require('./pure/journal-format');
const { isLine } = require('./pure/line-shape');
const { endsNowhere } = require('../base/dead-links');
const { TuneError } = require('../base/pure/errors');
const { entriesOf } = require('./pure/journal');
const { lostLines } = require('./pure/journal-groups');

/**
 * @import { Closing, JournalLine, Entry } from './pure/journal'
 */

/**
 * Records what was changed: one JSON document a line, `intent` on disk before the server is asked,
 * then `sent` for each call it answered, then `outcome`. No line is ever rewritten, so a crash
 * leaves at worst half a line at the end. The journal holds no connection string, no user, no
 * password.
 */

const FILE = 'journal.ndjson';
const OWNER_ONLY = 0o600;
const DEAD_LINK = 'a link in its path leads to nothing that is there';

/** @param {string} home @returns {string} */
const journalPath = (home) => path.join(home, FILE);

/**
 * Adds a line and waits until it is on disk. It writes once to a file opened for appending, so that
 * lines of two shells do not mix.
 * @param {string} home
 * @param {JournalLine} line
 * @throws {TuneError} TUNE-40001
 */
function writeLine(home, line) {
  const file = journalPath(home);
  try {
    // The link's target may be on a disk that is not mounted.
    if (endsNowhere(file)) throw new Error(DEAD_LINK);
    fs.mkdirSync(home, { recursive: true });
    const handle = fs.openSync(file, 'a+', OWNER_ONLY);
    try {
      const text = `${endsInTheMiddle(handle) ? '\n' : ''}${JSON.stringify(line)}\n`;
      const written = fs.writeSync(handle, text);
      if (written !== Buffer.byteLength(text))
        throw new Error('only a part of the line was written');
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  } catch (cause) {
    throw new TuneError(
      'TUNE-40001',
      `The journal ${file} cannot be written: ${/** @type {Error} */ (cause).message}.`,
      { cause, value: file },
    );
  }
}

/**
 * Says whether the file ends with half a line, which a writer that died may have left: the next
 * line must not be joined to it.
 * @param {number} handle
 */
function endsInTheMiddle(handle) {
  const { size } = fs.fstatSync(handle);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  fs.readSync(handle, last, 0, 1, size - 1);
  return last.toString() !== '\n';
}

/**
 * @param {string} home
 * @returns {{ lines: JournalLine[], garbled: number }} `garbled`: how many lines could not be read
 * @throws {TuneError} TUNE-40002, TUNE-40010
 */
function readLines(home) {
  const file = journalPath(home);
  const found = readText(file)
    .split('\n')
    .filter((text) => text.trim() !== '')
    .map(parse);
  const later = found.find(isOfLaterFormat);
  if (later !== undefined)
    throw new TuneError(
      'TUNE-40010',
      `The journal ${file} has format ${formatOf(later)}; this release of tune reads up to ` +
        `${JOURNAL_FORMAT}. Nothing was written.`,
      { value: formatOf(later), allowed: JOURNAL_FORMAT },
    );
  const lines = found.filter(isLine);
  return { lines, garbled: found.length - lines.length };
}

/** @param {string} file */
function readText(file) {
  try {
    // Reading a pipe or a device would never end.
    if (!fs.statSync(file).isFile()) throw new Error('it is not a file');
    return fs.readFileSync(file, 'utf8');
  } catch (cause) {
    const error = /** @type {NodeJS.ErrnoException} */ (cause);
    const isAway = error.code === 'ENOENT' && endsNowhere(file);
    if (error.code === 'ENOENT' && !isAway) return '';
    const why = isAway ? DEAD_LINK : error.message;
    throw new TuneError('TUNE-40002', `The journal ${file} cannot be read: ${why}.`, {
      cause,
      value: file,
    });
  }
}

/** @param {string} text @returns {unknown} null: no JSON */
function parse(text) {
  try {
    // An editor may have put a byte order mark before the text.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // This is half a line of a writer that died.
    return null;
  }
}

/**
 * Refuses a journal of a later format before a change begins: the later release would misread the
 * new line.
 * @param {string} home
 * @throws {TuneError} TUNE-40010
 */
function refuseLaterFormat(home) {
  try {
    readLines(home);
  } catch (error) {
    // A journal that cannot be read at all fails where it is written.
    if (/** @type {TuneError} */ (error).code === 'TUNE-40010') throw error;
  }
}

/**
 * Closes an entry, or a group, of which nothing more was set.
 * @param {string} home
 * @param {string} id
 * @param {Pick<Closing, 'outcome' | 'reason'>} end
 * @throws {TuneError} TUNE-40001
 */
const writeOutcome = (home, id, end) => writeLine(home, outcomeLine(id, end));

/** @param {string} id @param {Pick<Closing, 'outcome' | 'reason'>} end @returns {JournalLine} */
const outcomeLine = (id, { outcome, reason }) => ({
  kind: 'outcome',
  id,
  at: new Date().toISOString(),
  outcome,
  after: null,
  verified: null,
  reason,
});

/**
 * Writes again the lines of this change that the file lost when it was truncated or moved.
 * @param {string} home
 * @param {readonly JournalLine[]} kept the lines that this shell wrote of the change
 * @returns {Entry[]} all entries of the journal
 * @throws {TuneError} TUNE-40001, TUNE-40002
 */
function wholeEntries(home, kept) {
  const { lines, lost } = restored(home, kept);
  return entriesOf([...lines, ...lost]);
}

/**
 * @param {string} home
 * @param {readonly JournalLine[]} kept the lines that this shell wrote of a change
 * @returns {boolean} whether the journal had lost a line of the change, without which an undo may
 *   be incomplete
 * @throws {TuneError} TUNE-40001, TUNE-40002
 */
const restoreLines = (home, kept) => restored(home, kept).lost.length > 0;

/** @param {string} home @param {readonly JournalLine[]} kept */
function restored(home, kept) {
  const { lines } = readLines(home);
  const lost = lostLines(kept, lines);
  for (const line of lost) writeLine(home, line);
  return { lines, lost };
}

/** @param {string} home */
const lostWords = (home) =>
  `The journal in ${home} was removed or truncated during this change: the lines of ` +
  'this change were written again, other lines may be missing.';

module.exports = {
  writeLine,
  writeOutcome,
  readLines,
  refuseLaterFormat,
  journalPath,
  restoreLines,
  lostWords,
  wholeEntries,
  outcomeLine,
};
