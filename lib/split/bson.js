'use strict';

/**
 * @import { Types } from './types'
 */

/**
 * Reads BSON as its bytes.
 * @typedef {{ type: number, name: Uint8Array, value: Uint8Array }} Element `name` and `value` as
 *   bytes
 */

const TYPE = Object.freeze({
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binary: 5,
  undefined: 6,
  objectId: 7,
  boolean: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  code: 13,
  symbol: 14,
  codeWithScope: 15,
  int32: 16,
  timestamp: 17,
  int64: 18,
  decimal: 19,
  minKey: 255,
  maxKey: 127,
});

/** @param {Uint8Array} bytes */
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
/** @param {Uint8Array} bytes @param {number} at */
const afterText = (bytes, at) => bytes.indexOf(0, at) + 1;

/** @param {Uint8Array} bytes @param {number} at */
const stringSize = (bytes, at) => 4 + lengthAt(bytes, at);

/**
 * The bytes of a value by its type; a type that is not here has none.
 * @type {Readonly<Record<number, (bytes: Uint8Array, at: number) => number>>}
 */
const SIZES = Object.freeze({
  [TYPE.double]: () => 8,
  [TYPE.string]: stringSize,
  [TYPE.object]: lengthAt,
  [TYPE.array]: lengthAt,
  [TYPE.binary]: (bytes, at) => 5 + lengthAt(bytes, at),
  [TYPE.objectId]: () => 12,
  [TYPE.boolean]: () => 1,
  [TYPE.date]: () => 8,
  [TYPE.dbPointer]: (bytes, at) => 16 + lengthAt(bytes, at),
  [TYPE.code]: stringSize,
  [TYPE.symbol]: stringSize,
  [TYPE.codeWithScope]: lengthAt,
  [TYPE.int32]: () => 4,
  [TYPE.timestamp]: () => 8,
  [TYPE.int64]: () => 8,
  [TYPE.decimal]: () => 16,
  [TYPE.regex]: (bytes, at) => afterText(bytes, afterText(bytes, at)) - at,
});
/** @param {Uint8Array} bytes @param {number} at */
function lengthAt(bytes, at) {
  return viewOf(bytes).getInt32(at, true);
}

