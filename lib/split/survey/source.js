'use strict';

const {
  COMMAND_NOT_SUPPORTED_ON_VIEW,
  NAMESPACE_NOT_FOUND,
} = require('../../base/pure/server-codes');
const { sleep } = require('../../base/context');
const { collectStats } = require('../../server/collection-stats');
const { listCollections } = require('../../server/namespaces');
const { mapConcurrent } = require('../../base/timing');
const { mapServerError, refusalOf } = require('../../base/server-errors');
const { toNumber } = require('../../base/pure/numbers');
const { LONG_READ } = require('../server');
const { many } = require('../../base/pure/units');

/**
 * @import { Stats } from '../../server/collection-stats'
 * @import { Context } from '../../base/types'
 * @import { SeenCollection } from '../pure/types'
 * @import { Drawn, Sample } from '../pure/definitions'
 */

/** Reads the collections of a database, with what is written to each. */

/**
 * Number of names: more than one answer holds (16 MB, some 100,000 names), so that no cursor has to
 * be followed.
 */
const ONE_BATCH = 1_000_000;
const GONE = new Set([NAMESPACE_NOT_FOUND, COMMAND_NOT_SUPPORTED_ON_VIEW]);

/**
 * @param {Context} ctx
 * @param {string} database
 * @param {number} seconds between the two samples of the counters of each file
 * @returns {Promise<SeenCollection[]>} collections and views, without those dropped meanwhile
 */
async function collectSource(ctx, database, seconds) {
  const listed = await list(ctx, database);
  const stored = listed.filter(({ type }) => type !== 'view' && type !== 'timeseries');
  /** @type {Map<string, any[] | null>} */ const indexes = new Map();
  const first = await sample(
    ctx,
    database,
    stored.map(({ name }) => name),
  );
  await mapConcurrent(
    stored,
    async ({ name }) => {
      indexes.set(name, await indexesOf(ctx, database, name));
    },
    { signal: ctx.signal },
  );
  if (first.size > 0) {
    ctx.progress(
      `tune.split.plan: measuring the writes to ${many(first.size, 'collection')} for ${seconds} s`,
    );
    await sleep(seconds * 1000, ctx.signal);
  }
  const second = await sample(ctx, database, [...first.keys()]);
  return listed.map(({ name, type = 'collection', options, info }) => ({
    ns: `${database}.${name}`,
    database,
    name,
    type,
    uuid: info?.uuid ? hexOf(info.uuid) : null,
    options: options ?? null,
    indexes: indexes.get(name) ?? null,
    sharded: null,
    ...figuresOf(second.get(name) ?? first.get(name)),
    writtenBytesPerSec: writtenOf(first.get(name), second.get(name)),
  }));
}

/**
 * @param {Context} ctx
 * @param {string} database
 * @returns {Promise<any[]>} `options` and `info` only where this user may see them
 */
async function list({ port, signal }, database) {
  try {
    const {
      cursor: { firstBatch },
    } = await listCollections(port, database);
    return firstBatch.sort((/** @type {any} */ a, /** @type {any} */ b) =>
      a.name < b.name ? -1 : 1,
    );
  } catch (error) {
    throw mapServerError(error, 'listCollections', signal);
  }
}

/**
 * @param {Context} ctx
 * @param {string} database
 * @param {string[]} names
 * @returns {Promise<Map<string, Stats>>} without collections that are gone, or refused
 */
async function sample(ctx, database, names) {
  const seen = new Map();
  await mapConcurrent(
    names,
    async (name) => {
      const stats = await collectStats(ctx, { database, name });
      if (stats !== 'gone' && !(stats instanceof Error)) seen.set(name, stats);
    },
    { signal: ctx.signal },
  );
  return seen;
}

/**
 * @param {Context} ctx
 * @param {string} database
 * @param {string} name
 * @returns {Promise<any[] | null>}
 */
async function indexesOf({ port, signal }, database, name) {
  try {
    return (await port.command(database, { listIndexes: name, cursor: { batchSize: ONE_BATCH } }))
      .cursor.firstBatch;
  } catch (error) {
    refusalOf(error, 'listIndexes', signal);
    return GONE.has(/** @type {any} */ (error).code) ? [] : null;
  }
}

