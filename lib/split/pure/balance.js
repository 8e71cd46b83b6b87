'use strict';

/**
 * @import { View } from './views'
 * @import { SeenCollection } from './types'
 */

/**
 * Which collection goes to which database, so that about as much is written to each.
 * @typedef {{ collections: SeenCollection[], weight: number }} Unit what must stay together
 */

/**
 * Collections that one view reads must be in one database: a view reads its own database only.
 * @param {readonly SeenCollection[]} collections
 * @param {readonly View[]} views
 * @param {'written' | 'bytes'} by
 * @returns {Unit[]} the heaviest first
 */
function unitsOf(collections, views, by) {
  const heads = new Map(collections.map(({ name }) => [name, name]));
  const headOf = (/** @type {string} */ name) => {
    let head = name;
    while (heads.get(head) !== head) head = /** @type {string} */ (heads.get(head));
    return head;
  };
  for (const { reads } of views) {
    const [first, ...others] = reads.filter((name) => heads.has(name));
    for (const other of others) heads.set(headOf(other), headOf(first));
  }
  const units = [...new Set(collections.map(({ name }) => headOf(name)))].map((head) =>
    collections.filter(({ name }) => headOf(name) === head),
  );
  return units
    .map((members) => ({
      collections: members,
      weight: members.reduce((sum, one) => sum + (weigh(one, by) ?? 0), 0),
    }))
    .sort((a, b) => b.weight - a.weight || (a.collections[0].ns < b.collections[0].ns ? -1 : 1));
}

/** @param {SeenCollection} collection @param {'written' | 'bytes'} by */
const weigh = (collection, by) =>
  by === 'written' ? collection.writtenBytesPerSec : collection.bytes;

/**
 * @param {readonly SeenCollection[]} collections
 * @returns {'written' | 'bytes'} by their size where nothing was written, or it is not known
 */
const balancedBy = (collections) =>
  collections.some(({ writtenBytesPerSec }) => Number(writtenBytesPerSec) > 0)
    ? 'written'
    : 'bytes';

/**
 * The heaviest first, each to the database that has least (longest processing time first: at most a
 * third worse than the best).
 * @param {readonly Unit[]} units
 * @param {readonly string[]} databases among equals the first is taken
 * @param {Record<string, number>} [already] what weighs on them before
 * @returns {Map<string, string>} database by namespace
 */
function assign(units, databases, already = {}) {
  const loads = databases.map((name) => already[name] ?? 0);
  const places = new Map();
  for (const { collections, weight } of units) {
    const min = loads.indexOf(loads.reduce((a, b) => Math.min(a, b)));
    loads[min] += weight;
    for (const { ns } of collections) places.set(ns, databases[min]);
  }
  return places;
}

module.exports = { unitsOf, assign, balancedBy, weigh };
