'use strict';

/** Documents are plain values that nobody changes: who changes one makes another. */

/** @param {any} value */
function copy(value) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(copy);
  const { constructor } = value;
  if (constructor !== Object && constructor !== undefined) return value;
  /** @type {any} */ const made = {};
  for (const key in value) if (value[key] !== undefined) made[key] = copy(value[key]);
  return made;
}

/** @param {any} value @param {string} path */
function get(value, path) {
  if (!path.includes('.')) return value?.[path];
  let at = value;
  for (const part of path.split('.')) {
    if (at === null || at === undefined) return undefined;
    at = at[part];
  }
  return at;
}

/**
 * @param {any} value
 * @param {string[]} path
 * @param {(old: any) => any} change undefined: it goes
 * @returns {any}
 */
function changed(value, [first, ...rest], change) {
  const made = Array.isArray(value) ? [...value] : { ...value };
  const next = rest.length === 0 ? change(made[first]) : changed(made[first] ?? {}, rest, change);
  if (next === undefined) delete made[first];
  else made[first] = next;
  return made;
}

/** The order of types. @param {any} value */
function rank(value) {
  if (value === undefined || value === null) return 1;
  if (typeof value === 'number') return 2;
  if (typeof value === 'string') return 3;
  if (typeof value === 'boolean') return 8;
  if (value instanceof Date) return 9;
  if (value.isTime) return 10;
  return Array.isArray(value) ? 5 : 4;
}

/** @param {any} a @param {any} b @returns {number} */
function compare(a, b) {
  const [x, y] = [rank(a), rank(b)];
  if (x !== y) return x - y;
  if (x === 1) return 0;
  if (x === 9) return a.getTime() - b.getTime();
  if (x === 10) return a.n - b.n;
  if (x === 4 || x === 5) {
    return order(JSON.stringify(a), JSON.stringify(b));
  }
  return order(a, b);
}

/** @param {any} a @param {any} b @returns {number} */
const order = (a, b) => Number(a > b) - Number(a < b);

/** @param {any} a @param {any} b */
const same = (a, b) => a === b || compare(a, b) === 0;

/** A moment of the oplog. */
class Time {
  /** @param {number} n */
  constructor(n) {
    this.n = n;
  }

  get isTime() {
    return true;
  }

  getHighBits() {
    return this.n;
  }

  /** @param {Time} other */
  greaterThanOrEqual(other) {
    return this.n >= other.n;
  }

  toString() {
    return `t${this.n}`;
  }

  toJSON() {
    return this.toString();
  }
}

/** @type {Map<any, Uint8Array>} */
const RAW = new Map();

/** @param {any} id @returns {{ type: number, value: Buffer }} as BSON has it */
function typedBytes(id) {
  if (typeof id === 'string') return { type: 2, value: stringBytes(id) };
  if (typeof id === 'number') return { type: 16, value: numberBytes(id) };
  return { type: 10, value: Buffer.alloc(0) };
}

/** The bytes of `{ _id: … }`. @param {any} id a string, a whole number or null */
function rawId(id) {
  const known = RAW.get(id);
  if (known) return known;
  const made = document([element('_id', typedBytes(id))]);
  if (RAW.size > 50_000) RAW.clear();
  RAW.set(id, made);
  return made;
}

/** @param {string} name @param {{ type: number, value: Buffer }} typed */
const element = (name, { type, value }) =>
  Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`), value]);

/** @param {Buffer[]} elements */
function document(elements) {
  const body = Buffer.concat([...elements, Buffer.from([0])]);
  return Uint8Array.from(Buffer.concat([numberBytes(body.length + 4), body]));
}

/** @param {string} text */
const stringBytes = (text) =>
  Buffer.concat([numberBytes(Buffer.byteLength(text) + 1), Buffer.from(`${text}\0`)]);
/** @param {number} n */
function numberBytes(n) {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(n);
  return bytes;
}

/**
 * As the driver gives it with `raw`: bytes. Of a document's other fields they only tell it from others.
 * @param {any} doc
 */
function rawOf(doc) {
  const isOnlyId = Object.keys(doc).length === 1 && '_id' in doc;
  if (isOnlyId) return rawId(doc._id);
  const rest = element('text', typedBytes(JSON.stringify(doc)));
  return document('_id' in doc ? [element('_id', typedBytes(doc._id)), rest] : [rest]);
}

/** Of a collection, as the driver gives it: something with bytes. */
class Uuid {
  /** @param {string | Uint8Array} of */
  constructor(of) {
    const hex = typeof of === 'string' ? of.replaceAll('-', '') : Buffer.from(of).toString('hex');
    this.text = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  get buffer() {
    return Buffer.from(this.text.replaceAll('-', ''), 'hex');
  }

  get sub_type() {
    return 4;
  }

  toString() {
    return this.text;
  }

  toJSON() {
    return this.text;
  }
}

/** @param {number} code @param {string} message @param {object} [more] */
const refusal = (code, message, more) =>
  Object.assign(new Error(message), { name: 'MongoServerError', code, ...more });

module.exports = { Uuid, rawId, rawOf, copy, get, changed, compare, same, Time, refusal };
