'use strict';

const { WORKLOADS } = require('./load/workloads/workloads');
const {
  ABOUT,
  ABOUT_ID,
  LOADED,
  PER_PIECE,
  missingPieces,
  insertFrom,
  readDataId,
  refuseGone,
  gone,
} = require('./load/data');
const { TuneError } = require('../base/pure/errors');
const { many } = require('../base/pure/units');
const { isDeepStrictEqual } = require('node:util');

/**
 * @import { Port } from '../base/context'
 * @import { WorkerPool } from './worker-pool'
 * @import { Context } from '../base/types'
 * @import { BenchPlan } from './types'
 */

/**
 * The data of a benchmark: how it is found, loaded and dropped.
 * @typedef {{ data: string, records: number, indexes: number }} Kind what data it is
 * @typedef {{
 *   exists: boolean, kind: Kind | null, reusable: boolean, complete: boolean, runs: number
 * }} Data `reusable`: the data is of the kind that the plan wants, complete or not
 * @typedef {{ dropped: string[], left: string[] }} Dropped collections; `left`: not of tune's making
 */

/** A benchmark makes fewer collections than this; how many another user has does not matter. */
const MAX_COLLECTIONS = 1000;
const MAX_PIECES = 1_000_000;
/** A sentence names at most this many collections. */
const MAX_NAMED = 10;

/** @param {BenchPlan} plan @returns {Kind} */
const kindOf = ({ workload, records, settings }) => ({
  data: workload.data,
  records,
  indexes: workload.indexes(settings).length,
});

/**
 * @param {Context} ctx @param {BenchPlan} plan
 * @returns {Promise<Data>}
 * @throws {TuneError} TUNE-31002 when another user made the database
 */
async function findData({ port }, plan) {
  const { database } = plan;
  const names = await collectionsOf(port, database);
  if (names.length === 0)
    return { exists: false, kind: null, reusable: false, complete: false, runs: 0 };
  const [about] = await all(port, database, { find: ABOUT, filter: { _id: ABOUT_ID }, limit: 1 });
  if (!about) {
    throw new TuneError(
      'TUNE-31002',
      `The database "${database}" was not created by tune: it has ` +
        `${many(names.length, 'collection')} without tune's mark.`,
      { value: database, allowed: 'a database that does not exist yet' },
    );
  }
  refuseShared(database, names);
  const kind = { data: about.data, records: Number(about.records), indexes: Number(about.indexes) };
  return {
    exists: true,
    kind,
    reusable: isDeepStrictEqual(kind, kindOf(plan)),
    complete: about.complete === true,
    runs: Number(about.runs),
  };
}

/**
 * @param {Port} port @param {string} database
 * @returns {Promise<string[]>} the names of its collections and views
 */
async function collectionsOf(port, database) {
  const found = await all(port, database, {
    listCollections: 1,
    nameOnly: true,
    authorizedCollections: true,
    cursor: { batchSize: MAX_COLLECTIONS },
  });
  return found.map(({ name }) => String(name));
}

/** Every collection that a benchmark makes. */
const OWN = new Set([
  ABOUT,
  LOADED,
  ...[...WORKLOADS.values()].map((workload) => workload.collection),
]);

/** @param {readonly string[]} names @returns {string[]} those that tune did not make */
const notOwn = (names) => names.filter((name) => !OWN.has(name) && !name.startsWith('system.'));

/**
 * @param {string} database @param {readonly string[]} names of its collections
 * @throws {TuneError} TUNE-31002
 */
function refuseShared(database, names) {
  const others = notOwn(names);
  if (others.length > 0) throw shared(database, others);
}

/** @param {string} database @param {readonly string[]} others collections that tune did not make */
const shared = (database, others) =>
  new TuneError(
    'TUNE-31002',
    `The database "${database}" has collections that tune did not create: ` +
      `${others.slice(0, MAX_NAMED).join(', ')}${others.length > MAX_NAMED ? ', …' : ''}.`,
    { value: database, allowed: 'a database that no one else uses' },
  );

/**
 * Loads the pieces that are missing; drops data of another kind first.
 * @param {Context} ctx
 * @param {BenchPlan} plan
 * @param {Data} found
 * @param {WorkerPool} workerPool
 * @returns {Promise<{ loaded: number, resumed: boolean, dataId: string }>} `loaded`: records that
 *   this call put in
 * @throws {TuneError} TUNE-31002 where another session dropped the data meanwhile
 */
