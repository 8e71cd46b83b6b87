'use strict';

const { TTL_STATUS } = require('../server/pure/commands');
const { isGone } = require('../server/collection-stats');
const { collectNamespaces } = require('../server/namespaces');
const { BUCKETS } = require('../server/pure/collections');
const { mapConcurrent, isProgressDue } = require('../base/timing');
const { toNumber, toMs } = require('../base/pure/numbers');
const { refusalOf } = require('../base/server-errors');
const { isOwn, dueOf, firstDue, expiryOf, ttlIndexesOf, isTimeSeries } = require('./pure/ttl');

/**
 * @import { Namespace } from '../server/namespaces'
 * @import { Expiry } from './pure/ttl'
 * @import { Context } from '../base/types'
 * @import { TtlIndex } from './pure/types'
 * @import { Ttl } from './types'
 */

/**
 * Documents drawn of each collection. Where this is less than a twentieth of them the server draws
 * at random, else it reads all of them: so never more than 20,000. A thousand are enough for the share of an
 * hour to some three percent of all.
 */
const SAMPLED = 1000;
/** Only the largest collections are sampled. */
const MAX_COLLECTIONS = 50;
const PATIENCE_MS = 5000;

/**
 * @typedef {TtlIndex & { documents: number | null, expiry: Expiry | null, arrays: boolean }} Seen
 *   `arrays`: some documents hold an array there
 */

/**
 * @param {Context} ctx
 * @returns {Promise<{ status: any, nowMs: number, monitor: { enabled: boolean | null, everySeconds:
 *   number | null } }>}
 */
async function collectTtlWork({ port }) {
  const [status, parameters] = await Promise.all([
    port.adminCommand(TTL_STATUS),
    port
      .adminCommand({ getParameter: 1, ttlMonitorEnabled: 1, ttlMonitorSleepSecs: 1 })
      .catch(() => ({})), // without the privilege: not known
  ]);
  return {
    status,
    nowMs: toMs(status.localTime) ?? Date.now(),
    monitor: {
      enabled: parameters.ttlMonitorEnabled ?? null,
      everySeconds: toNumber(parameters.ttlMonitorSleepSecs) ?? null,
    },
  };
}

/**
 * Every TTL index that this user may see, with how many documents it has and when they are due.
 * @param {Context} ctx @param {number} nowMs of the server's clock
 * @returns {Promise<Ttl>} also after Ctrl-C or a lost connection, over what was seen until then
 */
async function collectTtl(ctx, nowMs) {
  /** @type {Ttl} */ const ttl = {
    seen: [],
    due: [],
    collections: 0,
    asked: 0,
    unknown: 0,
    wholeUnknown: new Set(),
    notes: [],
    refused: new Map(),
    ended: 'complete',
    error: null,
  };
  try {
    const { namespaces, notes } = await collectNamespaces(ctx, { options: true });
    ttl.notes.push(...notes);
    const expiring = namespaces.filter(
      ({ ns, name }) => !/^(local|admin\.system)\./.test(ns) && name !== 'system.views',
    ); // nothing expires there
    ttl.asked = expiring.length;
    await mapConcurrent(expiring, (namespace) => sample(ctx, ttl, namespace), {
      signal: ctx.signal,
    });
    await drawAll(ctx, ttl, nowMs);
    return ttl;
  } catch (error) {
    return Object.assign(ttl, { ended: ctx.signal.aborted ? 'interrupted' : 'lost', error });
  }
}

/** @param {Context} ctx @param {Ttl} ttl @param {Namespace} namespace */
async function sample(ctx, ttl, namespace) {
  const indexes = await collectTtlIndexes(ctx, ttl.refused, namespace);
  if (indexes === null) ttl.unknown += 1;
  if (namespace.options === null) ttl.wholeUnknown.add(namespace.database);
  const documents = indexes?.length ? await countOf(ctx, ttl, indexes[0]) : null;
  ttl.seen.push(
    ...(indexes ?? []).map((index) => ({ ...index, documents, expiry: null, arrays: false })),
  );
  ttl.collections += 1;
  if (isProgressDue(ttl.collections, ttl.asked))
    ctx.progress(
      `tune.ttl: indexes of ${ttl.collections} of ${ttl.asked} collections; Ctrl-C ends it`,
    );
}

/**
 * @param {Context} ctx
 * @param {Ttl} ttl
 * @param {TtlIndex} index
 * @returns {Promise<number | null>} from metadata, so an estimate after a crash
 */
