'use strict';

const { TYPE, afterText, elementsOf, lengthAt, stringOf, textOf, viewOf } = require('./bson-bytes');

/**
 * @import { Element } from './bson-bytes'
 * @import { Types } from './types'
 */

/**
 * What a command says so that the server has a certain value. Made from the bytes, because
 * JavaScript objects put integer-like field names first and hold each name once, and JavaScript
 * dates end in the year 275760.
 *
 * @typedef {{ value: any } | { expression: any }} Form
 */

/** Milliseconds that a JavaScript date can have, before and after 1970. */
const MAX_MS = 8_640_000_000_000_000n;
/** The old form of binary data says its length twice. */
const OLD_BINARY = 2;
/** Drivers validate vectors, and refuse some that a server holds. */
const VECTOR = 9;

/**
 * A document that keeps its fields as they are, also one that comes twice.
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

/** The NaN that JavaScript writes. */
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
  // The expression keeps the last of two fields of one name.
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
 * @returns {{ name: string, form: Form }[] | null} null: one of them has no form
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
 * @returns {Form | null} null: neither the driver nor an expression has it
 */
function formOf({ type, value }, types) {
  return FORMS[type]?.(value, types) ?? null;
}

/** @param {Form} form @returns {any} */
function expressionOf(form) {
  return 'value' in form ? { $literal: form.value } : form.expression;
}

module.exports = { formOf, expressionOf };
