'use strict';

const { ttlIndexesOf, isTimeSeries, BUCKETS } = require('./pure/ttl');
const { mapServerError, isRefusal } = require('../base/server-errors');

/**
 * @import { Context } from '../base/context'
 * @import { Namespace } from '../server/namespaces'
 * @import { TtlIndex } from './pure/ttl'
 */

/** Gone meanwhile: NamespaceNotFound; replaced by a view: CommandNotSupportedOnView. */
const GONE = new Set([26, 166]);

/**
 * @typedef {{ what: string, database: string, count: number, message: string }} Refusal of a
 *   command for `count` collections
 */

/**
 * The TTL indexes of a collection. Where this user may not list indexes, $indexStats tells the same
 * of each, and needs no more than clusterMonitor (seen on 6.0; it tells `spec` since 4.2.4).
 * @param {Context} ctx
 * @param {Map<string, Refusal>} refused
 * @param {Namespace} namespace
 * @returns {Promise<TtlIndex[] | null>} null: not known
 */
async function collectTtlIndexes(ctx, refused, namespace) {
  const { database, name } = namespace;
  const listed = refused.has(`listIndexes ${database}`)
    ? null
    : await asked(ctx, refused, { database, what: 'listIndexes' }, () =>
        listIndexes(ctx, database, name),
      );
  if (listed !== null) return ttlIndexesOf(namespace, listed);
  const own = isTimeSeries(namespace) ? name.replace(BUCKETS, '') : name; // the buckets themselves are the server's
  const reported = await asked(ctx, refused, { database, what: '$indexStats' }, () =>
    indexStats(ctx, database, own),
  );
  return reported && ttlIndexesOf(namespace, reported);
}

/** @param {Context} ctx @param {string} database @param {string} name @returns {Promise<any[]>} */
async function listIndexes({ port }, database, name) {
  return (await port.command(database, { listIndexes: name, cursor: {} })).cursor.firstBatch;
}

/** @param {Context} ctx @param {string} database @param {string} name @returns {Promise<any[]>} */
async function indexStats({ port }, database, name) {
  const { cursor } = await port.command(database, {
    aggregate: name,
    pipeline: [{ $indexStats: {} }, { $project: { _id: 0, spec: 1 } }],
    cursor: {},
  });
  return cursor.firstBatch.flatMap((/** @type {any} */ { spec }) => spec ?? []);
}

/**
 * What the server refuses is counted by command and database, and is not known.
 * @template T
 * @param {Context} ctx
 * @param {Map<string, Refusal>} refused
 * @param {{ database: string, what: string }} of
 * @param {() => Promise<T>} ask
 * @returns {Promise<T | null>}
 */
async function asked({ signal }, refused, { database, what }, ask) {
  try {
    return await ask();
  } catch (error) {
    const mapped = mapServerError(error, what, signal);
    if (!isRefusal(mapped)) throw mapped;
    const key = `${what} ${database}`;
    if (!GONE.has(/** @type {any} */ (error).code))
      refused.set(key, {
        what,
        database,
        count: (refused.get(key)?.count ?? 0) + 1,
        message: mapped.message,
      });
    return null;
  }
}

module.exports = { collectTtlIndexes, asked };
