'use strict';

const { READ, CALL_MS } = require('./server');
const { idOf, isNameable, rangeOf, typesOf } = require('./ids');

/**
 * @import { Id } from './ids'
 * @import { SplitJob } from './split-job'
 */

/** Ids read at once where the first one cannot be named; heuristic. */
const NEIGHBOURS = 100;

/**
 * Where a range ends: at the first `_id` after so many documents that a command can name. Ids
 * before it that no command can name are in the range.
 * @param {SplitJob} job
 * @param {[string, string]} place database and collection
 * @param {{ from: Id | null, size: number, filter?: object }} range `size`: documents; `filter`: a
 *   filter
 * @returns {Promise<Id | null>} null: the range is the last one
 */
async function edgeOf(job, place, { from, size, filter = {} }) {
  const types = await typesOf(job);
  const matched = { $match: { $and: [rangeOf(from, null, types), filter] } };
  for (let [skip, limit] = [size, 1]; ; [skip, limit] = [skip + limit, NEIGHBOURS]) {
    const pipeline = [
      matched,
      { $sort: { _id: 1 } },
      { $skip: skip },
      { $limit: limit },
      { $project: { _id: 1 } },
    ];
    const options = { ...READ, raw: true, hint: { _id: 1 }, maxTimeMS: CALL_MS };
    const found = await job.port.aggregate(...place, pipeline, options).toArray();
    const edge = found.map(idOf).find((id) => isNameable(id, types));
    if (edge) return edge;
    if (found.length < limit) return null;
  }
}

module.exports = { edgeOf };
