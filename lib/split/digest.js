'use strict';

const crypto = require('node:crypto');
const { mapConcurrent } = require('../base/timing');
const { LONG_READ } = require('./server');
const { sourceName } = require('./target');
const { filterOf, partsOf, typesOf } = require('./ids');

/**
 * @import { Direction } from './directions'
 * @import { Id } from './ids'
 * @import { SplitJob } from './split-job'
 */

/**
 * Hashes over every byte of some documents, in the order of `_id`, on both sides of a leg.
 * @typedef {[string, string]} Place database and collection
 * @typedef {{ source: Place, target: Place }} Places
 * @typedef {{ hash: string, documents: number }} Digest
 */

/**
 * Looked at together; where they differ, each is looked at alone. Small, for where much is written
 * most of it differs; heuristic.
 */
const GROUP = 50;
/** Comparisons in flight: each may hold a batch of 16 MB from either side in memory; heuristic. */
const AT_ONCE = Object.freeze({ concurrency: 4 });

/**
 * Names are read once a comparison: that costs as much as a digest.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @returns {Promise<Places>}
 */
const placesOf = async ({ port, again }, direction) => ({
  source: [direction.from.db, await again(() => sourceName(port, direction))],
  target: [direction.to.db, direction.to.stagingName],
});

/**
 * @param {SplitJob} job
 * @param {Places} places
 * @param {object} filter
 * @returns {Promise<[Digest, Digest]>} source and target
 */
const digests = (job, { source, target }, filter) =>
  Promise.all([
    job.again(() => digest(job, source, filter)),
    job.again(() => digest(job, target, filter)),
  ]);

/** @param {SplitJob} job @param {Place} place @param {object} filter @returns {Promise<Digest>} */
async function digest(job, place, filter) {
  const cursor = job.port.aggregate(...place, [{ $match: filter }, { $sort: { _id: 1 } }], {
    ...LONG_READ,
    raw: true,
    hint: { _id: 1 },
  });
  const hash = crypto.createHash('sha1');
  let documents = 0;
  try {
    for (let document = await cursor.tryNext(); document; document = await cursor.tryNext()) {
      hash.update(document);
      documents += 1;
    }
  } finally {
    await cursor.close();
  }
  return { hash: hash.digest('hex'), documents };
}

/**
 * @param {SplitJob} job @param {Direction} direction @param {Id[]} ids
 * @returns {Promise<Id[]>} those whose documents differ
 */
async function differing(job, direction, ids) {
  if (ids.length === 0) return [];
  const places = await placesOf(job, direction);
  const types = await typesOf(job);
  const unlike = async (/** @type {Id[]} */ some) => {
    const [ours, foreign] = await digests(job, places, filterOf(some, types));
    return ours.hash === foreign.hash ? [] : some;
  };
  const suspects = (await mapConcurrent(partsOf(ids, types, GROUP), unlike, AT_ONCE)).flat();
  return ids.length === 1
    ? suspects
    : (await mapConcurrent(suspects, (id) => unlike([id]), AT_ONCE)).flat();
}

module.exports = { placesOf, digest, digests, differing, AT_ONCE };
