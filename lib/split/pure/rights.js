'use strict';

const { compareVersions } = require('../../base/pure/version');

/**
 * @import { Privilege, RoleName } from './definitions'
 * @import { Surroundings } from './types'
 */

/**
 * Finds the privileges that a split needs and a user lacks.
 * @typedef {{ on: string, actions: string[] }} Lack `on`: a database, or the cluster
 */

/**
 * Needed besides the privilege for each command in a step (seen on 5.0.4 to 6.0.27). 4.4.2 has no
 * such action.
 */
const FOR_STEPS = Object.freeze(['applyOps']);
const STEPS_SINCE = '5.0.0';
/**
 * Needed because a step names collections by UUID, and follows a search for index builds of any
 * user.
 */
const FOR_PROOF = Object.freeze(['useUUID', 'inprog']);
/** Needed because a copy in ranges is throttled by what the server reports. */
const FOR_RANGES = Object.freeze(['serverStatus', 'replSetGetStatus']);
/**
 * Needed on both databases: one is the source of the cutover, the other of the rollback. readWrite
 * and dbAdmin have them.
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
/** The database with the state of a split and the permits of its steps. */
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
 * @param {readonly Privilege[] | 'all' | null} granted null: not known, so nothing counts as
 *   missing
 * @param {{ databases: readonly string[], cluster: readonly string[] }} wanted `cluster`: the
 *   result of clusterActions()
 * @returns {Lack[]}
 */
function lacking(granted, { databases, cluster }) {
  if (granted === null || granted === 'all') return [];
  const lack = (
    /** @type {string} */ on,
    /** @type {readonly string[]} */ actions,
    /** @type {(privilege: Privilege) => boolean} */ covers,
  ) => ({
    on,
    actions: actions.filter(
      (action) =>
        !granted.some(
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
 * Checks for a whole database: names are made during a split, so privileges on single collections
 * are not enough.
 * @param {string} database
 * @returns {(privilege: Privilege) => boolean}
 */
const coveringAll =
  (database) =>
  ({ resource: { db, collection, anyResource } }) =>
    Boolean(anyResource) || (collection === '' && (db === '' || db === database));

/** Finds users who may do something with a collection by its name, and would lose that. */

/**
 * Built-in roles that are limited to their database; those of admin that reach all databases reach
 * the new one, too.
 */
const BUILT_IN = Object.freeze(['read', 'readWrite', 'dbAdmin', 'dbOwner', 'userAdmin']);

/**
 * @param {Pick<Surroundings, 'users' | 'roles'>} who
 * @param {{ database: string, name: string }} collection
 * @returns {{ roles: string[], users: string[] } | null} `roles`: custom roles that name it; null:
 *   neither is known
 */
function accessTo({ users, roles }, { database, name }) {
  if (users === null && roles === null) return null;
  const all = roles ?? [];
  const naming = all.filter(({ privileges }) =>
    privileges.some(
      ({ resource }) =>
        resource.db === database && (resource.collection === name || resource.collection === ''),
    ),
  );
  /** @type {(granted: RoleName[], seen?: Set<string>) => boolean} */
  const reaches = (granted, seen = new Set()) =>
    granted.some((one) => isOf(one, database) || inherits(one, seen));
  /** @type {(one: RoleName, seen: Set<string>) => boolean} */
  const inherits = (one, seen) => {
    const key = `${one.db}.${one.role}`;
    if (seen.has(key)) return false;
    seen.add(key);
    const custom = all.find((role) => role.db === one.db && role.role === one.role);
    return custom !== undefined && (naming.includes(custom) || reaches(custom.roles, seen));
  };
  return {
    roles: naming.map(({ role, db }) => `${db}.${role}`),
    users: (users ?? []).filter((user) => reaches(user.roles)).map((user) => user.name),
  };
}

/** @param {RoleName} role @param {string} database */
const isOf = ({ role, db }, database) => db === database && BUILT_IN.includes(role);

/**
 * Facts that could not be read, and the privilege that each needs.
 * @type {readonly { is: (server: Surroundings) => boolean, say: string }[]}
 */
const UNKNOWN = Object.freeze([
  { is: ({ handles }) => handles === null, say: 'the number of active handles' },
  {
    is: ({ freeBytes }) => freeBytes === null,
    say: 'the free disk space (dbStats, role clusterMonitor)',
  },
  {
    is: ({ oplog, role }) => oplog === null && role !== 'standalone',
    say: 'the time that the oplog covers',
  },
  {
    is: ({ users }) => users === null,
    say: 'the users that reach it by their roles (viewUser, role userAdminAnyDatabase)',
  },
  {
    is: ({ roles }) => roles === null,
    say: 'the roles that name it (viewRole, role userAdminAnyDatabase)',
  },
  {
    is: ({ streams }) => streams === null,
    say: 'open change streams and transactions (inprog, role clusterMonitor)',
  },
  {
    is: ({ directoryPerDB }) => directoryPerDB === null,
    say: 'whether each database has its own directory (getCmdLineOpts, role clusterMonitor)',
  },
  { is: ({ privileges }) => privileges === null, say: 'the privileges of this user' },
  {
    is: ({ taken }) => Object.values(taken).includes(null),
    say: 'the names in use in the target database (listCollections, role readAnyDatabase)',
  },
]);

/** @param {Surroundings} server @returns {string[]} */
const unknownOf = (server) =>
  [
    ...UNKNOWN.filter(({ is }) => is(server)).map(({ say }) => say),
    ...((server.unseenDisks ?? []).length === 0
      ? []
      : [
          `the free disk space of ${server.unseenDisks?.join(', ')}: it cannot be ` +
            'queried from here',
        ]),
  ].map((say) => `Unknown: ${say}.`);

module.exports = { lacking, clusterActions, accessTo, unknownOf };
