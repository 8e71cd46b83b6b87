'use strict';

const { refusalOf } = require('../base/server-errors');
const { TuneError } = require('../base/pure/errors');
const { collectStats } = require('../server/collection-stats');

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
async function examineCollections(ctx, rows) {
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
async function factsOf(ctx, ns) {
  const at = ns.indexOf('.');
  const namespace = { database: ns.slice(0, at), name: ns.slice(at + 1) };
  const stats = await collectStats(ctx, namespace, { patienceMs: PATIENCE_MS });
  if (stats === 'gone' || stats instanceof TuneError) return null;
  return {
    documents: stats.documents,
    idIndexBytes: stats.indexes._id_?.storageBytes ?? null,
    readBytes: stats.collection.readBytes,
    indexes: await keysOf(ctx, namespace),
  };
}

/**
 * @param {Context} ctx
 * @param {{ database: string, name: string }} namespace
 * @returns {Promise<Record<string, unknown>[] | null>} null: not permitted
 */
async function keysOf({ port, signal }, { database, name }) {
  try {
    const { cursor } = await port.command(database, {
      aggregate: name,
      pipeline: [{ $indexStats: {} }, { $project: { _id: 0, key: 1 } }],
      cursor: {},
      maxTimeMS: PATIENCE_MS,
    });
    return cursor.firstBatch.map((/** @type {any} */ { key }) => key ?? {});
  } catch (error) {
    refusalOf(error, '$indexStats', signal);
    return null;
  }
}

module.exports = { examineCollections };
