'use strict';

const { READ, CALL_MS } = require('./server');
const { idOf, isOdd, rangeOf, typesOf } = require('./ids');

/** @typedef {import('./work').Work} Work @typedef {import('./ids').Id} Id */

/** Looked at together where the first _id cannot be named; ours. */
const NEIGHBOURS = 100;

/**
 * Where a range ends: at the first `_id` behind so many documents that can be named; what stands before it and can not is in the range, then.
 * @param {Work} work @param {[string, string]} place database and collection
 * @param {{ from: Id | null, size: number, within?: object }} range `within`: of these documents alone
 * @returns {Promise<Id | null>} null: the range has no further end
 */
async function edgeOf(work, place, { from, size, within = {} }) {
  const types = await typesOf(work);
  for (let [skip, limit] = [size, 1]; ; [skip, limit] = [skip + limit, NEIGHBOURS]) {
    const found = await work.port.aggregate(...place, [
      { $match: { $and: [rangeOf(from, null, types), within] } }, { $sort: { _id: 1 } }, { $skip: skip }, { $limit: limit }, { $project: { _id: 1 } },
    ], { ...READ, raw: true, hint: { _id: 1 }, maxTimeMS: CALL_MS }).toArray();
    const edge = found.map(idOf).find((id) => !isOdd(id, types));
    if (edge) return edge;
    if (found.length < limit) return null;
  }
}

module.exports = { edgeOf };
