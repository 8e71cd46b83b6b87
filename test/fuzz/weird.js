'use strict';

const fc = require('fast-check');
const { Long, Decimal128, Double, Int32, Timestamp } = require('bson');

/**
 * @import { Arbitrary } from 'fast-check'
 */

/**
 * What may stand where a number is meant: other kinds, other forms of numbers, numbers that no
 * counter has.
 */
const WEIRD = [
  null,
  undefined,
  '',
  'text',
  '17',
  NaN,
  Infinity,
  -Infinity,
  -0,
  0,
  -1,
  1e-320,
  1e308,
  -1e308,
  2 ** 53,
  2 ** 63,
  2 ** 64,
  0.1,
  true,
  false,
  12n,
  -(2n ** 63n),
  [],
  [1, 2],
  {},
  { a: { b: 1 } },
  { high: 1, low: 2 },
  { high: -1, low: -1, unsigned: true },
  { high: 'x', low: 1 },
  { $numberLong: 'x' },
  { $numberLong: '9223372036854775807' },
  { $numberDouble: 'NaN' },
  { $numberDouble: '-Infinity' },
  { $numberDecimal: '1E+6144' },
  { $date: 'never' },
  { $date: 9e99 },
  { $date: { $numberLong: '5' } },
  { _bsontype: 'Long' },
  { _bsontype: 'None', valueOf: 7 },
  Long.MAX_VALUE,
  Long.MIN_VALUE,
  Long.MAX_UNSIGNED_VALUE,
  Decimal128.fromString('1E+6144'),
  Decimal128.fromString('NaN'),
  Decimal128.fromString('17'),
  new Double(NaN),
  new Int32(-5),
  new Timestamp({ t: 1, i: 2 }),
  new Date(NaN),
  new Date(8.64e15),
  new Date(0),
  '\u001b[31m',
  'x'.repeat(300),
  '__proto__',
  Symbol.iterator,
  Object.create(null),
  new Map([[1, 2]]),
  /x/,
  Buffer.from('x'),
];

const weird = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WEIRD) },
  { weight: 1, arbitrary: fc.double() },
  {
    weight: 1,
    arbitrary: fc.bigInt(-(2n ** 64n), 2n ** 64n).map((n) => Long.fromBigInt(BigInt.asIntN(64, n))),
  },
);
/** As far as JSON can say it. */
const weirdJson = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...WEIRD.filter(
        (one) =>
          JSON.stringify(typeof one === 'bigint' ? null : one) !== undefined &&
          typeof one !== 'bigint' &&
          typeof one !== 'symbol',
      ),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

/**
 * Changes of documents: which document, where in it, and what stands there then; `gone` takes it
 * away. A place is told as a number, so that it shrinks well.
 * @typedef {{ doc: number, place: number, up: number, to: unknown, gone: boolean }} Bend
 * @param {Arbitrary<any>} [values]
 * @param {number} [max]
 */
const bends = (values = weird, max = 12) =>
  fc.array(
    fc.record({
      doc: fc.nat(1000),
      place: fc.nat(100_000),
      up: fc.nat(2),
      to: values,
      gone: fc.boolean(),
    }),
    { maxLength: max },
  );

/**
 * @param {any} value
 * @param {string[]} [above]
 * @returns {string[][]} the ways to all that is no plain object of it
 */
function leaves(value, above = []) {
  if (value === null || typeof value !== 'object' || value instanceof Date || value._bsontype)
    return [above];
  return Object.entries(value).flatMap(([key, one]) => leaves(one, [...above, key]));
}

/**
 * @param {any} doc which stays as it is
 * @param {readonly string[]} path
 * @param {{ to?: unknown, gone?: boolean }} how
 * @returns {any} a copy, as deep as the path goes
 */
function bent(doc, [key, ...rest], { to, gone = false }) {
  if (key === undefined || doc === null || typeof doc !== 'object') return doc;
  const copy = Array.isArray(doc) ? [...doc] : { ...doc };
  if (rest.length > 0) copy[key] = bent(copy[key], rest, { to, gone });
  else if (gone && !Array.isArray(doc)) delete copy[key];
  else copy[key] = to;
  return copy;
}

/**
 * @param {readonly any[]} docs of about the same shape
 * @param {readonly string[][]} paths
 * @param {readonly Bend[]} list
 * @returns {any[]}
 */
function bendAll(docs, paths, list) {
  const made = [...docs];
  for (const { doc, place, up, to, gone } of list) {
    const at = doc % made.length;
    const path = paths[place % paths.length];
    made[at] = bent(made[at], path.slice(0, Math.max(1, path.length - up)), { to, gone });
  }
  return made;
}

module.exports = { weird, weirdJson, bends, bendAll, bent, leaves };
