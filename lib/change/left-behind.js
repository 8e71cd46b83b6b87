'use strict';

const fs = require('node:fs');
const { readLines, journalPath } = require('./journal');
const { isAlive } = require('./writers');
const { entriesOf } = require('./pure/journal');
const { cutShort } = require('./pure/journal-groups');

/** @typedef {import('./pure/journal').Entry} Entry */

/**
 * What the journal held when it was last read, by its file: it only grows.
 * @type {Map<string, { size: number, entries: Entry[] }>}
 */
const READ = new Map();

/**
 * Changes and trials whose shell ended in the middle of them, so that nobody can say what is in
 * force, and changes of several members that did not come to all of them.
 * @param {string} home
 * @returns {Entry[]} none where the journal can not be read
 */
function leftBehind(home) {
  return openEntries(home).filter((entry) => entry.writerPid !== undefined && !isAlive(entry));
}

/** @param {string} home @returns {Entry[]} */
function openEntries(home) {
  const file = journalPath(home);
  const size = sizeOf(file);
  const known = READ.get(file);
  if (known?.size === size) return known.entries;
  const all = size === 0 ? [] : read(home);
  const entries = [...all.filter(({ outcome }) => outcome === 'unknown'), ...cutShort(all)];
  READ.set(file, { size, entries });
  return entries;
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
