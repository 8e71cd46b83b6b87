'use strict';

/**
 * @import { Surroundings } from './types'
 */

/**
 * What could not be seen, and what it needs.
 * @type {readonly { is: (server: Surroundings) => boolean, say: string }[]}
 */
const UNKNOWN = Object.freeze([
  { is: ({ handles }) => handles === null, say: 'how many handles are active' },
  {
    is: ({ freeBytes }) => freeBytes === null,
    say: 'how much room the disk has (dbStats, role clusterMonitor)',
  },
  {
    is: ({ oplog, role }) => oplog === null && role !== 'standalone',
    say: 'how far back the oplog reaches',
  },
  {
    is: ({ users }) => users === null,
    say: 'which users reach it by their roles (viewUser, role userAdminAnyDatabase)',
  },
  {
    is: ({ roles }) => roles === null,
    say: 'which roles name it (viewRole, role userAdminAnyDatabase)',
  },
  {
    is: ({ streams }) => streams === null,
    say: 'open change streams and transactions (inprog, role clusterMonitor)',
  },
  {
    is: ({ directoryPerDB }) => directoryPerDB === null,
    say: 'whether databases have folders of their own (getCmdLineOpts, role clusterMonitor)',
  },
  { is: ({ privileges }) => privileges === null, say: 'what you may do' },
  {
    is: ({ taken }) => Object.values(taken).includes(null),
    say: 'which names are taken in the target database (listCollections, role readAnyDatabase)',
  },
]);

/** @param {Surroundings} server @returns {string[]} */
const unknownOf = (server) =>
  [
    ...UNKNOWN.filter(({ is }) => is(server)).map(({ say }) => say),
    ...((server.unseenDisks ?? []).length === 0
      ? []
      : [
          `how much room the disk of ${server.unseenDisks?.join(', ')} has: it cannot be ` +
            'asked from here',
        ]),
  ].map((say) => `Not known: ${say}.`);

module.exports = { unknownOf };
