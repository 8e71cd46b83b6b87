'use strict';

const { TYPE, elementsOf, expressionOf, formOf, textOf } = require('./bson-values');
const { shownText } = require('./id-text');
const { READ } = require('./server');
const { DATABASE, COLLECTION } = require('./state');

/**
 * The `_id` of a document: the bytes of `{ _id: … }` as the server sent them, so that it is that very one, whatever JavaScript makes of such a value.
 * The state of a split keeps it as binary data; it comes back from there as the driver's Binary.
 * @typedef {Uint8Array | { _bsontype: 'Binary', buffer: Uint8Array, position: number }} Id
 * @typedef {import('./work').Work} Work @typedef {import('./bson-values').Types} Types
 * @typedef {import('./bson-values').Form} Form
 */

const NULL_ID = Uint8Array.from([10, 0, 0, 0, TYPE.null, 0x5f, 0x69, 0x64, 0, 0]);

/** A copy: these bytes are part of the whole answer of the server. @param {Uint8Array} raw of a document that has nothing but its `_id` @returns {Id} */
const idOf = (raw) => Uint8Array.from(raw);
/** @param {Id} id @returns {Uint8Array} */
const bytesOf = (id) => ('_bsontype' in id ? id.buffer.subarray(0, id.position) : id);
/** What is surely the same id; equal ones of two types come twice. @param {Id} id @returns {string} */
const keyOf = (id) => Buffer.from(bytesOf(id)).toString('latin1');
/** @param {Id} id */
const elementOf = (id) => elementsOf(bytesOf(id))[0];
/** @param {Id} id */
const isNull = (id) => elementOf(id).type === TYPE.null;

/** @type {WeakMap<object, Promise<Types>>} */
const TYPES = new WeakMap();
/** One of each: what the driver of this shell reads is of its own classes. */
const ONE_OF_EACH = Object.freeze({
  _id: 0, Double: { $toDouble: 1 }, Int32: { $toInt: 1 }, Decimal128: { $toDecimal: 1 }, ObjectId: { $toObjectId: '0'.repeat(24) },
  Binary: { $literal: Buffer.alloc(1) }, BSONRegExp: { $literal: /a/ },
});

/** @param {Work} work @returns {Promise<Types>} asked for once a connection */
function typesOf(work) {
  const known = TYPES.get(work.port);
  if (known) return known;
  const types = readTypes(work);
  TYPES.set(work.port, types);
  types.catch(() => TYPES.delete(work.port));
  return types;
}

/** @param {Work} work @returns {Promise<Types>} */
async function readTypes({ port, again }) {
  const [values] = await again(() => port.aggregate(DATABASE, COLLECTION, [{ $limit: 1 }, { $project: ONE_OF_EACH }], { ...READ, promoteValues: false, promoteBuffers: false }).toArray());
  const { operationTime } = await again(() => port.adminCommand({ hello: 1 }));
  const classes = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, /** @type {any} */ (value).constructor]));
  return /** @type {any} */ ({ ...classes, Timestamp: operationTime?.constructor ?? null });
}

/** Asked for several times for every id: its forms are kept as long as the id. @type {WeakMap<Types, WeakMap<object, Form | null>>} */
const FORMS = new WeakMap();

/** @param {Id} id @param {Types} types @returns {Form | null} null: neither the driver nor an expression can say it */
function formFor(id, types) {
  const forms = FORMS.get(types) ?? new WeakMap();
  FORMS.set(types, forms);
  if (!forms.has(id)) forms.set(id, formOf(elementOf(id), types));
  return /** @type {Form | null} */ (forms.get(id));
}

/** @param {Id} id @param {Types} types @returns {any} an expression of exactly this id; null: nothing but its type can be said to the server */
function expressionFor(id, types) {
  const form = formFor(id, types);
  return form && expressionOf(form);
}

/** @param {Id} id @param {Types} types */
const isOdd = (id, types) => formFor(id, types) === null;

/** All documents whose `_id` is of this type. @param {Id} id @returns {{ _id: { $type: number } }} */
function bracketOf(id) {
  const { type } = elementOf(id);
  return { _id: { $type: type === TYPE.minKey ? -1 : type } };
}

