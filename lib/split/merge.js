'use strict';

const { DOLLAR_PREFIXED_FIELD_NAME } = require('../base/pure/server-codes');
const { checkStaging, sourceName } = require('./target');
const { write, LONG_READ, CALL_MS } = require('./server');

/**
 * @import { Direction } from './directions'
 * @import { SplitJob } from './split-job'
 * @import { Types } from './types'
 */

/**
 * Copies documents of the source to the staging copy, on the server. An insert or a replacement
 * sets an empty timestamp at the top level to the current time; a pipeline that rebuilds the
 * document keeps it empty, and takes longer.
 * @typedef {{ filter: object, time: any, hint?: object, maxTimeMS?: number }} Some `time`: a
 *   majority has all writes before it
 */

const REPLACE = Object.freeze({ whenMatched: 'replace', whenNotMatched: 'insert' });
/** A document that is not in the target has an event that inserts it. */
const SET_ANEW = Object.freeze({
  whenMatched: [{ $replaceWith: '$$new' }],
  whenNotMatched: 'discard',
});

/**
 * Returns an empty timestamp. No reply of a standalone server has a timestamp from which to make
 * one: there each document counts.
 * @param {any} Timestamp
 */
const emptyOr = (Timestamp) =>
  Timestamp ? { enum: [new Timestamp({ t: 0, i: 0 })] } : { bsonType: 'timestamp' };

/**
 * Makes a filter of documents with an empty timestamp at the top level. A schema is checked three
 * times as fast as an expression.
 * @param {Types} types
 * @returns {object}
 */
function withEmptyTimestamp({ Timestamp }) {
  return {
    $nor: [
      {
        $jsonSchema: { properties: { _id: {} }, additionalProperties: { not: emptyOr(Timestamp) } },
      },
    ],
  };
}

/** @param {any} time null: all that a majority has */
const readAt = (time) => ({ level: 'majority', ...(time && { afterClusterTime: time }) });

/** @param {SplitJob} job @param {Direction} direction @param {Some} some @param {Types} types */
async function mergeSelected(job, direction, some, types) {
  const name = await readableAndThere(job, direction);
  const replace = () => job.write(() => merge(job, direction, { name, ...some }, REPLACE));
  // This read runs beside the copy, so that it takes no additional time; what changes between the
  // two makes an event.
  const asked = hasEmpty(job, direction, { name, ...some }, types);
  asked.catch(() => undefined);
  await replace().catch(async (error) => {
    // A document may be inserted, but not replace another one.
    if (error.code !== DOLLAR_PREFIXED_FIELD_NAME) throw error;
    await removeFromCopy(job, direction, some.filter);
    await replace();
  });
  if (await asked) await mergeKeepingEmptyTimestamps(job, direction, some, types);
}

/**
 * Returns the name of the source, once the copy is seen in its place: a write to a missing copy
 * would make it again, with these documents only.
 * @param {SplitJob} job @param {Direction} direction @returns {Promise<string>}
 */
async function readableAndThere(job, direction) {
  const [name] = await Promise.all([
    job.again(() => sourceName(job.port, direction)),
    job.again(() => checkStaging(job, direction)),
  ]);
  return name;
}

/** @param {SplitJob} job @param {Direction} direction @param {object} filter */
const removeFromCopy = (job, { to }, filter) =>
  job.write(() =>
    write(job.port, to.db, {
      delete: to.stagingName,
      deletes: [{ q: filter, limit: 0 }],
      maxTimeMS: CALL_MS,
      comment: `mongosh-tune ${job.split._id}`,
    }),
  );

/** @param {SplitJob} job @param {Direction} direction @param {Some} some @param {Types} types */
async function mergeKeepingEmptyTimestamps(job, direction, { filter, ...some }, types) {
  const name = await job.again(() => sourceName(job.port, direction));
  const both = { $and: [filter, withEmptyTimestamp(types)] };
  await job.write(() => merge(job, direction, { name, filter: both, ...some }, SET_ANEW));
}

/** @param {SplitJob} job @param {Direction} direction @param {Some & { name: string }} some @param {object} how */
function merge({ port, split }, { from, to }, { name, filter, time, ...limits }, how) {
  return write(port, from.db, {
    aggregate: name,
    pipeline: [
      { $match: filter },
      { $merge: { into: { db: to.db, coll: to.stagingName }, on: '_id', ...how } },
    ],
    cursor: {},
    bypassDocumentValidation: true,
    readConcern: readAt(time),
    comment: `mongosh-tune ${split._id}`,
    ...limits,
  });
}

/**
 * @param {SplitJob} job @param {Direction} direction @param {Some & { name: string }} some @param {Types} types
 * @returns {Promise<boolean>}
 */
async function hasEmpty(
  { port, again, split },
  { from },
  { name, filter, time, ...limits },
  types,
) {
  const pipeline = [
    { $match: { $and: [filter, withEmptyTimestamp(types)] } },
    { $limit: 1 },
    { $project: { _id: 1 } },
  ];
  const options = {
    ...LONG_READ,
    ...limits,
    readConcern: readAt(time),
    raw: true,
    comment: `mongosh-tune ${split._id}`,
  };
  const found = await again(() => port.aggregate(from.db, name, pipeline, options).toArray());
  return found.length > 0;
}

module.exports = { mergeSelected, removeFromCopy, mergeKeepingEmptyTimestamps, hasEmpty, readAt };
