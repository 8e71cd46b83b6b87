'use strict';

const fs = require('node:fs');
const { readLines, writeLine } = require('./journal');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { JournalLine } from './pure/journal'
 */

/**
 * Keeps lines that the journal could not take, such as on a full disk: they follow, in their order,
 * as soon as it can, while this process runs.
 */

/** @type {Map<string, JournalLine[]>} lines by the folder of the journal */
const LATE = new Map();
/** Milliseconds between tries: soon enough after space was made free on the disk. */
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
 * @returns {Error | null} why the line is not on disk yet
 */
const writeWhenPossible = (home, line) => add(home, [...(LATE.get(home) ?? []), line]);

/**
 * Adds lines that were written elsewhere, because the journal could not be written: those of a
 * change from its beginning.
 * @param {string} home
 * @param {readonly JournalLine[]} lines
 * @returns {Error | null} why not all of them are in the journal yet
 */
function mergeWhenPossible(home, lines) {
  const texts = new Set(lines.map(textOf));
  const others = (LATE.get(home) ?? []).filter((line) => !texts.has(textOf(line)));
  return add(home, [...others, ...lines]);
}

/** @param {string} home @param {JournalLine[]} late @returns {Error | null} */
function add(home, late) {
  const isTried = LATE.has(home);
  LATE.set(home, late);
  try {
    writeLate(home, { isNew: !isTried && late.length === 1 });
    return null;
  } catch (error) {
    if (!isTried) tryAgain(home);
    return /** @type {Error} */ (error);
  }
}

/**
 * Writes the late lines before the journal is read: what this process still has to write belongs to
 * it.
 * @param {string} home
 */
function flushLate(home) {
  try {
    if (isThere(home)) writeLate(home);
  } catch (_stillNot) {
    // The write is tried again anyway.
  }
}

/**
 * Writes the late lines that the journal lacks. A journal that now has a later format gets only
 * lines of a change begun before.
 * @param {string} home
 * @param {{ isNew?: boolean }} [how] whether there is one late line, which was not tried before
 * @throws {TuneError} TUNE-40001, TUNE-40010
 */
function writeLate(home, { isNew = false } = {}) {
  const late = LATE.get(home);
  if (late === undefined) return;
  const there = isNew ? new Set() : textsIn(home);
  while (late.length > 0) {
    if (!there.has(textOf(late[0]))) writeLine(home, late[0]);
    late.shift();
  }
  LATE.delete(home);
}

/** @param {string} home @returns {Set<string>} @throws {TuneError} TUNE-40010 */
function textsIn(home) {
  try {
    return new Set(readLines(home).lines.map(textOf));
  } catch (error) {
    if (/** @type {TuneError} */ (error).code === 'TUNE-40010') throw error;
    // A journal that cannot be read fails where it is written.
    return new Set();
  }
}

/**
 * @param {string} home
 * @returns {readonly JournalLine[]} the lines that its journal could not take yet
 */
const lateFor = (home) => LATE.get(home) ?? [];

/** Forgets late lines that another journal has now. @param {string} home */
const forgetLate = (home) => LATE.delete(home);

/**
 * Retries every second; a removed folder is not created again, and a remounted one gets its lines.
 * @param {string} home
 */
function tryAgain(home) {
  setTimeout(() => {
    if (!LATE.has(home)) return;
    try {
      if (isThere(home)) writeLate(home);
      else tryAgain(home);
    } catch (_stillNot) {
      tryAgain(home);
    }
  }, AGAIN_MS).unref();
}

/** @param {JournalLine} line */
const textOf = (line) => JSON.stringify(line);

/** @param {string} home */
const isThere = (home) => fs.existsSync(home);

/** @param {string} home @param {Error} problem */
function unwritableWords(home, problem) {
  const { message } = /** @type {Error} */ (problem.cause ?? problem);
  return (
    `[TUNE-40001] The journal in ${home} could not be written (${message}). The ` +
    'missing lines are written as soon as possible, while this shell is open.'
  );
}

module.exports = {
  writeNow,
  writeWhenPossible,
  mergeWhenPossible,
  lateFor,
  forgetLate,
  flushLate,
  unwritableWords,
};
