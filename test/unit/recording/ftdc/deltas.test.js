'use strict';

const assert = require('node:assert/strict');
const { as, chunkBody, bsonOf, metricsOf } = require('../../../support/ftdc');
const { DeltaReader } = require('../../../../lib/recording/ftdc/deltas');

const COUNTS_BYTES = 8;

/**
 * Columns of numbers as a reader finds them.
 * @param {bigint[][]} columns each of the same length
 */
function readerOf(columns) {
  const reference = columns.map(([first], i) => /** @type {const} */ ([`m${i}`, as.long(first)]));
  const rows = columns[0].slice(1).map((_, i) => columns.map((column) => column[i + 1]));
  return new DeltaReader(chunkBody(reference, rows), bsonOf(reference).length + COUNTS_BYTES);
}

/** @param {DeltaReader} reader @param {bigint[]} column */
function readColumn(reader, column) {
  const out = new Float64Array(column.length);
  out[0] = Number(column[0]);
  return { isExact: reader.fill(out, 0, column.length), values: Array.from(out) };
}

/** @param {DeltaReader} reader @param {bigint[]} column */
function readExact(reader, column) {
  const out = new BigInt64Array(column.length);
  out[0] = column[0];
  reader.fillExact(out, 0, column.length);
  return Array.from(out);
}

/** Random numbers that are the same in every run. @param {number} seed */
function random(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/**
 * Numbers of every size, with runs of the same one.
 * @param {() => number} next
 * @param {number} length
 * @param {number} bits
 */
function series(next, length, bits) {
  const list = [0n];
  while (list.length < length) {
    const big =
      (BigInt(Math.floor(next() * 2 ** 52)) >> BigInt(Math.floor(next() * 52))) <<
      BigInt(Math.max(0, bits - 52));
    const other = () => (next() < 0.5 ? big : -big);
    for (let run = Math.floor(next() * 9); run >= 0; run--)
      list.push(next() < 0.5 ? list[list.length - 1] : other());
  }
  return list.slice(0, length);
}

describe('recording/ftdc/deltas', () => {
  for (const [name, column] of /** @type {[string, bigint[]][]} */ ([
    ['growth', [5n, 6n, 8n, 200n, 30_000n]],
    ['nothing', [7n, 7n, 7n, 7n]],
    ['decline', [100n, 99n, 0n, -1n, -100_000n]],
    ['one sample', [3n]],
    ['a value past 32 bits', [2n ** 31n - 1n, 2n ** 31n, 2n ** 40n, -(2n ** 40n)]],
    ['to the edge of a double and back', [2n ** 53n - 2n, 2n ** 53n - 1n, 0n, -(2n ** 53n) + 1n]],
    ['each length of a varint', Array.from({ length: 53 }, (_, i) => 2n ** BigInt(i))],
    ['a varint of one, two bytes', [0n, 127n, 255n, 255n + 16_383n]],
  ])) {
    it(`reads ${name}`, () => {
      const reader = readerOf([column]);
      assert.deepEqual(readColumn(reader, column), { isExact: true, values: column.map(Number) });
      assert.ok(reader.isExhausted);
    });
  }

  for (const [name, column] of /** @type {[string, bigint[]][]} */ ([
    ['a first value beyond 2^53', [2n ** 53n, 2n ** 53n + 1n]],
    ['a step over 2^53 by one', [2n ** 53n - 1n, 2n ** 53n]],
    ['large and back', [1n, 2n ** 60n + 1n, 1n]],
    ['the wrap of 64 bits', [2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n - 1n]],
    ['large and negative', [-(2n ** 60n) - 1n, -(2n ** 60n) - 2n]],
  ])) {
    it(`says that it is not exact for ${name}, and is, in 64 bits`, () => {
      assert.equal(readColumn(readerOf([column]), column).isExact, false);
      const reader = readerOf([column]);
      assert.deepEqual(readExact(reader, column), column);
      assert.ok(reader.isExhausted);
    });
  }

  it('lets zeros run on into the next columns, whether they are read or left out', () => {
    const columns = [
      [1n, 2n, 2n, 2n],
      [9n, 9n, 9n, 9n],
      [4n, 4n, 4n, 5n],
    ];
    for (const left of [0, 1, 2, 3]) {
      const reader = readerOf(columns);
      reader.skip(3 * left);
      for (const column of columns.slice(left))
        assert.deepEqual(readColumn(reader, column).values, column.map(Number));
      assert.ok(reader.isExhausted);
    }
  });

  it('agrees with itself three ways over random numbers', () => {
    const next = random(20260301);
    for (let round = 0; round < 60; round++) {
      const columns = Array.from({ length: 5 }, () =>
        series(next, 2 + Math.floor(next() * 40), round % 2 ? 52 : 63),
      ).map((column, _, all) =>
        Array.from({ length: all[0].length }, (__, i) =>
          BigInt.asIntN(64, column[i % column.length]),
        ),
      );
      const [fast, exact, mixed] = [readerOf(columns), readerOf(columns), readerOf(columns)];
      columns.forEach((column, i) => {
        assert.deepEqual(readExact(exact, column), column);
        const { isExact, values } = readColumn(fast, column);
        if (isExact) assert.deepEqual(values, column.map(Number));
        if (i % 2) mixed.skip(column.length - 1);
        else assert.deepEqual(readExact(mixed, column), column);
      });
      assert.deepEqual(
        [fast, exact, mixed].map((reader) => reader.isExhausted),
        [true, true, true],
      );
    }
  });

  it('ends where the bytes end, and says so', () => {
    const reader = new DeltaReader(Buffer.from([1, 0x80]), 0);
    reader.skip(5);
    assert.equal(reader.isExhausted, false);
    const other = new DeltaReader(Buffer.from([0, 9]), 0);
    assert.equal(readColumn(other, [1n, 1n, 1n]).isExact, true);
    assert.equal(other.isExhausted, false);
  });

  it('the writer counts as the reader does', () =>
    assert.deepEqual(
      metricsOf([
        ['a', as.timestamp(3, 2)],
        ['b', as.string('x')],
        ['c', as.bool(true)],
      ]),
      [3n, 2n, 1n],
    ));
});