const countOf = (ctx, ttl, { database, collection, kind }) =>
  kind === 'timeseries'
    ? Promise.resolve(null)
    : asked(ctx, ttl.refused, { database, what: '$collStats' }, async () => {
        const { cursor } = await ctx.port.command(database, {
          aggregate: collection,
          pipeline: [{ $collStats: { count: {} } }],
          cursor: {},
        });
        return toNumber(cursor.firstBatch[0]?.count) ?? null;
      });

/** @param {Context} ctx @param {Ttl} ttl @param {number} nowMs */
async function drawAll(ctx, ttl, nowMs) {
  const drawable = ttl.seen.filter(
    ({ ns, kind, documents, expireAfterSeconds }) =>
      !isOwn(ns) && kind !== 'timeseries' && documents !== null && expireAfterSeconds !== null,
  );
  const byCollection = [...new Set(drawable.map(({ ns }) => ns))]
    .map((ns) => drawable.filter((index) => index.ns === ns))
    .sort(([a], [b]) => Number(b.documents) - Number(a.documents));
  if (byCollection.length > MAX_COLLECTIONS)
    ttl.notes.push(
      `Documents were sampled from the ${MAX_COLLECTIONS} largest of ${byCollection.length} ` +
        'collections with TTL indexes.',
    );
  await mapConcurrent(
    byCollection.slice(0, MAX_COLLECTIONS),
    async (indexes) => {
      ctx.progress(`tune.ttl: sampling documents of ${indexes[0].ns}; Ctrl-C ends it`);
      // Documents that a partial index leaves out must be sampled for that index alone.
      const together = indexes.every(({ partial }) => partial === null)
        ? [indexes]
        : indexes.map((index) => [index]);
      for (const some of together) await draw(ctx, ttl, some, nowMs);
    },
    { signal: ctx.signal },
  );
}

/**
 * @param {Context} ctx
 * @param {Ttl} ttl
 * @param {Seen[]} indexes of one collection
 * @param {number} nowMs
 */
async function draw(ctx, ttl, indexes, nowMs) {
  const drawn = await asked(ctx, ttl.refused, { database: indexes[0].database, what: 'find' }, () =>
    valuesOf(ctx, indexes),
  );
  if (drawn === null) return;
  const documents = Number(indexes[0].documents);
  const sample = { sampled: Math.min(SAMPLED, documents), documents, nowMs };
  const dues = drawn.map((values) =>
    indexes.map(({ expireAfterSeconds }, i) => dueOf(values[i], Number(expireAfterSeconds))),
  );
  indexes.forEach((index, i) =>
    Object.assign(index, {
      expiry: expiryOf(
        dues.map((due) => due[i]),
        sample,
      ),
      arrays: drawn.some((values) => Array.isArray(values[i])),
    }),
  );
  ttl.due.push({ ns: indexes[0].ns, expiry: expiryOf(dues.map(firstDue), sample) });
}

/**
 * @param {Context} ctx
 * @param {Seen[]} indexes
 * @returns {Promise<unknown[][]>} of each document the value for each index
 */
async function valuesOf({ port }, indexes) {
  const [{ database, collection, partial }] = indexes;
  const fields = Object.fromEntries(indexes.map(({ field }, i) => [`v${i}`, `$${field}`]));
  const pipeline = [
    { $sample: { size: SAMPLED } },
    ...(partial ? [{ $match: partial }] : []),
    { $project: { _id: 0, ...fields } },
  ];
  const { cursor } = await port.command(database, {
    aggregate: collection,
    pipeline,
    cursor: { batchSize: SAMPLED },
    maxTimeMS: PATIENCE_MS,
  });
  return cursor.firstBatch.map((/** @type {any} */ document) =>
    indexes.map((_, i) => document[`v${i}`]),
  );
}

/**
 * @typedef {{ what: string, database: string, count: number, message: string }} Refusal of a
 *   command for `count` collections
 */

/**
 * The TTL indexes of a collection. Where this user may not list indexes, $indexStats returns the same
 * of each, and needs no more than clusterMonitor (seen on 6.0; it returns `spec` since 4.2.4).
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
 * Asks the server; a refusal is counted by command and database, and the value stays unknown.
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
    const mapped = refusalOf(error, what, signal);
    const key = `${what} ${database}`;
    if (!isGone(error))
      refused.set(key, {
        what,
        database,
        count: (refused.get(key)?.count ?? 0) + 1,
        message: mapped.message,
      });
    return null;
  }
}

module.exports = { collectTtlWork, collectTtl };
