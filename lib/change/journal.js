'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { isLine } = require('./pure/line-shape');
const { TuneError } = require('../base/pure/errors');
const { entriesOf } = require('./pure/journal');
const { lostLines } = require('./pure/journal-groups');

/**
 * @import { Closing, JournalLine, Entry } from './pure/journal'
 */

/**
 * The memory of what was changed: one JSON document a line, `intent` on disk before the server is
 * asked, then `sent` for each call it answered, then `outcome`. Nothing is ever rewritten, so a
 * crash leaves at worst half a line at the end. It holds no connection string, no user, no
 * password.
 *
 */

const FILE = 'journal.ndjson';
const OWNER_ONLY = 0o600;

/** @param {string} home @returns {string} */
const journalPath = (home) => path.join(home, FILE);

/**
 * Adds a line and waits until it is on disk. One write to a file opened for appending, so that
 * lines of two shells do not mix.
 * @param {string} home
 * @param {JournalLine} line
 * @throws {TuneError} TUNE-40001
 */
function writeLine(home, line) {
  const file = journalPath(home);
  try {
    fs.mkdirSync(home, { recursive: true });
    const handle = fs.openSync(file, 'a+', OWNER_ONLY);
    try {
      const text = `${endsInTheMiddle(handle) ? '\n' : ''}${JSON.stringify(line)}\n`;
      const written = fs.writeSync(handle, text);
      if (written !== Buffer.byteLength(text))
        throw new Error('the disk took only a part of the line');
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
 * A writer that died may have left half a line: the next one must not be joined to it.
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
 * @throws {TuneError} TUNE-40002
 */
function readLines(home) {
  const texts = readText(journalPath(home))
    .split('\n')
    .filter((text) => text.trim() !== '');
  const lines = texts.flatMap(parse);
  return { lines, garbled: texts.length - lines.length };
}

/** @param {string} file */
function readText(file) {
  try {
    // A pipe, or a device, would be read for ever.
    if (!fs.statSync(file).isFile()) throw new Error('it is not a file');
    return fs.readFileSync(file, 'utf8');
  } catch (cause) {
    const error = /** @type {NodeJS.ErrnoException} */ (cause);
    if (error.code === 'ENOENT') return '';
    throw new TuneError('TUNE-40002', `The journal ${file} cannot be read: ${error.message}.`, {
      cause,
      value: file,
    });
  }
}

/** @param {string} text @returns {JournalLine[]} */
function parse(text) {
  try {
    // An editor may have put a byte order mark before it.
    const line = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isLine(line) ? [line] : [];
  } catch {
    // Half a line of a writer that died.
    return [];
  }
}

/**
 * Closes an entry, or a group, of which nothing more was set.
 * @param {string} home
 * @param {string} id
 * @param {Pick<Closing, 'outcome' | 'reason'>} end
 * @throws {TuneError} TUNE-40001
 */
function writeOutcome(home, id, { outcome, reason }) {
  const at = new Date().toISOString();
  writeLine(home, { kind: 'outcome', id, at, outcome, after: null, verified: null, reason });
}

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

/**
 * Lines that the journal could not take, such as on a full disk: they follow, in their order, as
 * soon as it can, while this process runs.
 */

/** @type {Map<string, JournalLine[]>} by the folder of the journal */
const LATE = new Map();
/** Milliseconds. Soon enough after somebody made free space on the disk. */
const AGAIN_MS = 1000;

/**
 * @param {string} home
 * @param {JournalLine} line
 * @throws {TuneError} TUNE-40001
 */
function writeNow(home, line) {
  writeLate(home);
  writeLine(home, line);
}

/**
 * @param {string} home
 * @param {JournalLine} line
 * @returns {Error | null} why it is not on disk yet
 */
function writeWhenPossible(home, line) {
  const late = LATE.get(home) ?? [];
  LATE.set(home, late);
  late.push(line);
  try {
    writeLate(home);
    return null;
  } catch (error) {
    if (late.length === 1) tryAgain(home);
    return /** @type {Error} */ (error);
  }
}

/**
 * Before the journal is read: what this process still has to write belongs to it.
 * @param {string} home
 */
function catchUp(home) {
  try {
    if (isThere(home)) writeLate(home);
  } catch (_stillNot) {
    // It is tried again anyway.
  }
}

/** @param {string} home */
function writeLate(home) {
  const late = LATE.get(home) ?? [];
  while (late.length > 0) {
    writeLine(home, late[0]);
    late.shift();
  }
  LATE.delete(home);
}

/**
 * A folder that was taken away is not made again for them; one that is away for a while, with the
 * disk it is on, gets them when it is back.
 * @param {string} home
 */
function tryAgain(home) {
  setTimeout(() => {
    try {
      if (isThere(home)) writeLate(home);
      else tryAgain(home);
    } catch (_stillNot) {
      tryAgain(home);
    }
  }, AGAIN_MS).unref();
}

/** @param {string} home */
const isThere = (home) => fs.existsSync(home);

/** @param {string} home @param {Error} problem */
function unwritableWords(home, problem) {
  const { message } = /** @type {Error} */ (problem.cause ?? problem);
  return (
    `[TUNE-40001] The journal in ${home} could not be written (${message}). What is missing in it ` +
    'follows as soon as it can be, while this shell is open.'
  );
}

module.exports = {
  writeLine,
  writeOutcome,
  readLines,
  journalPath,
  isLost,
  lostWords,
  wholeEntries,
  catchUp,
  unwritableWords,
  writeNow,
  writeWhenPossible,
};
