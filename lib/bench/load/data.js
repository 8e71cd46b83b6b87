'use strict';

const { TuneError } = require('../../base/pure/errors');

/**
 * @import { Port } from '../../base/context'
 * @import { BenchPlan } from '../types'
 */

/** The data of a benchmark: its names and pieces, and whether it is still what was loaded. */

/**
 * @param {Port} port @param {BenchPlan} plan
 * @returns {Promise<string | null>} an id of the collection, new each time it is made; null: the
 *   collection does not exist
 */
async function readDataId(port, { database, workload }) {
  const name = workload.collection;
  const { cursor } = await port.command(database, { listCollections: 1, filter: { name } });
  const [found] = cursor.firstBatch;
  return found ? String(found.info?.uuid?.toString('hex')) : null;
}

/**
 * Refuses a result where the data is gone: a server answers reads of a missing collection, too, and
 * fast.
 * @param {Port} port
 * @param {BenchPlan} plan
 * @param {string} dataId the id of the data that was loaded
 * @throws {TuneError} TUNE-31002
 */
async function refuseGone(port, plan, dataId) {
  const now = await readDataId(port, plan);
  if (now !== dataId) throw gone(plan, now);
}

/** @param {BenchPlan} plan @param {string | null} now the id of the data that is there instead */
const gone = ({ database, workload }, now) =>
  new TuneError(
    'TUNE-31002',
    `Another session dropped the data of this benchmark from "${database}", so later ` +
      'measurements are ' +
      `void.${now === null ? '' : ` The new database "${workload.collection}" stays.`}`,
    { value: database, allowed: 'a database that no one else uses' },
  );

/** Names in the database of the benchmark. */
const DATABASE = 'tune_bench';
/**
 * The one document of this collection says that tune made the database, and what is in it. tune
 * never writes to a database without it, and drops nothing from one.
 */
const ABOUT = 'about';
const ABOUT_ID = 'mongosh-tune';
/** This collection has one document for each piece that is loaded. */
const LOADED = 'loaded';
/**
 * The records of one piece: large enough that noting it costs little, small enough for one message.
 */
const PER_PIECE = 1000;
/**
 * How many numbers one run may use for the records it inserts; the next run begins behind them, so
 * that no key comes twice.
 */
const INSERTS_PER_RUN = 1e9;

/** @param {number} records @returns {number[]} the pieces that hold them */
const piecesOf = (records) => Array.from({ length: Math.ceil(records / PER_PIECE) }, (_, i) => i);

/**
 * @param {number} records
 * @param {readonly number[]} loaded the pieces that are loaded
 * @returns {number[]} the pieces that are missing
 */
function missingPieces(records, loaded) {
  const there = new Set(loaded);
  return piecesOf(records).filter((piece) => !there.has(piece));
}

/**
 * @param {number} records
 * @param {number} run from 0
 * @returns {number} the first number of the records that this run inserts
 */
const insertFrom = (records, run) => records + run * INSERTS_PER_RUN;

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} parts
 * @returns {T[][]} the list dealt out in turn, as cards are
 */
const dealt = (list, parts) =>
  Array.from({ length: parts }, (_, part) => list.filter((_one, i) => i % parts === part));

module.exports = {
  DATABASE,
  ABOUT,
  ABOUT_ID,
  LOADED,
  PER_PIECE,
  missingPieces,
  insertFrom,
  dealt,
  INSERTS_PER_RUN,
  readDataId,
  refuseGone,
  gone,
};
