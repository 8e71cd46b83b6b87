'use strict';

const { collectNamespaces } = require('./namespaces');
const { inParallel, isTold } = require('./in-parallel');
const { ttlIndexesOf, expiryOf } = require('../model/ttl');
const { toNumber, toMs } = require('../model/sample');
const { mapServerError, isRefusal } = require('../server-errors');

/**
 * Documents drawn for each index. Where this is less than a twentieth of them the server draws at random, else it reads all of
 * them: so never more than 20,000. A thousand tell the share of an hour to some three percent of all.
 */
const SAMPLED = 1000;
/** Only the largest are drawn from. */
const MOST_INDEXES = 50;
const PATIENCE_MS = 5000;
/** What `metrics` brings is needed here alone; all else of serverStatus is left out. */
const WORK_COMMAND = Object.freeze({ serverStatus: 1, wiredTiger: 0, locks: 0, tcmalloc: 0, repl: 0, transactions: 0, opLatencies: 0, network: 0 });
/** Gone meanwhile: NamespaceNotFound; replaced by a view: CommandNotSupportedOnView. */
const GONE = new Set([26, 166]);

/**
 * @typedef {import('../context').Context} Context @typedef {import('../model/ttl').TtlIndex} TtlIndex
 * @typedef {TtlIndex & { documents: number | null, expiry: import('../model/ttl').Expiry | null }} Seen
 * @typedef {{ seen: Seen[], collections: number, asked: number, notes: string[], refused: Map<string, { count: number, message: string }>, ended: 'complete' | 'interrupted' | 'lost', error: Error | null }} Ttl `refused`: by command and database
 */

/** @param {Context} ctx @returns {Promise<{ status: any, nowMs: number, monitor: { enabled: boolean | null, everySeconds: number | null } }>} */
async function collectTtlWork({ port }) {
  const [status, parameters] = await Promise.all([
    port.adminCommand(WORK_COMMAND), port.adminCommand({ getParameter: 1, ttlMonitorEnabled: 1, ttlMonitorSleepSecs: 1 }).catch(() => ({})), // without the privilege: not known
  ]);
  return { status, nowMs: toMs(status.localTime) ?? Date.now(), monitor: { enabled: parameters.ttlMonitorEnabled ?? null, everySeconds: toNumber(parameters.ttlMonitorSleepSecs) ?? null } };
}

/**
 * Every TTL index that this user may see, with how many documents it has and when they are due.
 * @param {Context} ctx @param {number} nowMs of the server's clock
 * @returns {Promise<Ttl>} also after Ctrl-C or a lost connection, over what was seen until then
 */
async function collectTtl(ctx, nowMs) {
  /** @type {Ttl} */ const ttl = { seen: [], collections: 0, asked: 0, notes: [], refused: new Map(), ended: 'complete', error: null };
  try {
    const { namespaces, notes } = await collectNamespaces(ctx, { options: true });
    ttl.notes.push(...notes);
    ttl.asked = namespaces.length;
    await inParallel(namespaces.filter(({ database, name }) => database !== 'local' && name !== 'system.views'), async (namespace) => { // nothing expires there
      const specs = await asked(ctx, ttl, { ...namespace, what: 'listIndexes' }, async () => (await ctx.port.command(namespace.database, { listIndexes: namespace.name, cursor: {} })).cursor.firstBatch);
      const indexes = ttlIndexesOf(namespace, specs ?? []);
      const documents = indexes.length === 0 ? null : await countOf(ctx, ttl, indexes[0]);
      ttl.seen.push(...indexes.map((index) => ({ ...index, documents, expiry: null })));
      ttl.collections += 1;
      if (isTold(ttl.collections, ttl.asked)) ctx.progress(`tune.ttl: indexes of ${ttl.collections} of ${ttl.asked} collections; Ctrl-C answers from what was seen`);
    }, ctx.signal);
    await draw(ctx, ttl, nowMs);
    return ttl;
  } catch (error) {
    return Object.assign(ttl, { ended: ctx.signal.aborted ? 'interrupted' : 'lost', error });
  }
}

/** @param {Context} ctx @param {Ttl} ttl @param {TtlIndex} index @returns {Promise<number | null>} from metadata, so an estimate after a crash */
const countOf = (ctx, ttl, { database, collection, kind }) => (kind === 'timeseries' ? Promise.resolve(null) : asked(ctx, ttl, { database, what: '$collStats' }, async () => {
  const { cursor } = await ctx.port.command(database, { aggregate: collection, pipeline: [{ $collStats: { count: {} } }], cursor: {} });
  return toNumber(cursor.firstBatch[0]?.count) ?? null;
}));

/** @param {Context} ctx @param {Ttl} ttl @param {number} nowMs */
async function draw(ctx, ttl, nowMs) {
  const drawable = ttl.seen.filter(({ kind, documents }) => kind === 'index' && documents !== null).sort((a, b) => Number(b.documents) - Number(a.documents));
  if (drawable.length > MOST_INDEXES) ttl.notes.push(`Documents were drawn for the ${MOST_INDEXES} largest of ${drawable.length} TTL indexes.`);
  await inParallel(drawable.slice(0, MOST_INDEXES), async (index) => {
    ctx.progress(`tune.ttl: drawing documents of ${index.ns}; Ctrl-C answers from what was seen`);
    const values = await asked(ctx, ttl, { ...index, what: 'aggregate' }, () => valuesOf(ctx, index));
    const documents = Number(index.documents);
    if (values !== null) index.expiry = expiryOf(values, { sampled: Math.min(SAMPLED, documents), documents, expireAfterSeconds: index.expireAfterSeconds, nowMs });
  }, ctx.signal);
}

/** @param {Context} ctx @param {TtlIndex} index @returns {Promise<unknown[]>} */
async function valuesOf({ port }, { database, collection, field, partial }) {
  const pipeline = [{ $sample: { size: SAMPLED } }, ...(partial ? [{ $match: partial }] : []), { $project: { _id: 0, at: `$${field}` } }];
  const { cursor } = await port.command(database, { aggregate: collection, pipeline, cursor: { batchSize: SAMPLED }, maxTimeMS: PATIENCE_MS });
  return cursor.firstBatch.map((/** @type {any} */ { at }) => at);
}

/**
 * What the server refuses is counted by database, and is not known.
 * @template T @param {Context} ctx @param {Ttl} ttl @param {{ database: string, what: string }} of @param {() => Promise<T>} ask @returns {Promise<T | null>}
 */
async function asked({ signal }, { refused }, { database, what }, ask) {
  try {
    return await ask();
  } catch (error) {
    const mapped = mapServerError(error, what, signal);
    if (!isRefusal(mapped)) throw mapped;
    const key = `${what} in ${database}`;
    if (!GONE.has(/** @type {any} */ (error).code)) refused.set(key, { count: (refused.get(key)?.count ?? 0) + 1, message: mapped.message });
    return null;
  }
}

module.exports = { collectTtlWork, collectTtl };
