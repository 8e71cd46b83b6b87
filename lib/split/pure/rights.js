'use strict';

const { compareVersions } = require('../../base/pure/version');

/**
 * @import { Privilege } from './shape'
 */

/**
 * What a user may not do that a split has to do.
 * @typedef {{ on: string, actions: string[] }} Lack `on`: a database, or the cluster
 */

/**
 * Besides the privilege for each command in it (seen on 5.0.4 to 6.0.27). 4.4.2 has no such action.
 */
const FOR_STEPS = Object.freeze(['applyOps']);
const STEPS_SINCE = '5.0.0';
/** A step names collections by UUID, and is preceded by a search for index builds of any user. */
const FOR_PROOF = Object.freeze(['useUUID', 'inprog']);
/** A copy in ranges is throttled by what the server reports. */
const FOR_RANGES = Object.freeze(['serverStatus', 'replSetGetStatus']);
/**
 * Of both databases: one is the source of the way there, the other of the way back. readWrite and
 * dbAdmin have them.
 */
const ON_DATABASE = Object.freeze([
  'find',
  'insert',
  'update',
  'remove',
  'createCollection',
  'dropCollection',
  'renameCollectionSameDB',
  'createIndex',
  'dropIndex',
  'listCollections',
  'listIndexes',
  'changeStream',
  'bypassDocumentValidation',
  'collMod',
]);
/** Where the state of a split and the permits of its steps are kept. */
const OWN = 'tune';
const ON_OWN = Object.freeze([
  'find',
  'insert',
  'update',
  'remove',
  'createCollection',
  'createIndex',
]);

/**
 * @param {readonly Privilege[] | 'all' | null} held null: not known, so nothing is said to be
 *   missing
 * @param {{ databases: readonly string[], cluster: readonly string[] }} wanted `cluster`: of
 *   clusterActions()
 * @returns {Lack[]}
 */
function lacking(held, { databases, cluster }) {
  if (held === null || held === 'all') return [];
  const lack = (
    /** @type {string} */ on,
    /** @type {readonly string[]} */ actions,
    /** @type {(privilege: Privilege) => boolean} */ covers,
  ) => ({
    on,
    actions: actions.filter(
      (action) =>
        !held.some(
          (one) =>
            covers(one) && (one.actions.includes(action) || one.actions.includes('anyAction')),
        ),
    ),
  });
  return [
    lack('the cluster', cluster, ({ resource }) =>
      Boolean(resource.cluster || resource.anyResource),
    ),
    ...databases.map((database) => lack(database, ON_DATABASE, coveringAll(database))),
    lack(OWN, ON_OWN, coveringAll(OWN)),
  ].filter(({ actions }) => actions.length > 0);
}

/** @param {{ version: string | null, ranges: boolean }} of @returns {string[]} */
function clusterActions({ version, ranges }) {
  const hasSteps = version === null || compareVersions(version, STEPS_SINCE) >= 0;
  return [...(hasSteps ? FOR_STEPS : []), ...FOR_PROOF, ...(ranges ? FOR_RANGES : [])];
}

/**
 * Names are made up on the way, so rights to single collections are not enough.
 * @param {string} database
 * @returns {(privilege: Privilege) => boolean}
 */
const coveringAll =
  (database) =>
  ({ resource: { db, collection, anyResource } }) =>
    Boolean(anyResource) || (collection === '' && (db === '' || db === database));

module.exports = { lacking, clusterActions };
