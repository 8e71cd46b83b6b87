'use strict';

const assert = require('node:assert/strict');
const { as, bsonOf } = require('../../../support/ftdc');
const { walk, toObject, Damaged } = require('../../../../lib/recording/ftdc/bson');

const EVERY = Object.freeze([
  as.double(1.5),
  as.string('text'),
  as.doc([['x', as.int(1)]]),
  as.array([as.int(1)]),
  as.binary(Buffer.from('abc')),
  as.undefined(),
  as.objectId(),
  as.bool(true),
  as.date(1e12),
  as.null(),
  as.regex(),
  as.pointer(),
  as.code('c'),
  as.symbol('s'),
  as.scoped(),
  as.int(-1),
  as.timestamp(3, 2),
  as.long(2n ** 60n),
  as.decimal(12),
  as.minKey(),
  as.maxKey(),
]);

/** @param {Buffer} bytes */
function keysOf(bytes) {
  /** @type {string[]} */ const keys = [];
  walk(bytes, 0, (_type, keyAt, valueAt) => {
    keys.push(bytes.toString('utf8', keyAt, valueAt - 1));
  });
  return keys;
}

describe('recording/ftdc/bson', () => {
  it('walks over values of every type and keeps its place', () => {
    const bytes = bsonOf([
      ...EVERY.map((value, i) => /** @type {const} */ ([`key ${i}`, value])),
      ['last', as.int(7)],
    ]);
    assert.deepEqual(keysOf(bytes), [...EVERY.map((_, i) => `key ${i}`), 'last']);
    assert.equal(
      walk(bytes, 0, () => {}),
      bytes.length,
    );
  });

  it('keeps duplicate keys and empty ones', () =>
    assert.deepEqual(
      keysOf(
        bsonOf([
          ['a', as.int(1)],
          ['', as.int(2)],
          ['a', as.int(3)],
        ]),
      ),
      ['a', '', 'a'],
    ));

  it('makes an object of what facts are made of, of equal keys the first', () => {
    const made = toObject(
      bsonOf([
        ['text', as.string('grün')],
        ['half', as.double(0.5)],
        ['whole', as.int(-3)],
        ['long', as.long(2n ** 40n)],
        ['yes', as.bool(true)],
        ['at', as.date(5)],
        ['list', as.array([as.int(1), as.string('b')])],
        ['in', as.doc([['x', as.int(1)]])],
        ['text', as.string('second')],
        ['no', as.binary(Buffer.alloc(3))],
        ['__proto__', as.int(1)],
      ]),
      0,
    );
    assert.deepEqual(
      [made.text, made.half, made.whole, made.long, made.yes, made.list, made.in.x, made.no],
      ['grün', 0.5, -3, 2 ** 40, true, [1, 'b'], 1, undefined],
    );
    assert.deepEqual(made.at, new Date(5));
    assert.ok(Object.hasOwn(made, '__proto__'));
  });

  it('reads text that is no UTF-8', () =>
    assert.equal(
      toObject(
        bsonOf([['a', { ...as.string('xy'), bytes: Buffer.from([3, 0, 0, 0, 0xff, 0xfe, 0]) }]]),
        0,
      ).a,
      '��',
    ));

  it('calls everything that is cut short damaged', () => {
    const bytes = bsonOf(EVERY.map((value, i) => [`k${i}`, value]));
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(() => walk(bytes.subarray(0, length), 0, () => {}), Damaged, `${length} bytes`);
    }
  });

  it('comes to an end with any byte changed, and throws nothing but Damaged', () => {
    const bytes = bsonOf(EVERY.map((value, i) => [`k${i}`, value]));
    for (let at = 0; at < bytes.length; at++) {
      for (const byte of [0, 1, 0x7f, 0x80, 0xff, bytes[at] ^ 4]) {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        try {
          toObject(changed, 0);
        } catch (error) {
          assert.ok(error instanceof Damaged, `byte ${at} = ${byte}: ${error}`);
        }
      }
    }
  });

  it('does not follow documents that are nested without end', () => {
    let doc = as.int(1);
    for (let i = 0; i < 100; i++) doc = as.doc([['d', doc]]);
    assert.doesNotThrow(() => toObject(bsonOf([['d', doc]]), 0));
    assert.throws(() => toObject(bsonOf([['d', as.doc([['d', doc]])]]), 0), Damaged);
  });
});
