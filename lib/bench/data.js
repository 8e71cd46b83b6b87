'use strict';

const { ABOUT, ABOUT_ID, LOADED, PER_PIECE, missingPieces, insertFrom } = require('./load/data');
const { TuneError } = require('../base/pure/errors');
const { isDeepStrictEqual } = require('node:util');

/**
 * @import { Context, Port } from '../base/context'
 * @import { BenchPlan } from './plan'
 * @import { WorkerPool } from './worker-pool'
 */

/**
 * The data of a benchmark: found, loaded, taken away.
 * @typedef {{ data: string, records: number, indexes: number }} Kind what data it is
 * @typedef {{
 *   exists: boolean, kind: Kind | null, reusable: boolean, complete: boolean, runs: number
 * }} Data `reusable`: of the very kind that
 *   is wanted, be it complete or not
 */

/** More than one of ours has; how many somebody else's has is of no interest. */
const MAX_COLLECTIONS = 1000;
const MAX_PIECES = 1_000_000;

/** @param {BenchPlan} plan @returns {Kind} */
const kindOf = ({ workload, records, settings }) => ({
  data: workload.data,
  records,
  indexes: workload.indexes(settings).length,
});

/**
 * @param {Context} ctx @param {BenchPlan} plan
 * @returns {Promise<Data>}
 * @throws {TuneError} TUNE-31002 when the database is somebody else's
 */
async function findData({ port }, plan) {
  const { database } = plan;
  const names = await all(port, database, {
    listCollections: 1,
    nameOnly: true,
    authorizedCollections: true,
    cursor: { batchSize: MAX_COLLECTIONS },
  });
  if (names.length === 0)
    return { exists: false, kind: null, reusable: false, complete: false, runs: 0 };
  const [about] = await all(port, database, { find: ABOUT, filter: { _id: ABOUT_ID }, limit: 1 });
  if (!about) {
    throw new TuneError(
      'TUNE-31002',
      `The database "${database}" is not of tune's making: it has ${names.length} ` +
        'collection(s), and nothing in it says so.',
      { value: database, allowed: 'a database that is not there yet' },
    );
  }
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
 * Loads what is not there yet; data of another kind is dropped first.
 * @param {Context} ctx
 * @param {BenchPlan} plan
 * @param {Data} found
 * @param {WorkerPool} workerPool
 * @returns {Promise<{ loaded: number, resumed: boolean }>} records put in now
 */
async function loadData(ctx, plan, found, workerPool) {
  const { port } = ctx;
  const { database, workload, records, settings } = plan;
  if (found.exists && !found.reusable) await dropData(port, database);
  if (found.reusable && found.complete) return { loaded: 0, resumed: false };
  const resumed = found.reusable;
  if (!resumed) {
    await noteAbout(port, database, {
      ...kindOf(plan),
      madeBy: 'mongosh-tune',
      runs: 0,
      complete: false,
    });
    const indexes = workload.indexes(settings);
    if (indexes.length > 0)
      await port.command(database, {
        createIndexes: workload.collection,
        indexes: indexes.map((key) => ({ key, name: Object.keys(key).join('_') })),
      });
    else await port.command(database, { create: workload.collection });
  }
  const there = await all(port, database, {
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
  await noteAbout(port, database, { complete: true });
  return { loaded, resumed };
}

/**
 * One more run: what it inserts gets numbers of its own.
 * @param {Context} ctx
 * @param {BenchPlan} plan
 * @returns {Promise<number>} the first of them
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
 * Takes the database away, if it is ours.
 * @param {Port} port @param {string} database
 * @returns {Promise<boolean>} whether it was there
 */
async function dropData(port, database) {
  if (!(await findMarker(port, database))) return false;
  await port.command(database, { dropDatabase: 1 });
  return true;
}

/**
 * @param {Port} port
 * @param {string} database
 * @returns {Promise<boolean>} whether the database is one of ours
 */
const findMarker = async (port, database) =>
  (await all(port, database, { find: ABOUT, filter: { _id: ABOUT_ID }, limit: 1 })).length > 0;

/**
 * The documents of one reply; a piece too many to fit is loaded again, which changes nothing.
 * @param {Port} port
 * @param {string} database
 * @param {Record<string, unknown>} command
 * @returns {Promise<any[]>}
 */
async function all(port, database, command) {
  const { cursor } = await port.command(database, command);
  return cursor.firstBatch;
}

module.exports = { findData, loadData, beginRun, dropData, findMarker };
