'use strict';

const { collectionText, quoted, literal } = require('../../base/pure/printable');
const { MS_PER_DAY, count } = require('../../base/pure/units');
const { isOwn, quietRatio, HOUR_MS } = require('./ttl');

/**
 * @import { Expiry, Quiet } from './ttl'
 * @import { TtlIndex } from './types'
 */

/**
 * Makes the commands for OPPO's design, and runs none of them: documents carry the moment of their
 * deletion (expireAt), which lies in quiet hours, and an index with expireAfterSeconds: 0 deletes
 * them then.
 *
 * @typedef {TtlIndex & { expiry: Expiry | null, arrays: boolean }} Seen
 * @typedef {{ what: string, command: string }} Step
 * @typedef {{ ns: string, indexes: string[], steps: Step[] }} Design
 */

const FIELD = 'expireAt';
/**
 * Fewer documents a day are no burden at any hour: 7 in each pass of the server, one pass a minute.
 */
const WORTH_PER_DAY = 10_000;
/** With a larger share in quiet hours a move gains nothing. */
const ENOUGH_RATIO = 0.9;

/**
 * Whether deletion should move to quiet hours, and can do so without changing how long documents
 * are kept.
 * @param {readonly Seen[]} indexes all TTL indexes of one collection
 * @param {readonly Expiry[]} due when the documents of the collection are deleted
 * @param {Quiet} quiet
 * @returns {{ because: string, worth: boolean } | null} why not (`worth`: it would be much work
 *   moved); null: it can
 */
function whyNot(indexes, due, quiet) {
  const worth = due.reduce((sum, { nextDay }) => sum + nextDay, 0) >= WORTH_PER_DAY;
  const because = whyPointless(indexes, due, { worth, quiet }) ?? whyImpossible(indexes);
  return because === null
    ? null
    : { because, worth: worth && whyPointless(indexes, due, { worth, quiet }) === null };
}

/**
 * @param {readonly Seen[]} indexes
 * @param {readonly Expiry[]} due
 * @param {{ worth: boolean, quiet: Quiet }} of
 * @returns {string | null}
 */
function whyPointless([{ ns }], due, { worth, quiet }) {
  if (isOwn(ns)) return "the collection is the server's own";
  if (due.length === 0) return 'when its documents are due is not known';
  if (!worth) return `fewer than ${count(WORTH_PER_DAY)} documents are due in the next day`;
  return due.some(({ hours }) => Number(quietRatio(hours, quiet)) >= ENOUGH_RATIO)
    ? 'nearly all are deleted in quiet hours already'
    : null;
}

/** @param {readonly Seen[]} indexes @returns {string | null} */
function whyImpossible(indexes) {
  if (indexes.some(({ kind }) => kind !== 'index'))
    return 'it expires as a whole, by a date that cannot be moved';
  if (indexes.some(({ arrays }) => arrays))
    return 'some documents hold several dates in an array, and which counts can change';
  if (indexes.some(({ expireAfterSeconds }) => expireAfterSeconds === null))
    return 'after how long one of its indexes deletes is not known';
  if (indexes.length > 1 && indexes.some(({ partial }) => partial !== null))
    return 'it has several TTL indexes, and not all of them hold every document';
  if (indexes.length > 1 && indexes.some(({ field }) => field === FIELD))
    return `it has several TTL indexes, one of them on ${FIELD} already`;
  return null;
}

/**
 * Makes the steps that move the deletes of an index to quiet hours.
 * @param {readonly TtlIndex[]} indexes those of one collection, for which `whyNot` has no reason
 * @param {Quiet} quiet
 * @returns {Design}
 */
function offPeakDesign(indexes, quiet) {
  const [{ ns, database, collection }] = indexes;
  const place = collectionText(database, collection);
  const there = indexes.every(
    ({ field, expireAfterSeconds }) => field === FIELD && expireAfterSeconds === 0,
  );
  return {
    ns,
    indexes: indexes.map(({ index }) => String(index)),
    steps: [
      application(indexes, { quiet, there }),
      fill(place, indexes, { quiet, there }),
      ...(there ? [] : exchange(place, indexes)),
    ],
  };
}

/**
 * @param {readonly TtlIndex[]} indexes
 * @param {{ quiet: Quiet, there: boolean }} of
 * @returns {Step}
 */
function application(indexes, { quiet, there }) {
  const dues = indexes.map(
    ({ field, expireAfterSeconds }) =>
      `+document${member(String(field))} + ${Number(expireAfterSeconds) * 1000}`,
  );
  const due = dues.length === 1 ? dues[0] : `Math.min(${dues.join(', ')})`;
  const fields = [...new Set(indexes.map(({ field }) => field))].join(' or ');
  return {
    what: there
      ? `in the application, wherever it writes ${FIELD} (hours are UTC): document.${FIELD} = ` +
        'quiet(date)'
      : `in the application, wherever it writes ${fields} (hours are UTC): document.${FIELD} = ` +
        `quiet(new Date(${due})). Where it writes one without the other, documents are deleted too early`,
    command: `const quiet = ${quietFunction(quiet)}`,
  };
}

