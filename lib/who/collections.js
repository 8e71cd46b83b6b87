'use strict';

const { mapServerError, isRefusal } = require('../base/server-errors');
const { toNumber } = require('../base/pure/numbers');

/**
 * @import { CollectionFacts } from './pure/index-to-try'
 * @import { Context } from '../base/types'
 */

/** Collections whose size and indexes are read: those at the top. */
const MAX_COLLECTIONS = 8;
const PATIENCE_MS = 2000;

/**
 * How large the collections of the largest rows are, and which indexes they have.
 * @param {Context} ctx
 * @param {readonly { ns: string, task: string | null }[]} rows
 * @returns {Promise<Map<string, CollectionFacts>>} without those that may not be read
 */
async function collectFacts(ctx, rows) {
  /** @type {Map<string, CollectionFacts>} */ const facts = new Map();
  if (ctx.signal.aborted) return facts;
  const names = [...new Set(rows.filter(isOfCollection).map(({ ns }) => ns))];
  for (const ns of names.slice(0, MAX_COLLECTIONS)) {
    const known = await factsOf(ctx, ns);
    if (known !== null) facts.set(ns, known);
  }
  return facts;
}

/** @param {{ ns: string, task: string | null }} row */
const isOfCollection = ({ ns, task }) =>
  task === null && /^[^.$]+\.[^$]+$/.test(ns) && !/^(local|admin|config)\./.test(ns);

/**
 * @param {Context} ctx
 * @param {string} ns
 * @returns {Promise<CollectionFacts | null>}
 */
async function factsOf({ port, signal }, ns) {
  const at = ns.indexOf('.');
  const [database, name] = [ns.slice(0, at), ns.slice(at + 1)];
  const ask = async (/** @type {object[]} */ pipeline) => {
    try {
      const command = { aggregate: name, pipeline, cursor: {}, maxTimeMS: PATIENCE_MS };
      return (await port.command(database, command)).cursor.firstBatch;
    } catch (error) {
      const mapped = mapServerError(error, '$collStats', signal);
      if (!isRefusal(mapped)) throw mapped;
      return null;
    }
  };
  const stats = await ask(STATS);
  if (stats === null || stats.length === 0) return null;
  const indexes = await ask([{ $indexStats: {} }, { $project: { _id: 0, key: 1 } }]);
  return {
    documents: toNumber(stats[0].documents) ?? null,
    idIndexBytes: toNumber(stats[0].idIndexBytes) ?? null,
    readBytes: toNumber(stats[0].readBytes) ?? null,
    indexes: indexes && indexes.map((/** @type {any} */ { key }) => key ?? {}),
  };
}

const STATS = [
  { $collStats: { storageStats: {} } },
  {
    $project: {
      _id: 0,
      documents: '$storageStats.count',
      idIndexBytes: '$storageStats.indexSizes._id_',
      readBytes: '$storageStats.wiredTiger.cache.bytes read into cache',
    },
  },
];

module.exports = { collectFacts };
