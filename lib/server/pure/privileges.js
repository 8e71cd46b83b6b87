'use strict';

/**
 * The smallest roles that tune needs; docs/privileges.md is made from them and tests log in with
 * them. The built-in role clusterMonitor holds all of READ_ROLE; hostManager and clusterAdmin may
 * set parameters (clusterManager may not).
 * @typedef {{
 *   role: string,
 *   privileges: { resource: { cluster: true } | { db: string, collection: string }, actions:
 *     string[] }[]
 * }} Role
 */

/** @type {Role} */
const READ_ROLE = {
  role: 'tuneRead',
  privileges: [
    {
      resource: { cluster: true },
      actions: [
        'serverStatus',
        'hostInfo',
        'getCmdLineOpts',
        'getParameter',
        'getLog',
        'listDatabases',
        'top',
        'replSetGetStatus',
        'replSetGetConfig',
      ],
    },
    { resource: { db: '', collection: '' }, actions: ['dbStats', 'collStats', 'indexStats'] },
    // Asked for by getDiagnosticData, with replSetGetStatus.
    { resource: { db: 'local', collection: 'oplog.rs' }, actions: ['collStats'] },
  ],
};

/** @type {Role} */
const CHANGE_ROLE = {
  role: 'tuneChange',
  privileges: [...READ_ROLE.privileges, { resource: { cluster: true }, actions: ['setParameter'] }],
};

module.exports = { READ_ROLE, CHANGE_ROLE };
