'use strict';

/**
 * OPPO's design: documents carry the moment of their deletion (expireAt), which lies in quiet hours, and an index with
 * expireAfterSeconds: 0 deletes them then. Commands only; nobody here runs them.
 *
 * @typedef {import('../model/ttl').TtlIndex} TtlIndex @typedef {import('../model/ttl').Quiet} Quiet
 * @typedef {{ ns: string, index: string, steps: { what: string, command: string }[] }} Design
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIELD = 'expireAt';
/** What belongs to the server stays as it is. */
const OURS = /^(admin|config|local)\.|\.system\./;
/** Further than this in quiet hours nothing is to be gained. */
const ENOUGH = 0.9;

/** @param {TtlIndex} index @param {number | null} quietRatio share that is due in quiet hours already @returns {boolean} */
const canMove = ({ ns, kind, field }, quietRatio) => kind === 'index' && field !== null && !OURS.test(ns) && (quietRatio === null || quietRatio < ENOUGH);

/** @param {TtlIndex} ttl @param {Quiet} quiet @returns {Design} */
function offPeakDesign(ttl, quiet) {
  const { ns, database, collection, field, expireAfterSeconds, index, partial } = ttl;
  const place = `db.getSiblingDB(${JSON.stringify(database)}).getCollection(${JSON.stringify(collection)})`;
  const there = field === FIELD && expireAfterSeconds === 0;
  const filter = partial === null ? '' : `, partialFilterExpression: ${plain(partial) ? JSON.stringify(partial) : `${place}.getIndexes().find(({ name }) => name === ${JSON.stringify(index)}).partialFilterExpression`}`;
  const due = `new Date(+document.${field} + ${expireAfterSeconds * 1000})`;
  return { ns, index: String(index), steps: [
    { what: `in the application, when a document is written (hours are UTC): document.${FIELD} = quiet(${due})`, command: `const quiet = ${quietFunction(quiet)}` },
    { what: 'once for the documents that are there; it writes each of them, so at a quiet time, and in parts if they are many', command: `${place}.updateMany(${JSON.stringify(toFill(ttl, there))}, ${JSON.stringify([{ $set: { [FIELD]: quietExpression(ttl, quiet) } }])})` },
    ...(there ? [] : [
      { what: 'the index that deletes them then', command: `${place}.createIndex({ ${FIELD}: 1 }, { expireAfterSeconds: 0${filter} })` },
      { what: 'at last, when all documents have the field; until then the old index deletes as before', command: `${place}.dropIndex(${JSON.stringify(index)})` },
    ]),
  ] };
}

/** A moment in quiet hours stays; any other moves to the next quiet hours, to the place there that it had in its day. @param {Quiet} quiet */
const quietFunction = ({ hour, hours }) => `(due) => { const at = (due - ${hour * HOUR_MS}) % ${DAY_MS}; return at < ${hours * HOUR_MS} ? due : new Date(due - at + ${DAY_MS} + at * ${hours / 24}); }`;

/** The same for the server, in operators that every release since 4.2 has. @param {TtlIndex} ttl @param {Quiet} quiet */
function quietExpression({ field, expireAfterSeconds }, { hour, hours }) {
  const at = { $mod: ['$$due', DAY_MS] };
  const moved = { $add: [{ $subtract: ['$$due', at] }, DAY_MS, { $multiply: [at, hours / 24] }] };
  return { $let: {
    vars: { due: { $subtract: [{ $add: [{ $toLong: `$${field}` }, expireAfterSeconds * 1000] }, hour * HOUR_MS] } },
    in: { $toDate: { $toLong: { $add: [{ $cond: [{ $lt: [at, hours * HOUR_MS] }, '$$due', moved] }, hour * HOUR_MS] } } },
  } };
}

/** Arrays of dates are for a person to decide. @param {TtlIndex} ttl @param {boolean} there the field has been there before */
const toFill = ({ field }, there) => ({ ...(there ? {} : { [FIELD]: { $exists: false } }), $expr: { $eq: [{ $type: `$${field}` }, 'date'] } });

/** @param {unknown} value @returns {boolean} JSON says all of it */
function plain(value) {
  if (value === null || typeof value !== 'object') return typeof value !== 'bigint' && value !== undefined;
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]' && kind !== '[object Array]') return false;
  return !('_bsontype' in value) && Object.values(value).every(plain);
}

module.exports = { canMove, offPeakDesign, quietFunction };
