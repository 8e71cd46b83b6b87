'use strict';

const assert = require('node:assert/strict');
const { as, bsonOf, metricsOf } = require('../../../support/ftdc');
const { Layout, SEPARATOR } = require('../../../../lib/recording/ftdc/layout');
const { Damaged } = require('../../../../lib/recording/ftdc/bson');

/** @param {Parameters<typeof bsonOf>[0]} doc */
const layoutOf = (doc) => new Layout(bsonOf(doc));
/** @param {Layout} layout */
const pathsOf = ({ paths }) => paths.map((path) => path.split(SEPARATOR).join('/'));

describe('recording/ftdc/layout', () => {
  it('lists numbers, booleans, dates and timestamps in the order of the document, and nothing else', () => {
    const layout = layoutOf([
      ['start', as.date(1)],
      ['s', as.string('x')],
      [
        'in',
        as.doc([
          ['a', as.int(1)],
          ['list', as.array([as.double(2), as.null(), as.bool(true)])],
        ]),
      ],
      ['clock', as.timestamp(5, 6)],
      ['id', as.objectId()],
      ['n', as.decimal(3)],
      ['end', as.long(9)],
    ]);
    assert.deepEqual(pathsOf(layout), [
      'start',
      'in/a',
      'in/list/0',
      'in/list/2',
      'clock/t',
      'clock/i',
      'n',
      'end',
    ]);
    assert.equal(layout.count, 8);
  });

  it('counts duplicate keys, and keys that are no UTF-8', () => {
    const mount = as.doc([['free', as.long(1)]]);
    assert.deepEqual(
      pathsOf(
        layoutOf([
          [
            'm',
            as.doc([
              ['/data', mount],
              ['/data', mount],
              [Buffer.from([0x2f, 0xff]), mount],
            ]),
          ],
          ['z', as.int(1)],
        ]),
      ),
      ['m//data/free', 'm//data/free', 'm//�/free', 'z'],
    );
  });

  it('tells keys with a slash from nested ones', () => {
    const { paths } = layoutOf([
      ['a', as.doc([['b/c', as.int(1)]])],
      ['a/b', as.doc([['c', as.int(1)]])],
    ]);
    assert.equal(new Set(paths).size, 2);
  });

  it('reads the first values as the public decoders do', () => {
    const doc = /** @type {Parameters<typeof bsonOf>[0]} */ ([
      ['d', as.double(-2.9)],
      ['nan', as.double(NaN)],
      ['no limit', as.double(Number.MAX_VALUE)],
      ['-inf', as.double(-Infinity)],
      ['-0', as.double(-0.5)],
      ['i', as.int(-5)],
      ['l', as.long(-(2n ** 62n) - 1n)],
      ['b', as.bool(false)],
      ['when', as.date(-1)],
      ['ts', as.timestamp(2 ** 32 - 1, 7)],
      ['dec', as.decimal(-12)],
    ]);
    const bytes = bsonOf(doc);
    const layout = new Layout(bytes);
    assert.deepEqual(
      metricsOf(doc),
      Array.from({ length: layout.count }, (_, i) => layout.firstExact(bytes, i)),
    );
    assert.deepEqual(
      metricsOf(doc).map(Number),
      Array.from({ length: layout.count }, (_, i) => layout.firstValue(bytes, i) + 0),
    );
    assert.ok(Object.is(layout.firstValue(bytes, 4), 0));
  });

  it('takes an infinite decimal for what 64 bits cannot hold', () => {
    const bytes = bsonOf([
      ['inf', { ...as.decimal(0), bytes: Buffer.from([...new Array(15).fill(0), 0x78]) }],
    ]);
    assert.equal(new Layout(bytes).firstExact(bytes, 0), -(2n ** 63n));
  });

  const base = /** @type {const} */ ([
    ['host', as.string('abc')],
    ['in', as.doc([['n', as.int(1)]])],
    ['at', as.date(1)],
  ]);
  for (const [
    name,
    other,
    fits,
  ] of /** @type {[string, Parameters<typeof bsonOf>[0], boolean][]} */ ([
    [
      'other values',
      [
        ['host', as.string('xyz')],
        ['in', as.doc([['n', as.int(99)]])],
        ['at', as.date(7)],
      ],
      true,
    ],
    [
      'another key',
      [
        ['host', as.string('abc')],
        ['in', as.doc([['m', as.int(1)]])],
        ['at', as.date(1)],
      ],
      false,
    ],
    [
      'another type of the same length',
      [
        ['host', as.string('abc')],
        ['in', as.doc([['n', as.int(1)]])],
        ['at', as.long(1)],
      ],
      false,
    ],
    [
      'another length',
      [
        ['host', as.string('abcd')],
        ['in', as.doc([['n', as.int(1)]])],
        ['at', as.date(1)],
      ],
      false,
    ],
    [
      'the same length, shared out in another way',
      [
        ['host', as.string('abcdefgh')],
        ['in', as.doc([])],
        ['at', as.date(1)],
      ],
      false,
    ],
  ])) {
    it(`${fits ? 'fits' : 'does not fit'} ${name}`, () =>
      assert.equal(layoutOf(base).fits(bsonOf(other)), fits));
  }

  it('refuses documents that are nested without end', () => {
    let doc = as.int(1);
    for (let i = 0; i < 120; i++) doc = as.doc([['d', doc]]);
    assert.throws(() => layoutOf([['d', doc]]), Damaged);
  });
});
