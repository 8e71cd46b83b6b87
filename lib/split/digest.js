'use strict';

const crypto = require('node:crypto');
const { mapConcurrent } = require('../base/timing');
const { LONG_READ } = require('./server');
const { sourceName } = require('./target');
const { filterOf, idIn, isNameable, keyOf, partsOf, typesOf } = require('./ids');

/**
 * @import { Direction } from './directions'
 * @import { Id } from './ids'
 * @import { SplitJob } from './split-job'
 */

/**
 * Hashes every byte of some documents, in the order of `_id`, on both sides of a direction.
 * @typedef {[string, string]} Place database and collection
 * @typedef {{ source: Place, target: Place }} Places
 * @typedef {{ hash: string, documents: number }} Digest
 */

/** Documents compared by one read on either side; heuristic. */
const GROUP = 50;
/** Comparisons in flight: each may hold a batch of 16 MB from either side in memory; heuristic. */
const AT_ONCE = Object.freeze({ concurrency: 4 });

/**
 * Reads the names once for a comparison: that costs as much as a digest.
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
  const hash = crypto.createHash('sha1');
  let documents = 0;
  await forEachDocument(job, place, [{ $match: filter }, { $sort: { _id: 1 } }], (document) => {
    hash.update(document);
    documents += 1;
  });
  return { hash: hash.digest('hex'), documents };
}

/**
 * Reads documents one after the other: together they may be larger than this shell can hold.
 * @param {SplitJob} job @param {Place} place @param {object[]} pipeline
 * @param {(document: Uint8Array) => void} take
 */
async function forEachDocument(job, place, pipeline, take) {
  const options = { ...LONG_READ, raw: true, hint: { _id: 1 } };
  const cursor = job.port.aggregate(...place, pipeline, options);
  try {
    for (let document = await cursor.tryNext(); document; document = await cursor.tryNext())
      take(document);
  } finally {
    await cursor.close();
  }
}

/**
 * @param {SplitJob} job @param {Direction} direction @param {Id[]} ids
 * @returns {Promise<Id[]>} the ids whose documents differ
 */
async function differing(job, direction, ids) {
  if (ids.length === 0) return [];
  const places = await placesOf(job, direction);
  const types = await typesOf(job);
  const isNamed = (/** @type {Id} */ id) => isNameable(id, types);
  const unlike = async (/** @type {Id[]} */ some) => {
    const filter = filterOf(some, types);
    const [ours, foreign] = await Promise.all([
      job.again(() => hashes(job, places.source, filter)),
      job.again(() => hashes(job, places.target, filter)),
    ]);
    return some.filter((id) => ours.get(keyOf(id)) !== foreign.get(keyOf(id)));
  };
  // A document that no command can name is compared with all of its type.
  const unlikeOfType = async (/** @type {Id} */ id) => {
    const [ours, foreign] = await digests(job, places, filterOf([id], types));
    return ours.hash === foreign.hash ? [] : [id];
  };
  const parts = partsOf(ids.filter(isNamed), types, GROUP);
  const others = ids.filter((id) => !isNamed(id));
  return [
    ...(await mapConcurrent(parts, unlike, AT_ONCE)),
    ...(await mapConcurrent(others, unlikeOfType, AT_ONCE)),
  ].flat();
}

/**
 * @param {SplitJob} job @param {Place} place @param {object} filter
 * @returns {Promise<Map<string, string>>} the hash of each document, by its id
 */
async function hashes(job, place, filter) {
  /** @type {Map<string, string>} */
  const found = new Map();
  await forEachDocument(job, place, [{ $match: filter }], (document) =>
    found.set(keyOf(idIn(document)), hashOf(document)),
  );
  return found;
}

/** @param {Uint8Array} document */
const hashOf = (document) => crypto.createHash('sha1').update(document).digest('hex');

module.exports = { placesOf, digest, digests, differing, AT_ONCE };