/** @param {string} path `seen.at` @returns {string} as a member of an object */
const member = (path) =>
  path
    .split('.')
    .map((name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${quoted(name)}]`))
    .join('');

/**
 * @param {string} place
 * @param {readonly TtlIndex[]} indexes
 * @param {{ quiet: Quiet, there: boolean }} of
 * @returns {Step}
 */
function fill(place, indexes, { quiet, there }) {
  const filter = { ...(there ? {} : { [FIELD]: { $exists: false } }), ...withDate(indexes) };
  return {
    what:
      'once the application does so, for the existing documents. It writes each of them, so run ' +
      'it at a quiet time. It can be repeated',
    command:
      `${place}.updateMany(${literal(filter)}, ` +
      `${literal([{ $set: { [FIELD]: quietExpression(dueExpression(indexes), quiet) } }])})`,
  };
}

/**
 * Documents of which an index deletes: arrays of dates are no dates here.
 * @param {readonly TtlIndex[]} indexes
 */
const withDate = (indexes) => ({
  $expr: either(indexes.map(({ field }) => ({ $eq: [{ $type: `$${field}` }, 'date'] }))),
});

/** @param {readonly object[]} conditions @returns {object} */
const either = (conditions) => (conditions.length === 1 ? conditions[0] : { $or: conditions });

/**
 * The new index instead of the old ones. Each is only done if no document would be deleted too
 * early, or never.
 * @param {string} place
 * @param {readonly TtlIndex[]} indexes
 * @returns {Step[]}
 */
function exchange(place, indexes) {
  const due = dueExpression(indexes);
  const early = {
    [FIELD]: { $type: 'date' },
    $expr: { $or: [{ $eq: [due, null] }, { $lt: [`$${FIELD}`, due] }] },
  };
  const kept = {
    ...either(indexes.map(({ field }) => ({ [String(field)]: { $type: 'date' } }))),
    $expr: { $ne: [{ $type: `$${FIELD}` }, 'date'] },
  };
  const unless = (
    /** @type {object} */ filter,
    /** @type {string} */ not,
    /** @type {string} */ then,
  ) => `print(${place}.countDocuments(${literal(filter)}) > 0 ? ${quoted(not)} : ${then})`;
  const drops = indexes.map(({ index }) => `${place}.dropIndex(${quoted(String(index))})`);
  return [
    {
      what:
        'the new index that deletes them. It is only made if no document would be deleted ' +
        'earlier than now',
      command: unless(
        early,
        `not yet: by their ${FIELD} some documents would be deleted too early`,
        `${place}.createIndex({ ${FIELD}: 1 }, { expireAfterSeconds: ` +
          `0${filterOf(place, indexes[0])} })`,
      ),
    },
    {
      what:
        'at last; until then the old ' +
        `${drops.length === 1 ? 'index deletes' : 'indexes delete'} as before. Nothing is ` +
        `dropped while a document has no ${FIELD}, since it would stay forever`,
      command: unless(
        kept,
        `not yet: some documents have no ${FIELD}; do step 2 again`,
        drops.length === 1 ? drops[0] : `[${drops.join(', ')}]`,
      ),
    },
  ];
}

/**
 * @param {string} place
 * @param {TtlIndex} index
 * @returns {string} the rest of the options of the new index
 */
function filterOf(place, { index, partial }) {
  if (partial === null) return '';
  return (
    ', partialFilterExpression: ' +
    `${plain(partial) ? literal(partial) : `${place}.getIndexes().find(({ name }) => name === ${quoted(String(index))}).partialFilterExpression`}`
  );
}

/** @param {unknown} value @returns {boolean} JSON says all of it */
function plain(value) {
  if (value === null || typeof value !== 'object')
    return typeof value !== 'bigint' && value !== undefined;
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]' && kind !== '[object Array]') return false;
  return !('_bsontype' in value) && Object.values(value).every(plain);
}

/**
 * Moves a moment into the quiet hours of a day, in two forms: for an application in JavaScript, and
 * for the server in operators that every release since 4.2 has. A moment in quiet hours stays; any
 * other moves to the same relative place in the next quiet hours. So nothing is deleted earlier
 * than it was due, and at most a day later.
 *
 */

/** @param {Quiet} quiet @returns {string} */
const quietFunction = ({ startHour, lengthHours }) =>
  `(due) => { const at = (due - ${startHour * HOUR_MS}) % ${MS_PER_DAY}; return at < ` +
  `${lengthHours * HOUR_MS} ? due : new Date(due - at + ${MS_PER_DAY} + Math.trunc(at * ${lengthHours} / 24)); }`;

/** @param {object} due an expression for a date @param {Quiet} quiet @returns {object} */
function quietExpression(due, { startHour, lengthHours }) {
  const moved = {
    $add: [
      { $subtract: ['$$due', '$$at'] },
      MS_PER_DAY,
      { $trunc: { $divide: [{ $multiply: ['$$at', lengthHours] }, 24] } },
    ],
  };
  return {
    $let: {
      vars: { due },
      in: {
        $let: {
          vars: {
            at: { $mod: [{ $subtract: [{ $toLong: '$$due' }, startHour * HOUR_MS] }, MS_PER_DAY] },
          },
          in: { $cond: [{ $lt: ['$$at', lengthHours * HOUR_MS] }, '$$due', moved] },
        },
      },
    },
  };
}

/**
 * Computes when a document is deleted: by the first of the indexes.
 * @param {readonly TtlIndex[]} indexes
 * @returns {object} null where none has a date
 */
function dueExpression(indexes) {
  const dues = indexes.map(({ field, expireAfterSeconds }) => ({
    $cond: [
      { $eq: [{ $type: `$${field}` }, 'date'] },
      { $add: [`$${field}`, Number(expireAfterSeconds) * 1000] },
      null,
    ],
  }));
  return dues.length === 1 ? dues[0] : { $min: dues };
}

module.exports = { whyNot, offPeakDesign, WORTH_PER_DAY, quietFunction };
