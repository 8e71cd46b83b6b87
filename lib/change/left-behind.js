'use strict';

const fs = require('node:fs');
const { readLines, journalPath } = require('./journal');
const { isAtWork } = require('./fence');
const { entriesOf } = require('./pure/journal');
const { cutShort } = require('./pure/journal-groups');
const { stands } = require('./pure/undoable');

/**
 * @typedef {import('./pure/journal').Entry} Entry
 * @typedef {Entry & { wayBack: string }} LeftBehind `wayBack`: what tune.undo() is to be given
 */

/**
 * What the journal held when it was last read, by its file: it only grows.
 * @type {Map<string, { size: number, entries: LeftBehind[] }>}
 */
const READ = new Map();

/**
 * Changes and trials whose shell ended in the middle of them, so that nobody can say what is in
 * force, and changes of several members that did not come to all of them.
 * @param {string} home
 * @returns {LeftBehind[]} none where the journal can not be read
 */
function leftBehind(home) {
  return openEntries(home).filter((entry) => entry.writerPid !== undefined && !isAtWork(entry));
}

/** @param {string} home @returns {LeftBehind[]} */
function openEntries(home) {
  const file = journalPath(home);
  const size = sizeOf(file);
  const known = READ.get(file);
  if (known?.size === size) return known.entries;
  const all = size === 0 ? [] : read(home);
  const open = [...all.filter(({ outcome }) => outcome === 'unknown'), ...cutShort(all)];
  const entries = open.flatMap((entry) => withWayBack(entry, all));
  READ.set(file, { size, entries });
  return entries;
}

/**
 * The way back from an undo that was left in the middle is the change that it was to undo: to undo
 * the undo would put that into force. Where the change does not stand, nothing is left to be done.
 * @param {Entry} entry
 * @param {readonly Entry[]} all
 * @returns {LeftBehind[]}
 */
function withWayBack(entry, all) {
  const undone = all.find(({ id }) => id === entry.undoes);
  if (undone && !stands(undone)) return [];
  const { id, group } = undone ?? entry;
  return [{ ...entry, wayBack: group?.id ?? id }];
}

/** @param {string} file 0 too for what lies in a folder of somebody else */
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
    // Whoever changes something will be told.
    return [];
  }
}

module.exports = { leftBehind };
