'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const {
  BSON,
  BSONRegExp,
  Binary,
  Code,
  Decimal128,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} = require('mongodb');
const {
  filterLosesOrder,
  isDocument,
  textOf,
  textOfIndex,
  unordered,
} = require('../../../lib/split/pure/definitions');

const HEX = '0123456789abcdef01234567';
const ISO = '2030-01-01T00:00:00.000Z';
const BIG = '9007199254740993';
/** As the driver reads what a server sends. @param {any} value */
const read = (value) =>
  BSON.deserialize(BSON.serialize({ value }), { bsonRegExp: true, promoteBuffers: false }).value;

describe('split: options and indexes as they are compared', () => {
  const VALUES = [
    'a',
    '1',
    1,
    1.5,
    true,
    'true',
    null,
    'null',
    NaN,
    Infinity,
    -Infinity,
    ISO,
    new Date(ISO),
    HEX,
    new ObjectId(HEX),
    new ObjectId(`${HEX.slice(1)}0`),
    new MinKey(),
    new MaxKey(),
    Long.fromString(BIG),
    Long.fromString('9007199254740995'),
    new Timestamp({ t: 1, i: 2 }),
    new Decimal128('1.0'),
    new Decimal128('1.00'),
    new Binary(Buffer.from('ab')),
    new Binary(Buffer.from('abc')),
    new Binary(Buffer.from('ab'), 128),
    new UUID('aaaaaaaa-0000-4000-8000-000000000000'),
    new BSONRegExp('a', 'i'),
    new BSONRegExp('a', ''),
    new Code('1'),
    {},
    [],
    [1],
    [[1]],
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    { a: { b: 1 } },
    { a: new Date(ISO) },
    { a: ISO },
  ];

  it('every value has a text of its own, the same each time it is read', () => {
    const texts = VALUES.map((value) => textOf(read(value)));
    assert.deepEqual(
      texts,
      VALUES.map((value) => textOf(read(value))),
    );
    assert.equal(new Set(texts).size, VALUES.length);
  });

  it('as it is handed over in other ways: by another context, as a pattern of JavaScript, as bytes', () => {
    const made = vm.runInNewContext(`({ at: new Date("${ISO}"), p: /a/i, list: [{}] })`);
    assert.equal(textOf(made), textOf({ at: new Date(ISO), p: /a/i, list: [{}] }));
    assert.notEqual(textOf(/a/i), textOf(/a/));
    assert.notEqual(textOf(Buffer.from('a')), textOf(Buffer.from('b')));
    // A field of that name is no class of the driver.
    assert.equal(textOf({ _bsontype: 'ObjectId' }), '{"_bsontype":"ObjectId"}');
    assert.equal(textOf(undefined), 'undefined');
  });

  it('numbers of one value are one, of whatever type', () =>
    assert.equal(textOf(read(Long.fromNumber(5))), textOf(read(5.0))));

  it('of an index the order of its key counts, and not that of its options', () => {
    const index = { name: 'x', key: { a: 1, b: 1 }, unique: true };
    assert.equal(textOfIndex(index), textOfIndex({ unique: true, key: { a: 1, b: 1 }, name: 'x' }));
    assert.notEqual(textOfIndex(index), textOfIndex({ ...index, key: { b: 1, a: 1 } }));
  });

  it('a document is one in whatever context it was made', () => {
    const yes = [{}, vm.runInNewContext('({})'), Object.create(null)];
    const no = [null, 'a', new Date(), new ObjectId(), /a/, []];
    assert.deepEqual(yes.map(isDocument), [true, true, true]);
    assert.deepEqual(no.slice(0, 5).map(isDocument), [false, false, false, false, false]);
  });
});

describe('split: documents whose fields JavaScript puts in another order', () => {
  const several = { b: 1, 1: 2 };
  const CASES = [
    [undefined, false],
    [{}, false],
    [{ v: { $ne: several } }, true],
    [{ v: several }, true],
    [{ v: { $ne: { 1: 2 } } }, false],
    [{ v: { $in: [1, { deep: [several] }] } }, true],
    [{ $expr: { $eq: ['$v', several] } }, true],
    // The order of conditions does not count.
    [{ b: 1, 1: 2 }, false],
    [{ $or: [{ b: 1, 1: 2 }, { $and: [{ $nor: [{ b: 1, 1: 2 }] }] }] }, false],
    [{ $or: [{ a: 1 }, { $and: [{ v: several }] }] }, true],
    // Nor does that of the names in a schema.
    [{ $jsonSchema: { required: ['a'], properties: { b: { type: 'object' }, 1: {} } } }, false],
    [{ $jsonSchema: { properties: { b: { enum: [1, several] } } } }, true],
    [{ $jsonSchema: { properties: { enum: { minimum: 1 } } } }, false],
    [{ $jsonSchema: { anyOf: [{ not: { items: { enum: [several] } } }] } }, true],
  ];
  for (const [filter, loses] of CASES)
    it(`${JSON.stringify(filter)}: ${loses}`, () => assert.equal(filterLosesOrder(filter), loses));

  it('says which: the validator, an index by its key, one by its filter', () => {
    assert.deepEqual(
      unordered({
        options: { validator: { v: several } },
        indexes: [
          { name: 'x', key: several },
          { name: 'y', key: { a: 1 }, partialFilterExpression: { v: several } },
          { name: 'z', key: { a: 1 } },
          { name: 'strange' },
        ],
      }),
      ['the option validator', 'the index x', 'the index y'],
    );
    assert.deepEqual(unordered({ options: null, indexes: null }), []);
  });
});
