'use strict';

/**
 * What a user may not do that a split has to do.
 * @typedef {import('../../model/split').Privilege} Privilege
 * @typedef {{ on: string, actions: string[] }} Lack `on`: a database, or the cluster
 */

/** In one step, through applyOps; the server asks for the right to each command by itself (seen on 4.4 to 6.0). */
const ON_CLUSTER = Object.freeze(['applyOps']);
/** A copy in ranges looks whether the server has room to spare. */
const FOR_RANGES = Object.freeze(['serverStatus', 'replSetGetStatus']);
/** Of both databases: one is the source of the way there, the other of the way back. readWrite and dbAdmin have them. */
const ON_DATABASE = Object.freeze([
  'find', 'insert', 'update', 'remove', 'createCollection', 'dropCollection', 'renameCollectionSameDB', 'createIndex', 'listCollections', 'listIndexes', 'changeStream', 'bypassDocumentValidation', 'collMod',
]);
/** Where the state of a split is kept. */
const OWN = 'tune';
const ON_OWN = Object.freeze(['find', 'insert', 'update', 'createCollection', 'createIndex']);

/**
 * @param {readonly Privilege[] | 'all' | null} held null: not known, so nothing is said to be missing
 * @param {{ databases: readonly string[], ranges: boolean }} wanted
 * @returns {Lack[]}
 */
function lacking(held, { databases, ranges }) {
  if (held === null || held === 'all') return [];
  const lack = (/** @type {string} */ on, /** @type {readonly string[]} */ actions, /** @type {(privilege: Privilege) => boolean} */ covers) => ({ on, actions: actions.filter((action) => !held.some((one) => covers(one) && (one.actions.includes(action) || one.actions.includes('anyAction')))) });
  return [
    lack('the cluster', [...ON_CLUSTER, ...(ranges ? FOR_RANGES : [])], ({ resource }) => Boolean(resource.cluster || resource.anyResource)),
    ...databases.map((database) => lack(database, ON_DATABASE, coveringAll(database))),
    lack(OWN, ON_OWN, coveringAll(OWN)),
  ].filter(({ actions }) => actions.length > 0);
}

/** Names are made up on the way, so rights to single collections are not enough. @param {string} database @returns {(privilege: Privilege) => boolean} */
const coveringAll = (database) => ({ resource: { db, collection, anyResource } }) => Boolean(anyResource) || (collection === '' && (db === '' || db === database));

module.exports = { lacking };
