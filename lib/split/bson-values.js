'use strict';

/**
 * Reads BSON without a driver: its JavaScript values turn integer-like field names round, lose a field that comes twice, and know no date beyond their own.
 *
 * @typedef {{ type: number, name: Uint8Array, value: Uint8Array }} Element `name` and `value` as bytes
 * @typedef {{ value: any } | { expression: any }} Form how the server gets exactly this: as a literal, or computed by an expression
 * @typedef {{ Double: any, Int32: any, Decimal128: any, ObjectId: any, Binary: any, BSONRegExp: any, Timestamp: any, exact?: boolean }} Types the driver's classes;
 *   `Timestamp` is null on a standalone server; `exact`: what is only equal to the value, such as a string to a symbol, is not enough
 */

const TYPE = Object.freeze({
  double: 1, string: 2, object: 3, array: 4, binary: 5, undefined: 6, objectId: 7, boolean: 8, date: 9, null: 10, regex: 11, dbPointer: 12, code: 13, symbol: 14, codeWithScope: 15,
  int32: 16, timestamp: 17, int64: 18, decimal: 19, minKey: 255, maxKey: 127,
});

/** @param {Uint8Array} bytes */
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
/** @param {Uint8Array} bytes @param {number} at */
const afterText = (bytes, at) => bytes.indexOf(0, at) + 1;

/** Bytes of a value by its type; what is not here has none. @type {Readonly<Record<number, (bytes: Uint8Array, at: number) => number>>} */
const SIZES = Object.freeze({
  [TYPE.double]: () => 8, [TYPE.objectId]: () => 12, [TYPE.boolean]: () => 1, [TYPE.date]: () => 8, [TYPE.int32]: () => 4,
  [TYPE.timestamp]: () => 8, [TYPE.int64]: () => 8, [TYPE.decimal]: () => 16,
  ...Object.fromEntries([TYPE.string, TYPE.code, TYPE.symbol].map((type) => [type, (/** @type {Uint8Array} */ bytes, /** @type {number} */ at) => 4 + lengthAt(bytes, at)])),
  ...Object.fromEntries([TYPE.object, TYPE.array, TYPE.codeWithScope].map((type) => [type, lengthAt])),
  [TYPE.binary]: (bytes, at) => 5 + lengthAt(bytes, at), [TYPE.dbPointer]: (bytes, at) => 16 + lengthAt(bytes, at),
  [TYPE.regex]: (bytes, at) => afterText(bytes, afterText(bytes, at)) - at,
});
/** @param {Uint8Array} bytes @param {number} at */
function lengthAt(bytes, at) {
  return viewOf(bytes).getInt32(at, true);
}

