'use strict';

/**
 * @import { Known, TimelineEvent } from './timeline'
 */

/**
 * Selects what an entry of the journal keeps of a timeline, so that it is known also when the log
 * has lost it.
 * @param {readonly TimelineEvent[]} events
 * @returns {Known[] | null} each string of a change where that change set it last, and between two
 *   changes each external string where it was set last: an undo of any change needs to know what
 *   came after it; null: not all is known
 */
function knownOf(events) {
  const sets = events.flatMap((event) =>
    event.kind === 'set' ? [{ config: event.config, id: event.id }] : [],
  );
  if (sets.length < events.length) return null;
  const from = recentFrom(sets);
  return sets.filter((_, i) => !(i < from ? isSetAgain(sets, i) : isRepeated(sets, i)));
}

/**
 * Number of changes of which all is kept: each entry has a copy, and a server may run for years
 * (heuristic).
 */
const KEPT_CHANGES = 100;

/** @param {readonly Known[]} sets @returns {number} the index where the last changes begin */
function recentFrom(sets) {
  const ids = new Set();
  return (
    sets.findLastIndex(({ id }) => {
      if (id !== null) ids.add(id);
      return ids.size > KEPT_CHANGES;
    }) + 1
  );
}

/**
 * Says whether any later call had the same string.
 * @param {readonly Known[]} sets @param {number} i
 */
const isSetAgain = (sets, i) => sets.slice(i + 1).some(({ config }) => config === sets[i].config);

/**
 * @param {readonly Known[]} sets @param {number} i
 * @returns {boolean} whether the same change, or others before the next change, set it again
 */
function isRepeated(sets, i) {
  const { config, id } = sets[i];
  const later = sets.slice(i + 1);
  const next = id === null ? later.findIndex((other) => other.id !== null) : -1;
  return later
    .slice(0, next === -1 ? undefined : next)
    .some((other) => other.config === config && other.id === id);
}

module.exports = { knownOf };
