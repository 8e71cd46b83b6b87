'use strict';

/**
 * Compares options and indexes of a collection, and finds those whose order JavaScript cannot hold.
 *
 * @typedef {{ options?: Record<string, any> | null, indexes?: readonly any[] | null }} Defined
 */

/**
 * Prints a value so that two values have the same text where the server considers them the same. In
 * JSON a date is its string, an ObjectId its hexadecimal digits, NaN and Infinity are null, MinKey
 * and MaxKey alike. Numbers of the same value have one text, of whatever type: the driver reads
 * them so.
 * @param {any} value as the driver, or that of the shell, reads it
 * @returns {string}
 */
function textOf(value) {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  return textOfSimple(value) ?? textOfFields(value);
}

/** @param {any} value @returns {string | null} null: it has fields */
function textOfSimple(value) {
  const kind = Object.prototype.toString.call(value);
  if (kind === '[object Date]') return `Date ${value.getTime()}`;
  if (kind === '[object RegExp]') return `RegExp ${value}`;
  if (ArrayBuffer.isView(value)) return `Bytes ${bytesOf(value)}`;
  const type = typeOf(value);
  if (type === 'Binary')
    return `Binary ${value.sub_type} ${bytesOf(value.buffer.subarray(0, value.position))}`;
  return type && typeof value.toHexString === 'function' ? `${type} ${value.toHexString()}` : null;
}

/** Prints a document, or a value of the driver's other classes. @param {any} value */
const textOfFields = (value) =>
  `${typeOf(value)}{${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}:${textOf(one)}`)}}`;

/** @param {any} value @returns {string} the name of the driver's class; empty: a document */
const typeOf = (value) => (Object.hasOwn(value, '_bsontype') ? '' : (value._bsontype ?? ''));
/** @param {any} bytes @returns {string} */
const bytesOf = (bytes) => [...bytes].join();

/**
 * Says whether a value is a document. Dates, patterns and the driver's classes are none. A
 * document's prototype has no prototype, in whatever context it was made.
 * @param {any} value
 */
function isDocument(value) {
  if (typeof value !== 'object' || value === null || value._bsontype) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Prints an index: it is the same in any order of its options; the order of its key counts.
 * @param {any} index
 */
const textOfIndex = (index) => textOf(Object.entries(index).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Operators whose values are queries. */
const QUERIES = Object.freeze(['$and', '$or', '$nor']);
/** Keywords of a schema whose fields are names. */
const NAMED = Object.freeze(['properties', 'patternProperties', 'dependencies']);

/**
 * Says whether a value loses its order: in an embedded document that is compared as a whole the
 * order counts.
 * @param {any} value
 */
function valueLosesOrder(value) {
  if (Array.isArray(value)) return value.some(valueLosesOrder);
  if (!isDocument(value)) return false;
  return losesOrder(value) || Object.values(value).some(valueLosesOrder);
}

/** @param {any} schema @returns {boolean} */
function schemaLosesOrder(schema) {
  if (Array.isArray(schema)) return schema.some(schemaLosesOrder);
  if (!isDocument(schema)) return false;
  return Object.entries(schema).some(([word, value]) => {
    if (word === 'enum') return valueLosesOrder(value);
    return schemaLosesOrder(NAMED.includes(word) ? Object.values(value) : value);
  });
}

/**
 * Says whether a filter loses its order; the order of a query's own fields does not count.
 * @param {any} filter
 * @returns {boolean}
 */
function filterLosesOrder(filter) {
  return Object.entries(filter ?? {}).some(([field, value]) => {
    if (QUERIES.includes(field)) return value.some(filterLosesOrder);
    return field === '$jsonSchema' ? schemaLosesOrder(value) : valueLosesOrder(value);
  });
}

/** @param {any} index @returns {boolean} */
const indexLosesOrder = ({ key, partialFilterExpression }) =>
  losesOrder(key ?? {}) || filterLosesOrder(partialFilterExpression);

/**
 * @param {Defined} defined
 * @returns {string[]} what would be made with its fields in another order, such as `the index x_1`
 */
const unordered = ({ options, indexes }) => [
  ...(filterLosesOrder(options?.validator) ? ['the option validator'] : []),
  ...(indexes ?? []).filter(indexLosesOrder).map(({ name }) => `the index ${name}`),
];

/**
 * The values of a split: what was seen, and the plan made of it. JSON holds all of a plan.
 *
 * @typedef {{ what: string, say: string }} Remark `what`: a word for programs, such as `capped`;
 *   `say`: a sentence
 * @typedef {'online' | 'offline'} Mode offline: writes to a collection are refused for as long as
 *   it is copied
 * @typedef {{
 *   ns: string, holds: string, documents: number | null, bytes: number | null, ratio: number,
 *   writtenBytesPerSec: number | null
 * }} Part
 *   of one collection; `ratio`: of its documents; `holds`: which
 * @typedef {{ database: string, before: number, after: number }} Load bytes written a second
 * @typedef {{ kind: 'hash' | 'range', field: string, parts: number }} By
 *
 * @typedef {{ key: string, shown: string, bytes: number, bornMs: number | null, missing: boolean }}
 *   Drawn one document of a sample: `key`:
 *   text of the field's value; `shown`: the value as mongosh reads it; `bornMs`: when it was
 *   inserted, by its _id
 * @typedef {{ documents: number | null, drawn: Drawn[] }} Sample in the order of the field's values
 *
 * @typedef {Record<string, any>} IndexSpec as listIndexes reports it
 * @typedef {{
 *   resource: { db?: string, collection?: string, cluster?: boolean, anyResource?: boolean },
 *   actions: string[]
 * }} Privilege
 * @typedef {{ role: string, db: string }} RoleName
 * @typedef {{ name: string, roles: RoleName[] }} User
 * @typedef {{ role: string, db: string, privileges: Privilege[], roles: RoleName[] }} CustomRole
 * @typedef {{ database: string | null, collection: string | null }} Stream null: of all of them
 */

/**
 * Number of handles from which code that walks all of them takes long (WT-5479 and SERVER-31704:
 * stalls were seen with 210,000). The rule data-handles uses the same number.
 */
const MANY_HANDLES = 10_000;
/**
 * Share of the writes to a database. A single collection with more than half of them is the limit
 * of any balance; heuristic.
 */
const HOT_RATIO = 0.5;

/**
 * Says whether a key loses its order: JavaScript puts field names that are whole numbers first,
 * whatever their order was, and an index would be made with another key.
 * @param {object} key the key of an index
 */
function losesOrder(key) {
  const fields = Object.keys(key);
  return fields.length > 1 && fields.some((field) => String(Number(field) >>> 0) === field);
}

module.exports = {
  textOf,
  textOfIndex,
  isDocument,
  filterLosesOrder,
  indexLosesOrder,
  unordered,
  valueLosesOrder,
  MANY_HANDLES,
  HOT_RATIO,
  losesOrder,
};
