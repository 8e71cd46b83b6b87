'use strict';

const fs = require('node:fs');
const { writeLine } = require('./journal');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { JournalLine } from './pure/journal'
 */

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

module.exports = { catchUp, unwritableWords, writeNow, writeWhenPossible };
