'use strict';

const { TuneError } = require('../base/pure/errors');
const {
  CONVERSION_FAILURE,
  DUPLICATE_KEY,
  MAX_TIME_MS_EXPIRED,
  IMMUTABLE_FIELD,
} = require('../base/pure/server-codes');
const { nsOf } = require('./directions');
const { checkStaging, sourceName } = require('./target');
const {
  edgeOf,
  NULL_ID,
  bracketOf,
  filterOf,
  isNameable,
  isNull,
  partsOf,
  rangeOf,
  typesOf,
} = require('./ids');
const { TYPE, expressionOf, formOf } = require('./bson');
const { mergeSelected, readAt, removeFromCopy } = require('./merge');
const { write, LONG_READ, CALL_MS } = require('./server');

/**
 * @import { Direction } from './directions'
 * @import { Id } from './ids'
 * @import { SplitJob } from './split-job'
 * @import { Types } from './types'
 */

/**
 * Copies the documents of some ids again, on the server; only ids pass through the shell. It may
 * run twice or late: a later write makes another event.
 *
 * @typedef {{ ids: Id[], time: any }} Some `time`: of the last event
 * @typedef {Some & { gone: Id[], smallest?: number }} Batch `gone`: ids with a delete among their
 *   events; `smallest`: a group with a conflict is not divided below it
 */

/**
 * Codes of a conflict: two documents want the same value of a unique index, and one of them is an
 * older version; or `a` was deleted and `A` inserted where the collation treats them as the same.
 */
const CONFLICTS = Object.freeze(new Set([DUPLICATE_KEY, IMMUTABLE_FIELD]));
/**
 * The code where the source was cut off between the name check and the read: the view in its place
 * refuses.
 */
const REFUSED_READ = CONVERSION_FAILURE;
/** Number of documents in a range of one type; heuristic. */
const RANGE = 2_000;

/**
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {Batch} batch
 * @returns {Promise<Id[]>} ids that are pending, because another document still has their value in
 *   a unique index
 */
async function reconcile(job, direction, { ids, gone, time, smallest = 1 }) {
  const types = await typesOf(job);
  const isNamed = (/** @type {Id} */ id) => isNameable(id, types);
  // Where another collection replaced the source no document is copied, and none is deleted.
  if (gone.length > 0 || !ids.every(isNamed))
    await job.again(() => sourceName(job.port, direction));
  await remove(job, direction, gone.filter(isNamed), types);
  if (ids.some(isNull)) await placeNull(job, direction, time, types);
  const named = ids.filter((id) => !isNull(id) && isNamed(id));
  /** @type {Id[]} */ const left = [];
  for (const part of partsOf(named, types)) {
    left.push(
      ...(await place(job, direction, { ids: part, time, smallest, cleared: false }, types)),
    );
  }
  return [
    ...left,
    ...(await placeByType(job, direction, { ids: ids.filter((id) => !isNamed(id)), time }, types)),
  ];
}

/**
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {Some & { cleared: boolean, smallest: number }} some `cleared`: they were removed from the
 *   target
 * @param {Types} types
 * @returns {Promise<Id[]>}
 */
async function place(job, direction, some, types) {
  const { ids, time, cleared, smallest } = some;
  try {
    await mergeSelected(
      job,
      direction,
      { filter: filterOf(ids, types), time, maxTimeMS: CALL_MS },
      types,
    );
    return [];
  } catch (error) {
    const { code } = /** @type {any} */ (error);
    if (code === REFUSED_READ) return place(job, direction, some, types);
    if (code === MAX_TIME_MS_EXPIRED && ids.length > 1)
      return placeHalves(job, direction, some, types);
    if (!CONFLICTS.has(code)) throw error;
    if (!cleared) {
      await remove(job, direction, ids, types);
      return place(job, direction, { ...some, cleared: true }, types);
    }
    return ids.length <= smallest ? ids : placeHalves(job, direction, some, types);
  }
}

/** @type {typeof place} */
async function placeHalves(job, direction, some, types) {
  const { ids } = some;
  const half = Math.ceil(ids.length / 2);
  const left = await place(job, direction, { ...some, ids: ids.slice(0, half) }, types);
  return [...left, ...(await place(job, direction, { ...some, ids: ids.slice(half) }, types))];
}

/**
 * Copies an id that a command cannot name again with all of its type: the documents are removed
 * from the target, and inserted range by range.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {Some} some
 * @param {Types} types
 * @returns {Promise<Id[]>} as in `reconcile`
 */
async function placeByType(job, direction, { ids, time }, types) {
  /** @type {Id[]} */ const left = [];
  const byBracket = new Map(ids.map((id) => [JSON.stringify(bracketOf(id)), bracketOf(id)]));
  for (const [key, bracket] of byBracket) {
    await clear(job, direction, bracket);
    try {
      await placeBracket(job, direction, { bracket, time }, types);
    } catch (error) {
      if (/** @type {any} */ (error).code !== DUPLICATE_KEY) throw error;
      left.push(...ids.filter((id) => JSON.stringify(bracketOf(id)) === key));
    }
  }
  return left;
}

