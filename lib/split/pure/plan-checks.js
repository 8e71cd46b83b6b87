'use strict';

const { bytesOf, partsOf, LONGEST_DATABASE, FORBIDDEN_IN_DATABASE } = require('./split-names');
const { bytes, duration, many } = require('../../base/pure/units');
const { clusterActions, lacking } = require('./rights');

/**
 * @import { Mode, Remark } from './definitions'
 * @import { Move, Surroundings } from './types'
 */

/**
 * Finds what prevents the split as a whole.
 * @typedef {{
 *   from: string, into: readonly string[], mode: Mode,
 *   moves: readonly Move[], server: Surroundings
 * }} Whole
 */

/** The server's own databases, and the one with the state of a split. */
const RESERVED = Object.freeze(['admin', 'config', 'local', 'tune']);
/**
 * Share of the free disk: the journal, the oplog, sorting for indexes and the application need
 * some, too; heuristic.
 */
const DISK_RATIO = 0.8;
/**
 * Seconds from which a transaction is long: the cutover retries while any transaction is open;
 * project heuristic.
 */
const LONG_TRANSACTION_SECONDS = 1;

/** @param {Whole} whole @returns {Remark[]} */
function wholeBlockers({ from, into, moves, server }) {
  return [
    ...into.filter((name) => name !== from).flatMap((name) => database(name, server)),
    ...(['primary', 'standalone', null].includes(server.role)
      ? []
      : [{ what: 'secondary', say: 'This member is not the primary: connect to the primary.' }]),
    ...(server.shardServer
      ? [
          {
            what: 'sharded-cluster',
            say:
              'This is a member of a sharded cluster: its routers would not see the split. ' +
              'moveCollection (8.0) moves an unsharded collection to another shard, which ' +
              'relieves this server more.',
          },
        ]
      : []),
    ...(server.shardServer === null
      ? [
          {
            what: 'sharded-cluster-unknown',
            say:
              'Unknown whether this is a member of a sharded cluster, whose routers would ' +
              'not see the split. Grant getCmdLineOpts on the cluster (role clusterMonitor), ' +
              'then plan again.',
          },
        ]
      : []),
    ...(server.writesBlocked
      ? [
          {
            what: 'write-block',
            say: 'Writes are blocked by setUserWriteBlockMode: lift it first.',
          },
        ]
      : []),
    ...(server.committedReads === false && server.role !== 'standalone'
      ? [
          {
            what: 'majority',
            say:
              'This server does not support reads of majority-committed data ' +
              '(enableMajorityReadConcern: false), which a change stream needs.',
          },
        ]
      : []),
    ...(moves.length > 0 ? [...disk(moves, server, 1), ...privileges(from, moves, server)] : []),
  ];
}

/** @param {Whole} whole @returns {Remark[]} */
function wholeWarnings({ from, mode, moves, server }) {
  if (moves.length === 0) return [];
  return [
    ...(mode === 'offline'
      ? [
          {
            what: 'offline',
            say:
              'A standalone server has no change streams: each collection is blocked for ' +
              `writes while it is copied${takes(moves)}. A replica set of one member avoids that.`,
          },
        ]
      : []),
    {
      what: 'lookups',
      say:
        '$lookup, $graphLookup and $unionWith cannot read another database. On the source name they ' +
        'fail (error 241); for collections that stay, they return nothing. Check the application ' +
        'code for them.',
    },
    ...(disk(moves, server, 1).length > 0 ? [] : disk(moves, server, DISK_RATIO)),
    ...transactions(server),
    ...streams(from, server),
  ];
}

