'use strict';

const { toNumber } = require('../../base/pure/numbers');

/**
 * @import { Ask } from './surroundings'
 * @import { Surroundings } from '../pure/types'
 */

const OF_ALL = 'allChangesForCluster';

/**
 * Reads open change streams and transactions, from the operations, idle cursors and idle sessions
 * of the server.
 * @param {Ask} ask
 * @returns {Promise<Pick<Surroundings, 'streams' | 'transactions'>>}
 */
async function collectStreams(ask) {
  const answer = await ask('admin', {
    aggregate: 1,
    cursor: { batchSize: 100_000 },
    pipeline: [
      { $currentOp: { allUsers: true, idleCursors: true, idleSessions: true } },
      {
        $match: {
          $or: [
            { 'transaction.timeOpenMicros': { $exists: true } },
            { 'cursor.originatingCommand.pipeline.0.$changeStream': { $exists: true } },
          ],
        },
      },
      {
        $project: {
          _id: 0,
          ns: 1,
          openMicros: '$transaction.timeOpenMicros',
          aggregate: '$cursor.originatingCommand.aggregate',
          pipeline: '$cursor.originatingCommand.pipeline',
        },
      },
    ],
  });
  if (answer === null) return { streams: null, transactions: null };
  const ops = answer.cursor.firstBatch;
  const open = ops.flatMap((/** @type {any} */ { openMicros }) => toNumber(openMicros) ?? []);
  return {
    streams: ops.filter((/** @type {any} */ { pipeline }) => pipeline !== undefined).map(streamOf),
    transactions: {
      open: open.length,
      longestSeconds:
        open.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b), 0) / 1e6,
    },
  };
}

/** @param {any} op @returns {{ database: string | null, collection: string | null }} */
function streamOf({ pipeline, aggregate, ns }) {
  if (pipeline[0].$changeStream[OF_ALL]) return { database: null, collection: null };
  const database = ns.slice(0, ns.indexOf('.'));
  return { database, collection: typeof aggregate === 'string' ? aggregate : null };
}

module.exports = { collectStreams };
