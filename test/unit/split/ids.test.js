'use strict';

const assert = require('node:assert/strict');
const { BSON, Binary, Decimal128, Double, Int32, Long, ObjectId, Timestamp } = require('mongodb');
const {
  NULL_ID,
  filterOf,
  idOf,
  isNameable,
  isNull,
  keyOf,
  partsOf,
  rangeOf,
  typesOf,
} = require('../../../lib/split/ids');
const { shownOf, textOfId } = require('../../../lib/split/id-text');
const { formOf } = require('../../../lib/split/bson');
const { document, element, int64, plain, string } = require('../../support/raw-bson');
const { idBytes, workOf } = require('./kit');

const FAR = element(9, 'd', int64(2n ** 63n - 1n));
const idFrom = (/** @type {Buffer} */ one) => idOf(document(one));
const filter = (/** @type {Buffer[]} */ ...elements) =>
  idFrom(element(3, '_id', document(...elements)));

describe('split: ids as the server has them', () => {
  /** @type {any} */ let types;
  before(async () => {
    types = await typesOf(
      workOf({ command: async () => ({ operationTime: new Timestamp({ t: 1, i: 1 }) }) }),
    );
  });

  const SAME = [
    1,
    -1.5,
    new Int32(5),
    new Double(5),
    Long.fromString('9007199254740993'),
    'a',
    '',
    'a\0b',
    true,
    null,
    new Date(0),
    new ObjectId(),
    new Binary(Buffer.from('x')),
    new Binary(Buffer.alloc(16, 1), 4),
    new Binary(Buffer.from('xy'), 2),
    Decimal128.fromString('NaN'),
    Decimal128.fromString('-0E3'),
    new Timestamp({ t: 0, i: 0 }),
    new Timestamp({ t: 4294967295, i: 2 }),
    { a: { b: [1, 'x', { c: null }] } },
    {},
  ];
  for (const value of SAME)
    it(`${JSON.stringify(value)} goes to the server with the bytes it came with`, () => {
      const {
        _id: {
          $in: [form],
        },
      } = /** @type {any} */ (filterOf([idBytes(value)], types));
      assert.deepEqual(Buffer.from(BSON.serialize({ _id: form })), idBytes(value));
    });

  it('so does a document whose fields JavaScript turns round, or has once', () => {
    for (const id of [
      filter(plain('store', 1), plain('2024', 5)),
      filter(plain('a', 1), plain('a', 2)),
      filter(element(4, 'l', document(element(3, '0', document(plain('b', 1), plain('1', 1)))))),
      filter(plain('toBSON', 1), element(16, '__proto__', Buffer.from([1, 0, 0, 0]))),
    ]) {
      const {
        _id: {
          $in: [form],
        },
      } = /** @type {any} */ (filterOf([id], types));
      assert.deepEqual(
        Buffer.from(BSON.serialize({ _id: form })),
        Buffer.from(/** @type {any} */ (id)),
      );
    }
  });
  it('a date that JavaScript has not is computed by the server', () => {
    assert.deepEqual(filterOf([idFrom(element(9, '_id', int64(-(2n ** 63n))))], types), {
      $expr: { $eq: ['$_id', { $toDate: { $literal: -(2n ** 63n) } }] },
    });
    const { $expr } = /** @type {any} */ (filterOf([filter(plain('3', 1), FAR)], types));
    assert.deepEqual(
      $expr.$eq[1].$arrayToObject[0].map(([{ $literal }]) => $literal),
      ['3', 'd'],
    );
  });
  it('what cannot be named stands for all of its type, once', () => {
    const odd = [
      filter(element(6, 'u')),
      filter(element(255, 'm')),
      filter(FAR, plain('a', 1), plain('a', 2)),
      idFrom(element(13, '_id', string('f'))),
      idFrom(element(2, '_id', string(Buffer.from([255])))),
    ];
    assert.deepEqual(
      [odd.map((id) => isNameable(id, types)), filterOf(odd, types)],
      [
        odd.map(() => false),
        { $or: [{ _id: { $type: 3 } }, { _id: { $type: 13 } }, { _id: { $type: 2 } }] },
      ],
    );
    assert.deepEqual(filterOf([idFrom(element(255, '_id'))], types), { _id: { $type: -1 } });
    // The class of timestamps that a standalone server does not show.
    assert.equal(
      isNameable(idBytes(new Timestamp({ t: 1, i: 1 })), { ...types, Timestamp: null }),
      false,
    );
  });
  it('only exactly: no string for a symbol, and no other NaN', () => {
    const [symbol, nan] = [
      { type: 14, name: Buffer.alloc(0), value: string('s') },
      { type: 1, name: Buffer.alloc(0), value: int64(0x7ff8000000000001n) },
    ];
    assert.deepEqual(
      [symbol, nan].map((one) => [
        formOf(one, types) !== null,
        formOf(one, { ...types, exact: true }),
      ]),
      [
        [true, null],
        [true, null],
      ],
    );
  });
  it('comes back from the state as binary data', () => {
    const { id } = BSON.deserialize(BSON.serialize({ id: idBytes('x') }));
    assert.deepEqual(
      [keyOf(id), filterOf([id], types)],
      [keyOf(idBytes('x')), { _id: { $in: ['x'] } }],
    );
    assert.deepEqual(
      [isNull(NULL_ID), Buffer.from(/** @type {any} */ (NULL_ID))],
      [true, idBytes(null)],
    );
  });
  it('a range has its bounds as expressions; none is all', () => {
    assert.deepEqual(
      [rangeOf(null, null, types), rangeOf(idBytes('a'), idBytes('b'), types)],
      [
        {},
        {
          $expr: {
            $and: [{ $gte: ['$_id', { $literal: 'a' }] }, { $lt: ['$_id', { $literal: 'b' }] }],
          },
        },
      ],
    );
  });
  it('no command has more than eight megabytes of ids, or two hundred expressions', () => {
    const large = Array.from({ length: 10 }, (_, i) => idBytes(`${i}${'x'.repeat(3_000_000)}`));
    assert.deepEqual(
      partsOf(large, types).map((part) => part.length),
      [2, 2, 2, 2, 2],
    );
    const far = Array.from({ length: 450 }, (_, i) =>
      idFrom(element(9, '_id', int64(2n ** 62n + BigInt(i)))),
    );
    assert.ok(partsOf(far, types).every((part) => part.length <= 200));
    assert.deepEqual(
      [
        partsOf([], types),
        partsOf(
          large.slice(0, 3).map(() => idBytes(1)),
          types,
          2,
        ).map((part) => part.length),
      ],
      [[], [2, 1]],
    );
  });

  for (const [id, text, shown] of /** @type {[any, string, any][]} */ ([
    [idBytes('a"b'), '"a\\"b"', 'a"b'],
    [idBytes(-0), '-0', -0],
    [idBytes(5), '5', 5],
    [idBytes(Long.fromString('9007199254740993')), 'Long("9007199254740993")', null],
    [idBytes(Long.fromNumber(7)), 'Long("7")', 7],
    [idBytes(new Date(0)), 'ISODate("1970-01-01T00:00:00.000Z")', new Date(0)],
    [idFrom(element(9, '_id', int64(2n ** 60n))), 'Date(1152921504606846976 ms)', null],
    [
      idBytes(new ObjectId('a'.repeat(24))),
      `ObjectId("${'a'.repeat(24)}")`,
      new ObjectId('a'.repeat(24)),
    ],
    [
      idBytes(new Binary(Buffer.alloc(16, 255), 4)),
      'UUID("ffffffff-ffff-ffff-ffff-ffffffffffff")',
      new Binary(Buffer.alloc(16, 255), 4),
    ],
    [idBytes(new Binary(Buffer.from('x'))), 'Binary(0x78, 0)', new Binary(Buffer.from('x'))],
    [idBytes({ a: 1, b: { c: [true] } }), '{"a": 1, "b": {"c": [true]}}', null],
    [idBytes({ a: 1, b: { c: 'x' } }), '{"a": 1, "b": {"c": "x"}}', { a: 1, b: { c: 'x' } }],
    [filter(plain('store', 1), plain('2024', 5)), '{"store": 1, "2024": 5}', null],
    [filter(plain('a', 1), plain('a', 2)), '{"a": 1, "a": 2}', null],
    [idBytes(new Timestamp({ t: 3, i: 4 })), 'Timestamp(3, 4)', new Timestamp({ t: 3, i: 4 })],
    [idFrom(element(2, '_id', string(Buffer.from([255, 254])))), '<no UTF-8: fffe>', null],
    [idFrom(element(14, '_id', string('s'))), 'Symbol("s")', null],
    [idFrom(element(255, '_id')), 'MinKey()', null],
    [idFrom(element(127, '_id')), 'MaxKey()', null],
    [
      filter(
        element(6, 'u'),
        element(11, 'p', Buffer.from('a\0i\0')),
        element(8, 'no', Buffer.alloc(1)),
      ),
      '{"u": undefined, "p": Regex(0x61006900), "no": false}',
      null,
    ],
    [
      idFrom(element(12, '_id', Buffer.concat([string('a'), Buffer.alloc(12)]))),
      `<type 12: 020000006100${'0'.repeat(24)}>`,
      null,
    ],
    [idFrom(element(13, '_id', string('f'))), 'Code("f")', null],
    [
      idBytes(Decimal128.fromString('1')),
      'Decimal128(0x01000000000000000000000000004030)',
      new Decimal128(Uint8Array.from(Buffer.from('01000000000000000000000000004030', 'hex'))),
    ],
    [NULL_ID, 'null', null],
  ]))
    it(`is shown as ${text}`, () => {
      assert.deepEqual(
        [textOfId(id), shownOf(id, types)],
        [text, shown ?? (isNull(id) ? null : text)],
      );
    });
  it('a long one is shown in part, and how long it is', () => {
    const id = idBytes('x'.repeat(5_000));
    assert.deepEqual(
      [textOfId(id).length < 1_100, textOfId(id).endsWith('xx… (5005 bytes)'), shownOf(id, types)],
      [true, true, textOfId(id)],
    );
  });
});
