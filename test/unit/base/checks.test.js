'use strict';

const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const fc = require('fast-check');
const valibot = require('valibot');
const checks = require('../../../lib/base/pure/checks');

/** Made by both in the same way. @type {Record<string, (v: any) => any>} */
const SCHEMAS = {
  any: (v) => v.any(),
  string: (v) => v.string(),
  number: (v) => v.number(),
  boolean: (v) => v.boolean(),
  finite: (v) => v.pipe(v.number(), v.finite()),
  integer: (v) => v.pipe(v.number(), v.integer()),
  range: (v) => v.pipe(v.number(), v.minValue(1), v.maxValue(64)),
  above: (v) => v.pipe(v.number(), v.gtValue(0)),
  even: (v) => v.pipe(v.number(), v.multipleOf(2)),
  'not empty': (v) => v.pipe(v.string(), v.minLength(1)),
  regex: (v) => v.pipe(v.string(), v.regex(/^[^$.][^$]*$/)),
  custom: (v) => v.custom((/** @type {unknown} */ value) => value === 7),
  literal: (v) => v.literal('auto'),
  picklist: (v) => v.picklist(['all', 'secondaries']),
  union: (v) => v.union([v.literal('auto'), v.pipe(v.number(), v.minValue(3))]),
  nullable: (v) => v.nullable(v.number()),
  optional: (v) => v.optional(v.string()),
  array: (v) => v.pipe(v.array(v.string()), v.minLength(1)),
  'an array of anything': (v) => v.array(v.any()),
  'loose object': (v) => v.looseObject({}),
  'loose object with a name': (v) => v.looseObject({ a: v.number() }),
  'strict object': (v) =>
    v.strictObject({ a: v.string(), b: v.optional(v.nullable(v.pipe(v.number(), v.gtValue(0)))) }),
};

const VALUES = [
  undefined,
  null,
  true,
  false,
  0,
  -0,
  1,
  2,
  3,
  7,
  64,
  64.5,
  65,
  -1,
  NaN,
  Infinity,
  -Infinity,
  '',
  'a',
  'auto',
  'all',
  '$a',
  '7',
  [],
  [''],
  ['a', 'b'],
  ['a', 1],
  [undefined],
  {},
  { a: 1 },
  { a: 'x' },
  { a: 'x', b: null },
  { a: 'x', b: undefined },
  { a: 'x', b: -1 },
  { a: 'x', c: 1 },
  { a: undefined },
  Object.create({ a: 'x' }),
  new Date(0),
  () => {},
  Symbol('s'),
  7n,
];

describe('checks of options', () => {
  for (const [name, make] of Object.entries(SCHEMAS)) {
    const own = make(checks);
    const theirs = make(valibot);
    const same = (/** @type {unknown} */ value) =>
      assert.equal(own(value), valibot.is(theirs, value), `${name}: ${inspect(value)}`);
    it(`${name}: as valibot decides`, () => {
      for (const value of VALUES) if (name !== 'integer' || value !== 7n) same(value);
      fc.assert(fc.property(fc.anything(), same));
    });
  }
  it('all are compared', () => {
    const used = Object.values(SCHEMAS).map(String).join(' ');
    for (const name of Object.keys(checks)) assert.ok(used.includes(`v.${name}(`), name);
  });
});