/**
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {{ bracket: object, time: any }} some
 * @param {Types} types
 */
async function placeBracket(job, direction, { bracket, time }, types) {
  /** @type {Id | null} */ let from = null;
  for (let [size, last] = [RANGE, false]; !last;) {
    /** @type {Id | null} */ const start = from;
    try {
      /** @type {Id | null} */ const edge = await nextEdge(job, direction, {
        from: start,
        size,
        filter: bracket,
      });
      const filter = { $and: [bracket, rangeOf(start, edge, types)] };
      await mergeSelected(
        job,
        direction,
        { filter, time, hint: { _id: 1 }, maxTimeMS: CALL_MS },
        types,
      );
      [from, last] = [edge, edge === null];
    } catch (error) {
      const { code } = /** @type {any} */ (error);
      if (code !== REFUSED_READ && (code !== MAX_TIME_MS_EXPIRED || size === 1)) throw error;
      if (code === MAX_TIME_MS_EXPIRED) size = Math.ceil(size / 2);
    }
  }
}

/**
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {Parameters<typeof edgeOf>[2]} range
 * @returns {Promise<Id | null>}
 */
const nextEdge = (job, direction, range) =>
  job.again(async () =>
    edgeOf(job, [direction.from.db, await sourceName(job.port, direction)], range),
  );

/** @param {SplitJob} job @param {Direction} direction @param {Id[]} ids @param {Types} types */
async function remove(job, direction, ids, types) {
  for (const part of partsOf(ids, types))
    await removeFromCopy(job, direction, filterOf(part, types));
}

/**
 * Removes the documents of a type. A call whose time ends has removed a part, and the next call
 * continues.
 * @param {SplitJob} job @param {Direction} direction @param {object} bracket
 */
async function clear(job, direction, bracket) {
  for (let over = false; !over;) {
    over = await removeFromCopy(job, direction, bracket).then(
      () => true,
      (error) => {
        if (error.code !== MAX_TIME_MS_EXPIRED) throw error;
        return false;
      },
    );
    job.throwIfInterrupted();
  }
}

/**
 * Copies the document with a null _id, which $merge refuses; it goes through the shell, as an
 * expression of its bytes.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {any} time
 * @param {Types} types
 */
async function placeNull(job, direction, time, types) {
  const [found] = await readNull(job, direction, { time, options: { raw: true } });
  if (!found) return void (await remove(job, direction, [NULL_ID], types));
  const form = formOf({ type: TYPE.object, name: found, value: found }, { ...types, exact: true });
  // A document that no expression has goes as the driver reads it, and is compared.
  const [unpromoted] = form ? [] : await readNull(job, direction, { time, options: UNPROMOTED });
  if (!form && !unpromoted) return;
  await job.again(() => checkStaging(job, direction));
  // A pipeline keeps an empty timestamp, which a replacement does not.
  const u = [{ $replaceWith: form ? expressionOf(form) : { $literal: unpromoted } }];
  await job.write(() =>
    write(job.port, direction.to.db, {
      update: direction.to.stagingName,
      updates: [{ q: { _id: null }, u, upsert: true }],
      bypassDocumentValidation: true,
      maxTimeMS: CALL_MS,
      comment: `mongosh-tune ${job.split._id}`,
    }),
  );
  if (!form) await checkNullAlike(job, direction, found);
}

/**
 * No comparison need follow, and a repair would write the same again.
 * @param {SplitJob} job @param {Direction} direction @param {Uint8Array} found
 * @throws {TuneError} TUNE-35015
 */
async function checkNullAlike(job, direction, found) {
  const { db, stagingName } = direction.to;
  const how = { ...LONG_READ, readConcern: readAt(null), raw: true };
  const [now] = await job.again(() =>
    job.port.aggregate(db, stagingName, [{ $match: { _id: null } }], how).toArray(),
  );
  const [still] = await readNull(job, direction, { time: null, options: { raw: true } });
  // What was written meanwhile makes an event.
  if (!now || !still || Buffer.compare(found, still) !== 0 || Buffer.compare(found, now) === 0)
    return;
  throw new TuneError(
    'TUNE-35015',
    `The document of ${nsOf(direction.from)} with _id null cannot be copied byte by byte. Give ` +
      'it another _id, or remove it, then retry the command.',
    { value: null },
  );
}

const UNPROMOTED = Object.freeze({
  promoteValues: false,
  promoteLongs: false,
  promoteBuffers: false,
});

/**
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {{ time: any, options: object }} how
 * @returns {Promise<any[]>}
 */
async function readNull({ port, again }, direction, { time, options }) {
  const how = { ...LONG_READ, readConcern: readAt(time), ...options };
  const read = () =>
    again(async () =>
      port
        .aggregate(
          direction.from.db,
          await sourceName(port, direction),
          [{ $match: { _id: null } }],
          how,
        )
        .toArray(),
    );
  // The source was cut off at that moment: it has another name now.
  return read().catch((error) => (error.code === REFUSED_READ ? read() : Promise.reject(error)));
}

module.exports = { reconcile };
