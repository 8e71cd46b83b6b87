'use strict';

const fs = require('node:fs');
const { readLines, journalPath } = require('./journal');
const { flushLate } = require('./late-lines');
const { groupAtWork } = require('./group-in-progress');
const { isInProgress } = require('./change-lock');
const { entriesOf } = require('./pure/journal');
const { cutShort, undoId } = require('./pure/journal-groups');
const { mayBeEffective } = require('./pure/undoable');

/**
 * @import { Entry } from './pure/journal'
 */

/** @typedef {Entry & { wayBack: string }} UnfinishedChange `wayBack`: the id for tune.undo() */

/**
 * The content of each journal when it was last read, by its file: it only grows.
 * @typedef {{
 *   size: number, open: UnfinishedChange[], cut: UnfinishedChange[], all: Entry[]
 * }} JournalSummary `open`: not known whether it is in effect; `cut`: in effect on some members
 *   only; `all`: kept where there are such entries
 * @type {Map<string, JournalSummary>}
 */
const SUMMARIES = new Map();

/**
 * Lists changes and trials whose shell ended in the middle, so that the effective settings are
 * unknown, and changes of several members that did not reach all of them, or were not undone on
 * all.
 * @param {string} home
 * @returns {UnfinishedChange[]} no changes where the journal cannot be read
 */
function unfinishedChanges(home) {
  flushLate(home);
  const { open, cut, all } = summaryOf(home);
  return [
    ...open.filter((entry) => entry.groupEnded || !isInProgress(entry)),
    ...cut.filter(({ group }) => groupAtWork(all, String(group?.id)) === null),
  ].filter(({ writerPid }) => writerPid !== undefined);
}

/** @param {string} home @returns {JournalSummary} */
function summaryOf(home) {
  const file = journalPath(home);
  const size = sizeOf(file);
  const known = SUMMARIES.get(file);
  if (known?.size === size) return known;
  const all = size === 0 ? [] : read(home);
  const undone = new Set(all.flatMap(({ id, outcome }) => (outcome === 'undone' ? [id] : [])));
  // An undo that did not end is settled once another one has done it.
  const open = all.filter(
    ({ outcome, undoes }) => outcome === 'unknown' && !undone.has(String(undoes)),
  );
  const cut = cutShort(all);
  const now = {
    size,
    open: open.flatMap((entry) => withWayBack(entry, all)),
    cut: cut.flatMap((entry) => withWayBack(entry, all)),
    all: cut.length > 0 ? all : [],
  };
  SUMMARIES.set(file, now);
  return now;
}

/**
 * Adds the id to undo. An unfinished undo is finished by undoing its change: to undo the undo would
 * make that change effective. Where the change is over, nothing is left to do.
 * @param {Entry} entry
 * @param {readonly Entry[]} all
 * @returns {UnfinishedChange[]}
 */
function withWayBack(entry, all) {
  const undone = all.find(({ id }) => id === entry.undoes);
  if (undone && !mayBeEffective(undone)) return [];
  return [{ ...entry, wayBack: undoId(undone ?? entry) }];
}

/** Returns the size of a file; 0 also in another user's folder. @param {string} file */
function sizeOf(file) {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch (_unreadable) {
    return 0;
  }
}

/** @param {string} home @returns {Entry[]} */
function read(home) {
  try {
    return entriesOf(readLines(home).lines);
  } catch (_unreadable) {
    // The next change reports the error.
    return [];
  }
}

module.exports = { unfinishedChanges };