async function loadData(ctx, plan, found, workerPool) {
  const { port } = ctx;
  const { database, workload, records } = plan;
  if (found.exists && !found.reusable) await dropData(port, database);
  const resumed = found.reusable;
  const keptId = resumed ? await readDataId(port, plan) : null;
  if (resumed && found.complete) {
    if (keptId === null) throw gone(plan, null);
    return { loaded: 0, resumed: false, dataId: keptId };
  }
  if (!resumed) {
    await markOwn(port, database, {
      ...kindOf(plan),
      madeBy: 'mongosh-tune',
      runs: 0,
      complete: false,
    });
    await refuseCompany(port, database);
  }
  const dataId = keptId ?? (await createData(port, plan));
  const there =
    keptId === null
      ? []
      : await all(port, database, {
          find: LOADED,
          projection: { _id: 1 },
          batchSize: MAX_PIECES,
          singleBatch: true,
        });
  const missing = missingPieces(
    records,
    there.map(({ _id }) => Number(_id)),
  );
  const loaded = await workerPool.load(missing, {
    workload: workload.name,
    collection: workload.collection,
    database,
    perPiece: PER_PIECE,
    records,
  });
  await refuseGone(port, plan, dataId);
  await noteAbout(port, database, { complete: true });
  return { loaded, resumed, dataId };
}

/** @param {Port} port @param {BenchPlan} plan @returns {Promise<string>} see readDataId */
async function createData(port, plan) {
  const { database, workload, settings } = plan;
  const indexes = workload.indexes(settings);
  if (indexes.length > 0)
    await port.command(database, {
      createIndexes: workload.collection,
      indexes: indexes.map((key) => ({ key, name: Object.keys(key).join('_') })),
    });
  else await port.command(database, { create: workload.collection });
  const dataId = await readDataId(port, plan);
  if (dataId === null) throw gone(plan, null);
  return dataId;
}

/**
 * Counts one more run, so that the records it inserts get numbers that no other run uses.
 * @param {Context} ctx
 * @param {BenchPlan} plan
 * @returns {Promise<number>} the first of these numbers
 */
async function beginRun({ port }, { database, records }) {
  const { value } = await port.command(database, {
    findAndModify: ABOUT,
    query: { _id: ABOUT_ID },
    update: { $inc: { runs: 1 } },
  });
  return insertFrom(records, Number(value?.runs ?? 0));
}

/**
 * @param {Port} port
 * @param {string} database
 * @param {Record<string, unknown>} about
 */
const noteAbout = (port, database, about) =>
  port.command(database, {
    update: ABOUT,
    updates: [{ q: { _id: ABOUT_ID }, u: { $set: about }, upsert: true }],
  });

/**
 * Marks the database as tune's. Where another benchmark began at the same time, only one insert
 * succeeds, and only its session removes the mark.
 * @param {Port} port
 * @param {string} database
 * @param {Record<string, unknown>} about
 * @throws {TuneError} TUNE-31002
 */
async function markOwn(port, database, about) {
  const { n } = await port.command(database, {
    insert: ABOUT,
    documents: [{ _id: ABOUT_ID, ...about }],
  });
  if (n === 0)
    throw new TuneError(
      'TUNE-31002',
      `Another benchmark has just begun in the database "${database}".`,
      { value: database, allowed: 'a database that no one else uses' },
    );
}

/**
 * Removes the mark again where another user has begun to use the database since it was checked:
 * nothing is written beside foreign data.
 * @param {Port} port @param {string} database
 * @throws {TuneError} TUNE-31002
 */
async function refuseCompany(port, database) {
  const others = (await collectionsOf(port, database)).filter(
    (name) => name !== ABOUT && !name.startsWith('system.'),
  );
  if (others.length === 0) return;
  await port.command(database, { delete: ABOUT, deletes: [{ q: { _id: ABOUT_ID }, limit: 1 }] });
  const { n } = await port.command(database, { count: ABOUT });
  if (n === 0) await port.command(database, { drop: ABOUT });
  throw shared(database, others);
}

/**
 * Drops what a benchmark made, one collection after the other and the mark last; the server removes
 * a database without collections. Collections of other users stay.
 * @param {Port} port @param {string} database
 * @returns {Promise<Dropped | null>} null: tune did not make the database
 */
async function dropData(port, database) {
  if (!(await findMarker(port, database))) return null;
  const names = await collectionsOf(port, database);
  const own = names.filter((name) => OWN.has(name) && name !== ABOUT);
  for (const name of [...own, ABOUT]) await port.command(database, { drop: name });
  return { dropped: own, left: notOwn(names) };
}

/**
 * @param {Port} port
 * @param {string} database
 * @returns {Promise<boolean>} whether tune made the database
 */
const findMarker = async (port, database) =>
  (await all(port, database, { find: ABOUT, filter: { _id: ABOUT_ID }, limit: 1 })).length > 0;

/**
 * Reads the documents of one reply. A piece that does not fit into it is loaded again, which
 * changes nothing.
 * @param {Port} port
 * @param {string} database
 * @param {Record<string, unknown>} command
 * @returns {Promise<any[]>}
 */
async function all(port, database, command) {
  const { cursor } = await port.command(database, command);
  return cursor.firstBatch;
}

module.exports = { findData, loadData, beginRun, dropData, findMarker, collectionsOf, notOwn };
