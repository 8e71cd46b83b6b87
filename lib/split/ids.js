'use strict';

const { HELLO } = require('../server/pure/commands');
const { TYPE, elementsOf, expressionOf, formOf } = require('./bson');
const { READ, LONG_READ, CALL_MS } = require('./server');
const { DATABASE, COLLECTION } = require('./state');

/**
 * @import { Form } from './bson'
 * @import { SplitJob } from './split-job'
 * @import { Types } from './types'
 */

/**
 * The `_id` of a document: the bytes of `{ _id: … }` as the server sent them, because a JavaScript
 * value may differ. The state of a split keeps it as binary data, and it is read from there as the
 * driver's Binary.
 * @typedef {Uint8Array | { _bsontype: 'Binary', buffer: Uint8Array, position: number }} Id
 */

/** @type {Id} */
const NULL_ID = Uint8Array.from([10, 0, 0, 0, TYPE.null, 0x5f, 0x69, 0x64, 0, 0]);

/**
 * Copies the bytes, because they are a part of the server's whole reply.
 * @param {Uint8Array} raw a document that has only its `_id`
 * @returns {Id}
 */
const idOf = (raw) => Uint8Array.from(raw);
/** @param {Uint8Array} document @returns {Id} the id of a whole document */
function idIn(document) {
  const { type, value } = /** @type {ReturnType<typeof elementOf>} */ (
    elementsOf(document).find(({ name }) => Buffer.from(name).equals(ID_NAME))
  );
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeInt32LE(HEAD_BYTES + value.length + 1);
  head[4] = type;
  ID_NAME.copy(head, 5);
  return Uint8Array.from(Buffer.concat([head, value, Buffer.alloc(1)]));
}
const ID_NAME = Buffer.from('_id');
/** Bytes of the length of the document, the type of its first field and its name. */
const HEAD_BYTES = 4 + 1 + ID_NAME.length + 1;

/** @param {Id} id @returns {Uint8Array} */
const bytesOf = (id) => ('_bsontype' in id ? id.buffer.subarray(0, id.position) : id);
/**
 * Makes a key of the bytes; equal ids of two types have two keys.
 * @param {Id} id @returns {string}
 */
const keyOf = (id) => Buffer.from(bytesOf(id)).toString('latin1');
/** @param {Id} id */
const elementOf = (id) => elementsOf(bytesOf(id))[0];
/** @param {Id} id */
const isNull = (id) => elementOf(id).type === TYPE.null;

/** @type {WeakMap<object, Promise<Types>>} */
const TYPES = new WeakMap();
/** One value of each class, because the shell's driver accepts only its own classes. */
const ONE_OF_EACH = Object.freeze({
  _id: 0,
  Double: { $toDouble: 1 },
  Int32: { $toInt: 1 },
  Decimal128: { $toDecimal: 1 },
  ObjectId: { $toObjectId: '0'.repeat(24) },
  Binary: { $literal: Buffer.alloc(1) },
  BSONRegExp: { $literal: /a/ },
});

/** @param {SplitJob} job @returns {Promise<Types>} read once for each connection */
function typesOf(job) {
  const known = TYPES.get(job.port);
  if (known) return known;
  const types = readTypes(job);
  TYPES.set(job.port, types);
  types.catch(() => TYPES.delete(job.port));
  return types;
}

/** @param {SplitJob} job @returns {Promise<Types>} */
async function readTypes({ port, again }) {
  const pipeline = [{ $limit: 1 }, { $project: ONE_OF_EACH }];
  const options = { ...LONG_READ, promoteValues: false, promoteBuffers: false };
  const [values] = await again(() =>
    port.aggregate(DATABASE, COLLECTION, pipeline, options).toArray(),
  );
  const { operationTime } = await again(() => port.adminCommand(HELLO));
  /** @type {[string, any][]} */ const samples = Object.entries(values);
  const classes = samples.map(([name, { constructor }]) => [name, constructor]);
  return /** @type {any} */ ({
    ...Object.fromEntries(classes),
    Timestamp: operationTime?.constructor ?? null,
  });
}

/**
 * The forms of ids, each of which is needed several times.
 * @type {WeakMap<Types, WeakMap<object, Form | null>>}
 */
