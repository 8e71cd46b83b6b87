'use strict';

const { sourceName } = require('./target');
const { write, READ, CALL_MS } = require('./server');

/**
 * The server writes documents of the source to the target. Whatever it inserts or replaces gets the time of that moment in place of an
 * empty timestamp; a pipeline that sets a document anew leaves it empty. That one is for those which have one: it takes longer.
 *
 * @typedef {import('./work').Work} Work @typedef {import('./names').Leg} Leg
 * @typedef {{ filter: object, time: any, hint?: object, maxTimeMS?: number }} Some `time`: what most members have, as of then at least
 */

/** What is not so at the top of a document; a standalone server shows us no timestamp, from which an empty one could be made: there each one counts. @param {any} Timestamp */
const emptyOr = (Timestamp) => (Timestamp ? { enum: [new Timestamp({ t: 0, i: 0 })] } : { bsonType: 'timestamp' });

/** With one at the top, where the server fills it. A schema is checked on the bytes: by far quicker than an expression. @param {import('./bson-values').Types} types @returns {object} */
const withEmptyTimestamp = ({ Timestamp }) => ({ $nor: [{ $jsonSchema: { properties: { _id: {} }, additionalProperties: { not: emptyOr(Timestamp) } } }] });

/** What most members have, as of the last event at least. @param {any} time */
const readAt = (time) => ({ level: 'majority', ...(time && { afterClusterTime: time }) });

/** A document with such a field may be inserted, and does not replace another. */
const DOLLAR_PREFIXED = 52;
const REPLACE = Object.freeze({ whenMatched: 'replace', whenNotMatched: 'insert' });
/** What is not there comes with an event of its own. */
const SET_ANEW = Object.freeze({ whenMatched: [{ $replaceWith: '$$new' }], whenNotMatched: 'discard' });

/** @param {Work} work @param {Leg} leg @param {Some} some @param {import('./bson-values').Types} types */
async function mergeSome(work, leg, some, types) {
  const name = await work.again(() => sourceName(work.port, leg));
  // Beside the first one, which it does not hold up; what changes between the two makes an event of its own.
  const asked = hasEmpty(work, leg, { name, ...some }, types);
  asked.catch(() => undefined);
  await work.write(() => merge(work, leg, { name, ...some }, REPLACE)).catch(async (error) => {
    if (error.code !== DOLLAR_PREFIXED) throw error;
    await takeOut(work, leg, some.filter);
    await work.write(() => merge(work, leg, { name, ...some }, REPLACE));
  });
  if (await asked) await keepEmpty(work, leg, some, types);
}

/** @param {Work} work @param {Leg} leg @param {object} filter */
const takeOut = (work, { to }, filter) => work.write(() => write(work.port, to.db, {
  delete: to.working, deletes: [{ q: filter, limit: 0 }], maxTimeMS: CALL_MS, comment: `mongosh-tune ${work.split._id}`,
}));

/** @param {Work} work @param {Leg} leg @param {Some} some @param {import('./bson-values').Types} types */
async function keepEmpty(work, leg, { filter, ...some }, types) {
  const name = await work.again(() => sourceName(work.port, leg));
  await work.write(() => merge(work, leg, { name, filter: { $and: [filter, withEmptyTimestamp(types)] }, ...some }, SET_ANEW));
}

/** @param {Work} work @param {Leg} leg @param {Some & { name: string }} some @param {object} how */
const merge = ({ port, split }, leg, { name, filter, time, hint, maxTimeMS }, how) => write(port, leg.from.db, {
  aggregate: name, cursor: {}, bypassDocumentValidation: true, comment: `mongosh-tune ${split._id}`, readConcern: readAt(time), ...(maxTimeMS && { maxTimeMS }), ...(hint && { hint }),
  pipeline: [{ $match: filter }, { $merge: { into: { db: leg.to.db, coll: leg.to.working }, on: '_id', ...how } }],
});

/** @param {Work} work @param {Leg} leg @param {Some & { name: string }} some @param {import('./bson-values').Types} types @returns {Promise<boolean>} whether there is a document with an empty timestamp among them */
async function hasEmpty({ port, again, split }, leg, { name, filter, time, hint, maxTimeMS }, types) {
  const found = await again(() => port.aggregate(leg.from.db, name, [{ $match: { $and: [filter, withEmptyTimestamp(types)] } }, { $limit: 1 }, { $project: { _id: 1 } }], {
    ...READ, readConcern: readAt(time), raw: true, comment: `mongosh-tune ${split._id}`, ...(maxTimeMS && { maxTimeMS }), ...(hint && { hint }),
  }).toArray());
  return found.length > 0;
}

module.exports = { mergeSome, takeOut, keepEmpty, hasEmpty, readAt };