/** @param {Uint8Array} bytes the bytes of a document @returns {Element[]} in their order */
function elementsOf(bytes) {
  /** @type {Element[]} */ const elements = [];
  for (let at = 4; bytes[at] !== 0;) {
    const value = afterText(bytes, at + 1);
    const end = value + (SIZES[bytes[at]]?.(bytes, value) ?? 0);
    elements.push({
      type: bytes[at],
      name: bytes.subarray(at + 1, value - 1),
      value: bytes.subarray(value, end),
    });
    at = end;
  }
  return elements;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/**
 * @param {Uint8Array} bytes
 * @returns {string | null} null: this is no UTF-8, and JavaScript has no string for it
 */
function textOf(bytes) {
  try {
    return UTF8.decode(bytes);
  } catch (_invalid) {
    return null;
  }
}
/** @param {Uint8Array} value a string, or a value that is stored as one */
const stringOf = (value) => textOf(value.subarray(4, -1));

/**
 * @param {Uint8Array} bytes the bytes of a document or an array
 * @returns {any} its strings and the values around them, as objects; null for any other value
 */
const namesIn = (bytes) =>
  Object.fromEntries(
    elementsOf(bytes).map(({ type, name, value }) => [textOf(name), nameIn(type, value)]),
  );

/** @param {number} type @param {Uint8Array} value */
function nameIn(type, value) {
  if (type === TYPE.object || type === TYPE.array) return namesIn(value);
  return type === TYPE.string ? stringOf(value) : null;
}

/**
 * Makes what a command must contain so that the server has a certain value. It is made from the
 * bytes, because JavaScript objects put integer-like field names first and hold each name once, and
 * JavaScript dates end in the year 275760.
 *
 * @typedef {{ value: any } | { expression: any }} Form
 */

/** Largest number of milliseconds of a JavaScript date, before and after 1970. */
const MAX_MS = 8_640_000_000_000_000n;
/** The old subtype of binary data, which holds its length twice. */
const OLD_BINARY = 2;
/** The subtype of vectors: drivers validate them, and refuse some that a server holds. */
const VECTOR = 9;

/**
 * A document that keeps its fields in their order, also a field that comes twice.
 * @augments {Map<string, any>}
 */
class Fields extends Map {
  /** @param {[string, any][]} all */
  constructor(all) {
    super();
    this.all = all;
  }

  entries() {
    return this.all[Symbol.iterator]();
  }
}

/** @type {Readonly<Record<number, (value: Uint8Array, types: Types) => Form | null>>} */
const FORMS = Object.freeze({
  [TYPE.double]: double,
  [TYPE.string]: (value) => given(stringOf(value)),
  [TYPE.symbol]: (value, { exact }) => (exact ? null : given(stringOf(value))),
  [TYPE.object]: fields,
  [TYPE.array]: list,
  [TYPE.binary]: binary,
  [TYPE.objectId]: (value, { ObjectId }) => ({ value: new ObjectId(Uint8Array.from(value)) }),
  [TYPE.boolean]: (value) => ({ value: value[0] === 1 }),
  [TYPE.date]: date,
  [TYPE.null]: () => ({ value: null }),
  [TYPE.regex]: regex,
  [TYPE.int32]: (value, { Int32 }) => ({ value: new Int32(lengthAt(value, 0)) }),
  [TYPE.timestamp]: timestamp,
  [TYPE.int64]: (value) => ({ value: viewOf(value).getBigInt64(0, true) }),
  [TYPE.decimal]: (value, { Decimal128 }) => ({ value: new Decimal128(Uint8Array.from(value)) }),
});

/** @param {string | null} text @returns {Form | null} */
const given = (text) => (text === null ? null : { value: text });

/** The bits of the NaN that JavaScript writes. */
const NAN_BITS = 0x7ff8000000000000n;

/** @param {Uint8Array} value @param {Types} types @returns {Form | null} */
function double(value, { Double, exact }) {
  const number = viewOf(value).getFloat64(0, true);
  const isOther = Number.isNaN(number) && viewOf(value).getBigUint64(0, true) !== NAN_BITS;
  return exact && isOther ? null : { value: new Double(number) };
}

/** @param {Uint8Array} value @returns {Form} */
function date(value) {
  const ms = viewOf(value).getBigInt64(0, true);
  return ms > MAX_MS || ms < -MAX_MS
    ? { expression: { $toDate: { $literal: ms } } }
    : { value: new Date(Number(ms)) };
}

/** @param {Uint8Array} value @param {Types} types @returns {Form | null} */
function timestamp(value, { Timestamp }) {
  const view = viewOf(value);
  return Timestamp
    ? { value: new Timestamp({ i: view.getUint32(0, true), t: view.getUint32(4, true) }) }
    : null;
}

/** @param {Uint8Array} value @param {Types} types @returns {Form | null} */
function regex(value, { BSONRegExp }) {
  const pattern = textOf(value.subarray(0, value.indexOf(0)));
  const flags = textOf(value.subarray(afterText(value, 0), -1));
  // The driver refuses other flags.
  return pattern === null || !/^[imlsux]*$/.test(flags ?? '?')
    ? null
    : { value: new BSONRegExp(pattern, flags) };
}

/** @param {Uint8Array} value @param {Types} types @returns {Form | null} */
function binary(value, { Binary }) {
  const [subtype, old] = [value[4], value[4] === OLD_BINARY];
  if (subtype === VECTOR || (old && (value.length < 9 || lengthAt(value, 5) !== value.length - 9)))
    return null;
  return { value: new Binary(Uint8Array.from(value.subarray(old ? 9 : 5)), subtype) };
}

/** @param {Uint8Array} bytes @param {Types} types @returns {Form | null} */
function fields(bytes, types) {
  const parts = partsOf(bytes, types);
  if (parts === null) return null;
  if (parts.every(({ form }) => 'value' in form)) {
    return {
      value: new Fields(parts.map(({ name, form }) => [name, /** @type {any} */ (form).value])),
    };
  }
  // The expression would keep only the last of two fields with one name.
  if (new Set(parts.map(({ name }) => name)).size < parts.length) return null;
  return {
    expression: {
      $arrayToObject: [parts.map(({ name, form }) => [{ $literal: name }, expressionOf(form)])],
    },
  };
}

/** @param {Uint8Array} bytes @param {Types} types @returns {Form | null} */
function list(bytes, types) {
  const forms = partsOf(bytes, types)?.map(({ form }) => form);
  if (!forms) return null;
  if (forms.every((form) => 'value' in form)) return { value: forms.map((form) => form.value) };
  return { expression: forms.map(expressionOf) };
}

/**
 * @param {Uint8Array} bytes
 * @param {Types} types
 * @returns {{ name: string, form: Form }[] | null} null: one value has no form
 */
function partsOf(bytes, types) {
  const parts = elementsOf(bytes).map((element) => ({
    name: textOf(element.name),
    form: formOf(element, types),
  }));
  return parts.some(({ name, form }) => name === null || form === null)
    ? null
    : /** @type {any} */ (parts);
}

/**
 * @param {Element} element
 * @param {Types} types
 * @returns {Form | null} null: neither the driver nor an expression has this value
 */
function formOf({ type, value }, types) {
  return FORMS[type]?.(value, types) ?? null;
}

/** @param {Form} form @returns {any} */
function expressionOf(form) {
  return 'value' in form ? { $literal: form.value } : form.expression;
}

module.exports = { formOf, expressionOf, TYPE, elementsOf, namesIn, textOf, stringOf, viewOf };
