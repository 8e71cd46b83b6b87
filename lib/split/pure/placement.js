'use strict';

const { HOT_RATIO, MANY_HANDLES } = require('./definitions');
const { bytes, count, percent } = require('../../base/pure/units');

/**
 * @import { View } from './dependents'
 * @import { SeenCollection, Surroundings } from './types'
 */

/**
 * Decides which collection goes to which database, so that about as much is written to each.
 * @typedef {{ collections: SeenCollection[], weight: number }} Unit collections that must stay
 *   together
 */

/**
 * Groups collections: those that one view reads must be in one database, since a view reads its own
 * database only.
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
 * @returns {'written' | 'bytes'} `bytes`: where nothing was written, or that is not known
 */
const balancedBy = (collections) =>
  collections.some(({ writtenBytesPerSec }) => Number(writtenBytesPerSec) > 0)
    ? 'written'
    : 'bytes';

/**
 * Assigns the heaviest units first, each to the database that has least (longest processing time
 * first: at most a third worse than the best).
 * @param {readonly Unit[]} units
 * @param {readonly string[]} databases among equals the first is taken
 * @param {Record<string, number>} [already] their load before
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

/**
 * Decides whether a split is worth it at all. WiredTiger knows files, not databases: a checkpoint
 * goes through the files one at a time, and eviction leaves alone the dirty pages of the one it is
 * at (rule hot-file), so that relief comes from several files.
 * @typedef {{ worthIt: 'yes' | 'no' | 'unknown', because: string }} Worth
 * @typedef {{
 *   from: string, collections: readonly SeenCollection[], seconds: number,
 *   moved: readonly SeenCollection[], server: Pick<Surroundings, 'handles' | 'directoryPerDB'>,
 *   split: SeenCollection | null
 * }} Question `moved`: the collections that would go elsewhere; `split`: the one that would become
 *   several
 */

/** @param {Question} question @returns {Worth} */
function worthOf(question) {
  const {
    collections,
    server: { handles },
    from,
    split,
    moved,
  } = question;
  if (collections.length === 0)
    return { worthIt: 'no', because: `There is no collection in ${from} that this user can see.` };
  if (handles !== null && handles > MANY_HANDLES) {
    return {
      worthIt: 'no',
      because:
        `${count(handles)} handles of collections and indexes are open. Above ` +
        `${count(MANY_HANDLES)}, every sweep over all of them is slow: use fewer ` +
        'files, not more.',
    };
  }
  if (split === null && moved.length === 0)
    return {
      worthIt: 'no',
      because:
        'Nothing would move: each collection is blocked, or stays for the balance. To move one ' +
        'anyway, name it in "collections".',
    };
  const total = collections.reduce(
    (sum, { writtenBytesPerSec }) => sum + (writtenBytesPerSec ?? 0),
    0,
  );
  if (total === 0)
    return {
      worthIt: 'unknown',
      because: collections.every(({ writtenBytesPerSec }) => writtenBytesPerSec === null)
        ? 'Unknown: the writes of each collection.'
        : `No write of ${from} reached the disk in ${count(question.seconds)} s. Under load, sample ` +
          'past one checkpoint: { seconds: 65 }.',
    };
  return split === null ? worthMoving(question, total) : worthSplitting(question, split, total);
}

/** @param {Question} question @param {number} total @returns {Worth} */
function worthMoving({ from, collections, moved, server }, total) {
  const hottest = collections.reduce((a, b) =>
    Number(b.writtenBytesPerSec) > Number(a.writtenBytesPerSec) ? b : a,
  ); // A null counts as 0.
  const ratio = Number(hottest.writtenBytesPerSec) / total;
  const hot =
    `${hottest.ns} gets ${percent(ratio)} of the writes to ${from} (${bytes(total)}/s in all). ` +
    'After a move it is still one file. To spread it over several, plan parts: ' +
    `tune.split.plan({ source: ${JSON.stringify(from)}, collections: ` +
    `${JSON.stringify(hottest.name)}, by: { hash: "_id" } }).`;
  if (server.directoryPerDB) {
    const away =
      moved.reduce((sum, { writtenBytesPerSec }) => sum + (writtenBytesPerSec ?? 0), 0) / total;
    return {
      worthIt: 'yes',
      because:
        'Each database has its own directory here (directoryPerDB). With the new one ' +
        `on another disk, ${percent(away)} of the writes to ${from} go there. On the same disk nothing is ` +
        `gained: WiredTiger works on files, not databases.${ratio > HOT_RATIO ? ` ${hot}` : ''}`,
    };
  }
  if (ratio > HOT_RATIO) return { worthIt: 'no', because: hot };
  return {
    worthIt: 'no',
    because:
      `Writes to ${from} (${bytes(total)}/s) go to ${count(collections.length)} collections, each already its own file. ` +
      'WiredTiger works on files, not databases: cache, eviction and checkpoints ' +
      'gain nothing. Other reasons may count: privileges, quotas and backups by ' +
      'database, or another disk with directoryPerDB.',
  };
}

/**
 * @param {Question} question
 * @param {SeenCollection} split
 * @param {number} total
 * @returns {Worth}
 */
function worthSplitting({ from }, { ns, writtenBytesPerSec }, total) {
  const ratio = (writtenBytesPerSec ?? 0) / total;
  const share = `${ns} takes ${percent(ratio)} of what is written to ${from} (${bytes(total)}/s)`;
  if (ratio > HOT_RATIO)
    return {
      worthIt: 'yes',
      because:
        `${share}. Its parts are separate files: a checkpoint works on one at a time, and ` +
        'eviction on the others.',
    };
  return { worthIt: 'no', because: `${share}: the writes already go to several files.` };
}

module.exports = { unitsOf, assign, balancedBy, weigh, worthOf };
