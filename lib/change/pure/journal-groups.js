'use strict';

/**
 * @import { Entry, JournalLine } from './journal'
 */

/**
 * Changes of several members that were made as one.
 */

/**
 * @param {readonly Entry[]} entries
 * @param {string} id
 * @returns {Entry[]} of that group; none where it is the id of no group
 */
const ofGroup = (entries, id) => entries.filter(({ group }) => group?.id === id);

/**
 * A shell that ended between two members has changed some of them and never begun with the others.
 * Where it came to all, one without an entry had the values already.
 * @param {readonly Entry[]} entries @param {string} id
 * @returns {string[]} the members that were to be changed, and that nothing was begun with
 */
function neverBegun(entries, id) {
  const found = ofGroup(entries, id);
  if (found.some(({ groupDone }) => groupDone)) return [];
  const begun = new Set(found.map(({ group }) => group?.member));
  return (found[0]?.group?.members ?? []).filter((member) => !begun.has(member));
}

/**
 * @param {readonly Entry[]} entries @param {string} id of a group
 * @returns {boolean} whether its members are not all as it was to leave them
 */
const isUneven = (entries, id) =>
  neverBegun(entries, id).length > 0 ||
  ofGroup(entries, id).some(({ outcome }) => outcome !== 'applied');

/**
 * An undo that was cut short shows as the change that it took back on some members alone.
 * @param {readonly Entry[]} entries
 * @returns {Entry[]} of each change that is in effect on some of its members alone, the last one
 *   that was changed
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
 * @returns {Entry[]} what was begun to take it back, whatever became of that
 */
function undoesOf(entries, id) {
  const ids = new Set(ofGroup(entries, id).map((entry) => entry.id));
  return entries.filter(({ undoes, outcome }) => ids.has(String(undoes)) && outcome !== 'refused');
}

/**
 * @param {readonly JournalLine[]} kept what a shell wrote
 * @param {readonly JournalLine[]} found in the journal
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
 * An undo by force of what has not arrived yet leaves no more than that: whoever makes the change
 * closes it in its own way once the call is answered.
 * @param {readonly JournalLine[]} found in the journal
 * @param {readonly JournalLine[]} kept what a shell wrote
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
 * What tune.undo() is to be given: a change of several members is undone as one.
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