const FORMS = new WeakMap();

/** @param {Id} id @param {Types} types @returns {Form | null} null: a command cannot name it */
function formFor(id, types) {
  const forms = FORMS.get(types) ?? new WeakMap();
  FORMS.set(types, forms);
  if (!forms.has(id)) forms.set(id, formOf(elementOf(id), types));
  return /** @type {Form | null} */ (forms.get(id));
}

/**
 * @param {Id} id
 * @param {Types} types
 * @returns {any} an expression of this id; null: a command cannot name it
 */
function expressionFor(id, types) {
  const form = formFor(id, types);
  return form && expressionOf(form);
}

/** @param {Id} id @param {Types} types @returns {boolean} whether a command can name it */
const isNameable = (id, types) => formFor(id, types) !== null;

/**
 * Returns a filter of every document with an `_id` of this type.
 * @param {Id} id
 * @returns {{ _id: { $type: number } }}
 */
function bracketOf(id) {
  const { type } = elementOf(id);
  return { _id: { $type: type === TYPE.minKey ? -1 : type } };
}

/**
 * @param {readonly Id[]} ids
 * @param {Types} types
 * @returns {object} a filter of these documents; for an id that cannot be named, of all documents
 *   of its type
 */
function filterOf(ids, types) {
  /** @type {any[]} */ const values = [];
  /** @type {Map<string, object>} */ const others = new Map();
  for (const id of ids) {
    const form = formFor(id, types);
    if (form && 'value' in form) values.push(form.value);
    else if (form) others.set(keyOf(id), { $expr: { $eq: ['$_id', form.expression] } });
    else others.set(JSON.stringify(bracketOf(id)), bracketOf(id));
  }
  const named = values.length > 0 || others.size === 0 ? [{ _id: { $in: values } }] : [];
  const parts = [...named, ...others.values()];
  return parts.length === 1 ? parts[0] : { $or: parts };
}

/**
 * Makes a filter of a range over every type of `_id`: `$lt` of the query language compares within
 * one type only.
 * @param {Id | null} from null: from the first id
 * @param {Id | null} to the first id after it; null: to the last
 * @param {Types} types
 * @returns {object}
 */
function rangeOf(from, to, types) {
  const bounds = [
    ...(from ? [{ $gte: ['$_id', expressionFor(from, types)] }] : []),
    ...(to ? [{ $lt: ['$_id', expressionFor(to, types)] }] : []),
  ];
  return bounds.length === 0 ? {} : { $expr: { $and: bounds } };
}

/** Bytes of ids in one command: the server accepts 16 MB in all; project measurement. */
const MAX_BYTES = 8_000_000;
/**
 * Bytes that an expression counts: the server plans each one separately, so that 200 are enough for
 * one command; heuristic.
 */
const EXPRESSION_BYTES = 40_000;

/**
 * @param {readonly Id[]} ids
 * @param {Types} types
 * @param {number} [max] the most ids in a part
 * @returns {Id[][]} parts that one command can name
 */
function partsOf(ids, types, max = Infinity) {
  /** @type {Id[][]} */ const parts = [];
  let bytes = MAX_BYTES;
  for (const id of ids) {
    const form = formFor(id, types);
    const more = bytesOf(id).length + (form && 'value' in form ? 0 : EXPRESSION_BYTES);
    bytes += more;
    if (bytes > MAX_BYTES || parts[parts.length - 1].length >= max) {
      parts.push([]);
      bytes = more;
    }
    parts[parts.length - 1].push(id);
  }
  return parts;
}

/** @param {readonly Id[]} ids @returns {Id[]} each id once */
const once = (ids) => [...new Map(ids.map((id) => [keyOf(id), id])).values()];

/** Number of ids read at once where the first one cannot be named; heuristic. */
const NEIGHBOURS = 100;

/**
 * Finds where a range ends: at the first `_id` after so many documents that a command can name. Ids
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

module.exports = {
  NULL_ID,
  idOf,
  idIn,
  keyOf,
  elementOf,
  isNull,
  isNameable,
  typesOf,
  expressionFor,
  filterOf,
  bracketOf,
  rangeOf,
  partsOf,
  once,
  edgeOf,
};
