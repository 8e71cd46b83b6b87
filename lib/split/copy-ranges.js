'use strict';

const { rate } = require('./rate');
const { forth } = require('./names');
const { majorityTime, write, CALL_MS } = require('./server');
const { converge, readAt } = require('./converge');
const { sourceName } = require('./target');
const { waitForCalm } = require('./guard');

/** @typedef {import('./work').Work} Work */

/** So few that a range of them takes the server a fraction of a second. */
const RANGE = 2_000;
/** Documents of 16 MB may stand in a row: then a range is made smaller until one call does it. */
const EXCEEDED_TIME_LIMIT = 50;

/**
 * In ranges of `_id`, of every type of it: `$lt` of the query language would compare within one type only. Between two ranges the
 * server is given room, and what happened meanwhile is brought over.
 * @param {Work} work @param {() => Promise<unknown>} catchUp
 */
async function copyRanges(work, catchUp) {
  if (work.split.phase !== 'copying') {
    await work.save({ phase: 'copying', startAt: work.split.mode === 'online' ? await work.again(() => majorityTime(work.port)) : null, token: null, copiedTo: null, copied: 0 });
  }
  await converge(work, forth(work.split), { ids: [null], gone: [], time: work.split.startAt });
  const since = new Date();
  const before = work.split.copied;
  for (let size = RANGE; ;) {
    work.safePoint();
    await waitForCalm(work);
    const from = work.split.copiedTo?.id;
    const started = work.split.copiedTo !== null;
    const edge = await work.again(async () => edgeAfter(work, started, from, size));
    try {
      await work.again(() => copyRange(work, { started, from, edge }));
    } catch (error) {
      if (/** @type {any} */ (error).code !== EXCEEDED_TIME_LIMIT || size === 1) throw error;
      size = Math.ceil(size / 2);
      continue;
    }
    if (!edge) return;
    await work.save({ copiedTo: { id: edge._id }, copied: work.split.copied + size });
    work.say(`copying: ${rate(work.split.copied - before, Math.max(0, work.split.documents - before), since)}`);
    if (work.split.mode === 'online') await catchUp();
  }
}

/** @param {Work} work @param {boolean} started @param {any} from @param {number} size @returns {Promise<any>} the first document behind the range; its _id alone */
async function edgeAfter({ port, split }, started, from, size) {
  const [edge] = await port.aggregate(split.from.db, await sourceName(port, forth(split)), [
    ...(started ? [{ $match: between(from) }] : []), { $sort: { _id: 1 } }, { $skip: size }, { $limit: 1 }, { $project: { _id: 1 } },
  ], { hint: { _id: 1 }, maxTimeMS: CALL_MS }).toArray();
  return edge;
}

/** @param {Work} work @param {{ started: boolean, from: any, edge: any }} range */
async function copyRange({ port, split }, { started, from, edge }) {
  await write(port, split.from.db, {
    aggregate: await sourceName(port, forth(split)), cursor: {}, hint: { _id: 1 }, bypassDocumentValidation: true, maxTimeMS: CALL_MS, comment: `mongosh-tune ${split._id}`,
    readConcern: readAt(split.startAt),
    // A null is for $merge no _id; it comes over by itself.
    pipeline: [{ $match: { $and: [{ _id: { $ne: null } }, started ? between(from, edge) : edge ? below(edge) : {}] } }, { $merge: { into: { db: split.into.db, coll: split.into.working }, on: '_id', whenMatched: 'replace', whenNotMatched: 'insert' } }],
  });
}

/** @param {any} from @param {any} [edge] */
const between = (from, edge) => ({ $expr: { $and: [{ $gte: ['$_id', { $literal: from }] }, ...(edge ? [{ $lt: ['$_id', { $literal: edge._id }] }] : [])] } });
/** @param {any} edge */
const below = (edge) => ({ $expr: { $lt: ['$_id', { $literal: edge._id }] } });

module.exports = { copyRanges, between, below };