/** @param {string} name @param {Surroundings} server @returns {Remark[]} */
function database(name, { databases }) {
  const other = databases?.find((one) => one !== name && one.toLowerCase() === name.toLowerCase());
  return [
    ...(RESERVED.includes(name.toLowerCase())
      ? [
          {
            what: 'database-name',
            say: `The database ${name} is reserved by MongoDB or by tune: choose another name.`,
          },
        ]
      : []),
    ...(FORBIDDEN_IN_DATABASE.test(name) || bytesOf(name) > LONGEST_DATABASE
      ? [
          {
            what: 'database-name',
            say:
              `${name} cannot be the name of a database: at most ${LONGEST_DATABASE} bytes, ` +
              `and none of / \\ . " $ * < > : | ? or a space.`,
          },
        ]
      : []),
    ...(other === undefined
      ? []
      : [
          {
            what: 'database-name',
            say:
              `There is a database ${other}, and names may not differ in case alone: ` +
              `choose another name than ${name}.`,
          },
        ]),
  ];
}

/**
 * @param {readonly Move[]} moves
 * @param {Surroundings} server
 * @param {number} ratio
 * @returns {Remark[]}
 */
function disk(moves, { freeBytes, freeOn = null }, ratio) {
  const needed = moves.reduce((sum, { diskBytes }) => sum + (diskBytes ?? 0), 0);
  if (freeBytes === null || needed <= freeBytes * ratio) return [];
  return [
    {
      what: 'disk',
      say:
        `Both copies are on the disk until the split is finished: that takes ${bytes(needed)} ` +
        `more on every member, of ${bytes(freeBytes)} that are ` +
        `free${freeOn === null ? '' : ` on ${freeOn}`}.`,
    },
  ];
}

/**
 * @param {string} from
 * @param {readonly Move[]} moves
 * @param {Surroundings} server
 * @returns {Remark[]}
 */
function privileges(from, moves, { privileges: granted, version }) {
  const databases = [...new Set([from, ...moves.map(({ into }) => partsOf(into)[0])])];
  const cluster = clusterActions({
    version,
    ranges: moves.some(({ method }) => method === 'ranges'),
  });
  const missing = lacking(granted, { databases, cluster });
  if (missing.length === 0) return [];
  return [
    {
      what: 'privileges',
      say:
        'This user lacks the privileges ' +
        `${missing.map(({ on, actions }) => `${actions.join(', ')} on ${on}`).join('; ')}. ` +
        `The smallest role: readWrite and dbAdmin on ${databases.join(', ')}, ` +
        'readWrite on ' +
        `tune${cluster.length === 0 ? '' : `, and on the cluster ${cluster.join(', ')}`} ` +
        '(docs/privileges.md has it as commands).',
    },
  ];
}

/** @param {Surroundings} server @returns {Remark[]} */
function transactions({ transactions: open }) {
  if (open === null || open.open === 0 || open.longestSeconds < LONG_TRANSACTION_SECONDS) return [];
  return [
    {
      what: 'transactions',
      say:
        `${many(open.open, 'transaction is', 'transactions are')} open, the longest ` +
        `for ${duration(open.longestSeconds * 1000)}: the cutover waits for each, ` +
        'including read-only ones and those on other databases.',
    },
  ];
}

/** @param {string} from @param {Surroundings} server @returns {Remark[]} */
function streams(from, { streams: open }) {
  const wide = (open ?? []).filter(
    ({ database: name, collection }) => collection === null && (name === null || name === from),
  ).length;
  return wide === 0
    ? []
    : [
        {
          what: 'change-streams',
          say:
            `${wide} change ${wide === 1 ? 'stream watches' : 'streams watch'} the ` +
            'whole database or all of them: they see the collections renamed. A ' +
            `stream on ${from} alone does not see the target database.`,
        },
      ];
}

/** @param {readonly Move[]} moves */
function takes(moves) {
  const longest = moves.reduce(
    (max, { estimateSeconds: { total } }) => Math.max(max, total ?? 0),
    0,
  );
  return longest === 0 ? '' : ` (up to ${duration(Math.ceil(longest) * 1000)})`;
}

module.exports = { wholeBlockers, wholeWarnings };