/** @param {Uint8Array} bytes of a document @returns {Element[]} in their order */
function elementsOf(bytes) {
  /** @type {Element[]} */ const elements = [];
  for (let at = 4; bytes[at] !== 0;) {
    const value = afterText(bytes, at + 1);
    const end = value + (SIZES[bytes[at]]?.(bytes, value) ?? 0);
    elements.push({ type: bytes[at], name: bytes.subarray(at + 1, value - 1), value: bytes.subarray(value, end) });
    at = end;
  }
  return elements;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** @param {Uint8Array} bytes @returns {string | null} null: this is no UTF-8, and JavaScript has no string for it */
function textOf(bytes) {
  try {
    return UTF8.decode(bytes);
  } catch (_invalid) {
    return null;
  }
}
/** @param {Uint8Array} value of a string, or what is stored as one */
const stringOf = (value) => textOf(value.subarray(4, -1));
/** Milliseconds that a JavaScript date can have, before and after 1970. */
const MOST_MS = 8_640_000_000_000_000n;
/** The old form of binary data says its length twice. */
const OLD_BINARY = 2;
/** Drivers check what they take for a vector, and refuse some that a server holds. */
const VECTOR = 9;

/** A document that keeps its fields as they are, also one that comes twice. @augments {Map<string, any>} */
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
  [TYPE.double]: (value, { Double, exact }) => {
    const number = viewOf(value).getFloat64(0, true);
    return exact && Number.isNaN(number) && viewOf(value).getBigUint64(0, true) !== 0x7ff8000000000000n ? null : { value: new Double(number) };
  },
  [TYPE.string]: (value) => given(stringOf(value)),
  [TYPE.symbol]: (value, { exact }) => (exact ? null : given(stringOf(value))),
  [TYPE.object]: (value, types) => fields(value, types),
  [TYPE.array]: (value, types) => list(value, types),
  [TYPE.binary]: binary,
  [TYPE.objectId]: (value, { ObjectId }) => ({ value: new ObjectId(Uint8Array.from(value)) }),
  [TYPE.boolean]: (value) => ({ value: value[0] === 1 }),
  [TYPE.date]: (value) => {
    const ms = viewOf(value).getBigInt64(0, true);
    return ms > MOST_MS || ms < -MOST_MS ? { expression: { $toDate: { $literal: ms } } } : { value: new Date(Number(ms)) };
  },
  [TYPE.null]: () => ({ value: null }),
  [TYPE.regex]: (value, { BSONRegExp }) => {
    const [pattern, flags] = [textOf(value.subarray(0, value.indexOf(0))), textOf(value.subarray(afterText(value, 0), -1))];
    return pattern === null || !/^[imlsux]*$/.test(flags ?? '?') ? null : { value: new BSONRegExp(pattern, flags) };
  },
  [TYPE.int32]: (value, { Int32 }) => ({ value: new Int32(lengthAt(value, 0)) }),
  [TYPE.timestamp]: (value, { Timestamp }) => (Timestamp ? { value: new Timestamp({ i: viewOf(value).getUint32(0, true), t: viewOf(value).getUint32(4, true) }) } : null),
  [TYPE.int64]: (value) => ({ value: viewOf(value).getBigInt64(0, true) }),
  [TYPE.decimal]: (value, { Decimal128 }) => ({ value: new Decimal128(Uint8Array.from(value)) }),
});

/** @param {string | null} text @returns {Form | null} */
const given = (text) => (text === null ? null : { value: text });

/** @param {Uint8Array} value @param {Types} types @returns {Form | null} */
function binary(value, { Binary }) {
  const [subtype, old] = [value[4], value[4] === OLD_BINARY];
  if (subtype === VECTOR || (old && (value.length < 9 || lengthAt(value, 5) !== value.length - 9))) return null;
  return { value: new Binary(Uint8Array.from(value.subarray(old ? 9 : 5)), subtype) };
}

/** @param {Uint8Array} bytes @param {Types} types @returns {Form | null} */
function fields(bytes, types) {
  const parts = partsOf(bytes, types);
  if (parts === null) return null;
  if (parts.every(({ form }) => 'value' in form)) return { value: new Fields(parts.map(({ name, form }) => [name, /** @type {any} */ (form).value])) };
  // The expression keeps the last of two fields of one name.
  if (new Set(parts.map(({ name }) => name)).size < parts.length) return null;
  return { expression: { $arrayToObject: [parts.map(({ name, form }) => [{ $literal: name }, expressionOf(form)])] } };
}

/** @param {Uint8Array} bytes @param {Types} types @returns {Form | null} */
function list(bytes, types) {
  const forms = partsOf(bytes, types)?.map(({ form }) => form);
  if (!forms) return null;
  return forms.every((form) => 'value' in form) ? { value: forms.map((form) => form.value) } : { expression: forms.map(expressionOf) };
}

/** @param {Uint8Array} bytes @param {Types} types @returns {{ name: string, form: Form }[] | null} null: there is one among them that cannot be said */
function partsOf(bytes, types) {
  const parts = elementsOf(bytes).map((element) => ({ name: textOf(element.name), form: formOf(element, types) }));
  return parts.some(({ name, form }) => name === null || form === null) ? null : /** @type {any} */ (parts);
}

/** @param {Element} element @param {Types} types @returns {Form | null} null: neither the driver nor an expression can make it */
function formOf({ type, value }, types) {
  return FORMS[type]?.(value, types) ?? null;
}

/** @param {Form} form @returns {any} */
function expressionOf(form) {
  return 'value' in form ? { $literal: form.value } : form.expression;
}

module.exports = { TYPE, elementsOf, formOf, expressionOf, textOf, stringOf, viewOf };
