'use strict';

const { settingsIn } = require('../../config/config-layers');
const { settingsOf } = require('../../config/change');

/**
 * @import { Entry } from './journal'
 */

/** Finds the undo in the journal that undid a change. */

/**
 * For each entry the line of the journal that began it, and that of its last call.
 * @typedef {Map<string, { begun: number, asked: number }>} Places
 */

/**
 * Groups undos by the entry that they undo: a journal of years has thousands of entries, and is
 * read just before each call.
 * @param {readonly Entry[]} all
 * @returns {Map<string, Entry[]>} by the id of the entry that they undo
 */
function undosIn(all) {
  /** @type {Map<string, Entry[]>} */
  const undos = new Map();
  for (const entry of all) {
    if (entry.undoes === null) continue;
    const known = undos.get(entry.undoes);
    if (known) known.push(entry);
    else undos.set(entry.undoes, [entry]);
  }
  return undos;
}

/**
 * Finds the undo of an entry. An undo that was itself undone leaves the change in effect. An undo
 * covers what was sent before it was begun, and never a call that may still arrive. The entry that
 * it undoes was begun before, so that no two undo each other.
 * @param {Entry} entry
 * @param {ReadonlyMap<string, readonly Entry[]>} undos by the id of the entry that they undo
 * @param {Places} places
 * @returns {Entry | undefined}
 */
const undoOf = (entry, undos, places) =>
  (undos.get(entry.id) ?? []).findLast(
    (other) =>
      (other.outcome === 'applied' || (entry.action === 'undo' && hasSentAll(other))) &&
      !other.unsettled &&
      isBefore(places.get(entry.id), places.get(other.id)) &&
      undoOf(other, undos, places) === undefined,
  );

/**
 * @param {{ begun: number, asked: number }} [entry]
 * @param {{ begun: number }} [undo]
 * @returns {boolean} whether the entry was begun and sent before the undo was begun
 */
const isBefore = (entry, undo) =>
  entry !== undefined && undo !== undefined && Math.max(entry.begun, entry.asked) < undo.begun;

/**
 * Says whether an interrupted undo sent all. Such an undo of a change is made again, and then that
 * one counts; an undo of an undo is not made again.
 * @param {Entry} entry
 * @returns {boolean} whether all of it was sent, and nothing of it was reverted
 */
function hasSentAll({ outcome, change, sent }) {
  const values = settingsIn(sent.map(({ command }) => command).join(','));
  const settings = settingsOf(change);
  return (
    outcome === 'interrupted' &&
    settings.length > 0 &&
    settings.every((setting) => values[setting] === change[setting])
  );
}

module.exports = { undosIn, undoOf };
