'use strict';

const { nsOf } = require('./names');
const { sourceName } = require('./target');
const { write, READ, CALL_MS } = require('./server');

/**
 * Makes the documents of some ids in the target what they are in the source now. The server does it; only the ids come to us. Done
 * twice, or late, it does no harm: what changes after our reading makes an event of its own, and that brings us here again.
 *
 * @typedef {import('./work').Work} Work @typedef {import('./names').Leg} Leg
 * @typedef {{ ids: any[], gone: any[], time: any }} Batch `gone`: those that a delete was among; `time`: of the last event
 */

/** Two documents want the same value of a unique index: one of them is what it was earlier. */
const DUPLICATE_KEY = 11000;
/** `a` was deleted and `A` inserted where the collation takes them for the same. */
const IMMUTABLE_FIELD = 66;
const EXCEEDED_TIME_LIMIT = 50;
/** The source was cut off between our look and our reading: the view in its place refuses. */
const REFUSED_READ = 241;

/**
 * @param {Work} work @param {Leg} leg @param {Batch} batch
 * @returns {Promise<any[]>} ids that could not be placed, because another document still has their value in a unique index
 */
async function converge(work, leg, { ids, gone, time }) {
  const isNull = (/** @type {any} */ id) => id === null;
  if (gone.length > 0) await remove(work, leg, gone);
  if (ids.some(isNull)) await placeNull(work, leg, time);
  const others = ids.filter((id) => id !== null);
  return others.length === 0 ? [] : place(work, leg, { ids: others, time, cleared: false });
}

/** @param {Work} work @param {Leg} leg @param {{ ids: any[], time: any, cleared: boolean }} some `cleared`: they were taken out of the target @returns {Promise<any[]>} */
async function place(work, leg, { ids, time, cleared }) {
  try {
    await work.again(() => merge(work, leg, ids, time));
    return [];
  } catch (error) {
    const { code } = /** @type {any} */ (error);
    if (code === REFUSED_READ) return place(work, leg, { ids, time, cleared });
    const conflict = code === DUPLICATE_KEY || code === IMMUTABLE_FIELD;
    if (conflict && !cleared) {
      await remove(work, leg, ids);
      return place(work, leg, { ids, time, cleared: true });
    }
    if (!conflict && (code !== EXCEEDED_TIME_LIMIT || ids.length === 1)) throw error;
    if (ids.length === 1) return ids;
    const half = Math.ceil(ids.length / 2);
    return [...await place(work, leg, { ids: ids.slice(0, half), time, cleared }), ...await place(work, leg, { ids: ids.slice(half), time, cleared })];
  }
}

/** @param {Work} work @param {Leg} leg @param {any[]} ids @param {any} time */
async function merge({ port, split }, leg, ids, time) {
  await write(port, leg.from.db, {
    aggregate: await sourceName(port, leg), cursor: {}, bypassDocumentValidation: true, maxTimeMS: CALL_MS, comment: `mongosh-tune ${split._id}`,
    pipeline: [{ $match: { _id: { $in: ids } } }, { $merge: { into: { db: leg.to.db, coll: leg.to.working }, on: '_id', whenMatched: 'replace', whenNotMatched: 'insert' } }],
    readConcern: readAt(time),
  });
}

/** What most members have, as of the last event at least. @param {any} time */
const readAt = (time) => ({ level: 'majority', ...(time && { afterClusterTime: time }) });

/** @param {Work} work @param {Leg} leg @param {any[]} ids */
const remove = ({ port, again, split }, { to }, ids) => again(() => write(port, to.db, { delete: to.working, deletes: [{ q: { _id: { $in: ids } }, limit: 0 }], maxTimeMS: CALL_MS, comment: `mongosh-tune ${split._id}` }));

/** $merge refuses an _id that is null; that one document goes through us, each value in its own type. @param {Work} work @param {Leg} leg @param {any} time */
async function placeNull(work, leg, time) {
  const { port } = work;
  await work.again(async () => {
    const [found] = await port.aggregate(leg.from.db, await sourceName(port, leg), [{ $match: { _id: null } }], { ...READ, promoteValues: false, promoteLongs: false, promoteBuffers: false, readConcern: readAt(time) }).toArray();
    if (!found) return remove(work, leg, [null]);
    await write(port, leg.to.db, { update: leg.to.working, updates: [{ q: { _id: null }, u: found, upsert: true }], bypassDocumentValidation: true });
  });
}

/** @param {Leg} leg @returns {string} */
const legWords = ({ from, to }) => `${nsOf(from)} to ${nsOf(to)}`;

module.exports = { converge, legWords, readAt };
