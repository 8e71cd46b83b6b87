'use strict';

/**
 * @import { Entry, JournalLine } from './journal'
 */

/** Finds changes of several members that were made as one. */

/**
 * @param {readonly Entry[]} entries
 * @param {string} id
 * @returns {Entry[]} the entries of that group; none where no group has this id
 */
const ofGroup = (entries, id) => entries.filter(({ group }) => group?.id === id);

/**
 * Lists members without an entry. A shell that ended between two members has changed some of them
 * and never begun with the others. If the change reached all, a member without an entry had the
 * values already.
 * @param {readonly Entry[]} entries @param {string} id
 * @returns {string[]} the members that were to be changed, and of which no change was begun
 */
function neverBegun(entries, id) {
  const found = ofGroup(entries, id);
  if (found.some(({ groupDone }) => groupDone)) return [];
  const begun = new Set(found.map(({ group }) => group?.member));
  return (found[0]?.group?.members ?? []).filter((member) => !begun.has(member));
}

/**
 * @param {readonly Entry[]} entries @param {string} id of a group
 * @returns {boolean} whether not all its members are as it should have left them
 */
const isUneven = (entries, id) =>
  neverBegun(entries, id).length > 0 ||
  ofGroup(entries, id).some(({ outcome }) => outcome !== 'applied');

/**
 * Lists changes that are in effect on some of their members only. An undo that was cut short shows
 * as the change that it undid on some members only.
 * @param {readonly Entry[]} entries
 * @returns {Entry[]} for each such change the entry of the member changed last
 */
function cutShort(entries) {
  const ids = new Set(
    entries.flatMap(({ group, action }) => (group && action !== 'undo' ? [group.id] : [])),
  );
  return [...ids]
    .filter((id) => isUneven(entries, id))
    .flatMap((id) => ofGroup(entries, id).findLast(({ outcome }) => outcome === 'applied') ?? []);
}

/**
 * @param {readonly Entry[]} entries @param {string} id of a group
 * @returns {Entry[]} the undos of the group that were begun, whatever their outcome
 */
function undoesOf(entries, id) {
  const ids = new Set(ofGroup(entries, id).map((entry) => entry.id));
  return entries.filter(({ undoes, outcome }) => ids.has(String(undoes)) && outcome !== 'refused');
}

/**
 * @param {readonly JournalLine[]} kept the lines that a shell wrote
 * @param {readonly JournalLine[]} found the lines in the journal
 * @returns {JournalLine[]} all lines of those entries of which the journal has lost one
 */
function lostLines(kept, found) {
  const texts = new Set(found.map((line) => JSON.stringify(line)));
  const ids = new Set(
    kept.filter((line) => !texts.has(JSON.stringify(line))).map((line) => line.id),
  );
  return kept.filter(({ id }) => ids.has(id));
}

/**
 * Finds entries that another shell has closed. An undo by force of a change that has not arrived
 * yet leaves no more than that line: the shell that makes the change closes it in its own way once
 * the call is answered.
 * @param {readonly JournalLine[]} found the lines in the journal
 * @param {readonly JournalLine[]} kept the lines that a shell wrote
 * @returns {Set<string>} the entries that another shell has closed
 */
function closedByOthers(found, kept) {
  const own = new Set(kept.map((line) => JSON.stringify(line)));
  return new Set(
    found.flatMap((line) =>
      line.kind === 'outcome' && !own.has(JSON.stringify(line)) ? [line.id] : [],
    ),
  );
}

/**
 * Returns the id for tune.undo(): a change of several members is undone as one.
 * @param {Pick<Entry, 'id' | 'group'>} entry
 */
const undoId = ({ id, group }) => group?.id ?? id;

module.exports = {
  undoId,
  ofGroup,
  neverBegun,
  isUneven,
  cutShort,
  undoesOf,
  lostLines,
  closedByOthers,
};