/** @param {Stats | undefined} stats */
function figuresOf(stats) {
  if (stats === undefined)
    return {
      documents: null,
      bytes: null,
      storageBytes: null,
      indexBytes: null,
      building: null,
      capped: null,
    };
  const { documents, dataBytes: bytes, collection, indexes, building, capped } = stats;
  return {
    documents,
    bytes,
    storageBytes: collection.storageBytes,
    indexBytes: Object.values(indexes).reduce(
      (sum, { storageBytes }) => sum + (storageBytes ?? 0),
      0,
    ),
    building,
    capped,
  };
}

/**
 * Returns bytes a second, of the file of the documents and those of the indexes.
 * @param {Stats | undefined} before
 * @param {Stats | undefined} after
 * @returns {number | null}
 */
function writtenOf(before, after) {
  if (before === undefined || after === undefined) return null;
  const grown = Object.entries(after.indexes).map(([name, file]) =>
    growth(before.indexes[name]?.writtenBytes, file.writtenBytes),
  );
  const known = [
    growth(before.collection.writtenBytes, after.collection.writtenBytes),
    ...grown,
  ].filter((one) => one !== null);
  return known.length === 0
    ? null
    : (known.reduce((sum, one) => sum + one, 0) * 1000) / (after.atMs - before.atMs);
}

/**
 * @param {number | null | undefined} before
 * @param {number | null} after
 * @returns {number | null} null: not known, or the counter began again
 */
const growth = (before, after) =>
  before === null || before === undefined || after === null || after < before
    ? null
    : after - before;

/** @param {any} uuid a UUID of any driver @returns {string} */
function hexOf(uuid) {
  const hex =
    typeof uuid.toHexString === 'function'
      ? uuid.toHexString(false)
      : Buffer.from(uuid.buffer ?? uuid).toString('hex');
  return hex.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Number of documents: with so many each of four parts is known to within a hundredth of the whole
 * (a binomial of 10,000).
 */
const DRAWN = 10_000;

/**
 * Draws some documents of a collection, by the value of one field: the order is the server's, which
 * knows all types.
 * @param {Context} ctx
 * @param {string} database
 * @param {string} name
 * @param {string} field
 * @returns {Promise<Sample>}
 */
async function drawSample({ port, signal }, database, name, field) {
  try {
    const { cursor } = await port.command(database, {
      aggregate: name,
      cursor: { batchSize: DRAWN },
      allowDiskUse: true,
      maxTimeMS: LONG_READ.maxTimeMS,
      pipeline: [
        { $sample: { size: DRAWN } },
        {
          $project: {
            _id: 0,
            value: `$${field}`,
            there: { $ne: [{ $type: `$${field}` }, 'missing'] },
            bytes: { $bsonSize: '$$ROOT' },
            bornMs: {
              $cond: [
                { $eq: [{ $type: '$_id' }, 'objectId'] },
                { $toLong: { $toDate: '$_id' } },
                null,
              ],
            },
          },
        },
        { $sort: { value: 1 } },
      ],
    });
    const { n } = await port.command(database, { count: name, maxTimeMS: LONG_READ.maxTimeMS });
    return { documents: toNumber(n) ?? null, drawn: cursor.firstBatch.map(sampledDocument) };
  } catch (error) {
    throw mapServerError(error, '$sample', signal);
  }
}

/** @param {any} document @returns {Drawn} */
const sampledDocument = ({ value, there, bytes, bornMs }) => ({
  ...textOf(value),
  bytes: toNumber(bytes) ?? 0,
  bornMs: toNumber(bornMs) ?? null,
  missing: !there,
});

/**
 * The forms in which mongosh reads values that are not JSON.
 * @type {Record<string, (text: string) => string>}
 */
const LITERALS = {
  ObjectId: (text) => `ObjectId("${text}")`,
  Long: (text) => `Long("${text}")`,
  Decimal128: (text) => `Decimal128("${text}")`,
  Int32: (text) => text,
  Double: (text) => text,
};

/** @param {any} value @returns {{ key: string, shown: string }} */
function textOf(value) {
  if (Object.prototype.toString.call(value) === '[object Date]')
    return { key: value.toISOString(), shown: `ISODate("${value.toISOString()}")` };
  const literal = LITERALS[value?._bsontype];
  if (literal) return { key: String(value), shown: literal(String(value)) };
  return {
    key: typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'),
    shown: JSON.stringify(value) ?? 'undefined',
  };
}

module.exports = { collectSource, drawSample };