/** @param {readonly Id[]} ids @param {Types} types @returns {object} which documents these are; where one is odd, all of its type */
function filterOf(ids, types) {
  /** @type {any[]} */ const values = [];
  /** @type {Map<string, object>} */ const others = new Map();
  for (const id of ids) {
    const form = formFor(id, types);
    if (form && 'value' in form) values.push(form.value);
    else if (form) others.set(keyOf(id), { $expr: { $eq: ['$_id', form.expression] } });
    else others.set(JSON.stringify(bracketOf(id)), bracketOf(id));
  }
  const parts = [...(values.length > 0 || others.size === 0 ? [{ _id: { $in: values } }] : []), ...others.values()];
  return parts.length === 1 ? parts[0] : { $or: parts };
}

/** @param {Id | null} from null: from the first @param {Id | null} to null: to the last; it is not among them itself @param {Types} types @returns {object} of every type of `_id`: `$lt` of the query language would compare within one type only */
function rangeOf(from, to, types) {
  const bounds = [...(from ? [{ $gte: ['$_id', expressionFor(from, types)] }] : []), ...(to ? [{ $lt: ['$_id', expressionFor(to, types)] }] : [])];
  return bounds.length === 0 ? {} : { $expr: { $and: bounds } };
}

/** Bytes of ids in one command: the server takes 16 MB, and needs some of it for itself; ours. */
const MOST_BYTES = 8_000_000;
/** An expression is planned by itself: two hundred of them are enough for one command; ours. */
const EXPRESSION_BYTES = 40_000;

/** @param {readonly Id[]} ids @param {Types} types @param {number} [most] ids @returns {Id[][]} so many as one command can name */
function partsOf(ids, types, most = Infinity) {
  /** @type {Id[][]} */ const parts = [];
  let bytes = MOST_BYTES;
  for (const id of ids) {
    const form = formFor(id, types);
    const weight = bytesOf(id).length + (form && 'value' in form ? 0 : EXPRESSION_BYTES);
    bytes += weight;
    if (bytes > MOST_BYTES || parts[parts.length - 1].length >= most) {
      parts.push([]);
      bytes = weight;
    }
    parts[parts.length - 1].push(id);
  }
  return parts;
}

/** @param {readonly Id[]} ids @returns {Id[]} each once */
const once = (ids) => [...new Map(ids.map((id) => [keyOf(id), id])).values()];

/** @param {Id} id @returns {string} */
const textOfId = (id) => shownText(elementOf(id));

/** For whoever gets it as data. @param {Id} id @param {Types} types @returns {any} the JavaScript value where that is the same, otherwise its text */
function shownOf(id, types) {
  const element = elementOf(id);
  const value = shownValue(element, types);
  return value === NOT_SO ? shownText(element) : value;
}

const NOT_SO = Symbol('no such JavaScript value');
/** Of these types a number is shown. @type {readonly number[]} */
const NUMBERS = Object.freeze([TYPE.double, TYPE.int32, TYPE.int64]);
/** @type {readonly number[]} */
const AS_THEY_ARE = Object.freeze([TYPE.string, TYPE.boolean, TYPE.null, TYPE.date, TYPE.objectId, TYPE.binary, TYPE.timestamp, TYPE.decimal]);

/** @param {import('./bson-values').Element} element @param {Types} types @returns {any} */
function shownValue(element, types) {
  if (element.type === TYPE.object) return shownObject(element.value, types);
  const form = formOf(element, types);
  if (!form || !('value' in form)) return NOT_SO;
  if (NUMBERS.includes(element.type)) return Number.isSafeInteger(Number(form.value)) || element.type === TYPE.double ? Number(form.value) : NOT_SO;
  return AS_THEY_ARE.includes(element.type) ? form.value : NOT_SO;
}

/** Names that JavaScript does not turn round, and that every server stores. @param {Uint8Array} bytes @param {Types} types @returns {any} */
function shownObject(bytes, types) {
  const entries = elementsOf(bytes).map((element) => [textOf(element.name), shownValue(element, types)]);
  const names = entries.map(([name]) => name);
  const isPlain = names.every((name) => name !== null && /^[^$.\d][^.]*$/.test(name) && name !== '__proto__') && new Set(names).size === names.length;
  return isPlain && entries.every(([, value]) => value !== NOT_SO) ? Object.fromEntries(entries) : NOT_SO;
}

module.exports = { NULL_ID, idOf, keyOf, isNull, isOdd, typesOf, expressionFor, filterOf, bracketOf, rangeOf, partsOf, once, textOfId, shownOf };
