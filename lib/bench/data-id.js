'use strict';

const { TuneError } = require('../base/pure/errors');

/**
 * @import { Port } from '../base/context'
 * @import { BenchPlan } from './types'
 */

/** Whether the data of a benchmark is still the one that was loaded. */

/**
 * @param {Port} port @param {BenchPlan} plan
 * @returns {Promise<string | null>} of the collection, new each time it is made; null: it is not
 *   there
 */
async function readDataId(port, { database, workload }) {
  const name = workload.collection;
  const { cursor } = await port.command(database, { listCollections: 1, filter: { name } });
  const [found] = cursor.firstBatch;
  return found ? String(found.info?.uuid?.toString('hex')) : null;
}

/**
 * A server answers reads of a collection that is gone, too, and fast: that is no result.
 * @param {Port} port @param {BenchPlan} plan @param {string} dataId of what was loaded
 * @throws {TuneError} TUNE-31002
 */
async function refuseGone(port, plan, dataId) {
  const now = await readDataId(port, plan);
  if (now !== dataId) throw gone(plan, now);
}

/** @param {BenchPlan} plan @param {string | null} now what is there in its place */
const gone = ({ database, workload }, now) =>
  new TuneError(
    'TUNE-31002',
    `Another session dropped the data of this benchmark from "${database}", so later ` +
      'measurements are ' +
      `void.${now === null ? '' : ` The new database "${workload.collection}" stays.`}`,
    { value: database, allowed: 'a database that no one else uses' },
  );

module.exports = { readDataId, refuseGone, gone };
