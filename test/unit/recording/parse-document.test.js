'use strict';

const assert = require('node:assert/strict');
const { parseDocument } = require('../../../lib/recording/recording-documents');

describe('recording/recording-documents, one document', () => {
  for (const [text, expected] of /** @type {[string, unknown][]} */ ([
    ['{"a": 1}', { a: 1 }],
    ['\uFEFF{"a": 1}', { a: 1 }],
    ['[{"a": 1}]', [{ a: 1 }]],
    ['null', undefined],
    ['{"a": ', undefined],
    ['', undefined],
    [
      '{"a": NumberLong(5), "b": NumberLong("9007199254740993"), "c": NumberInt( 7 ), "d": ' +
        'Long("8"), "e": NumberDecimal("1.5")}',
      { a: 5, b: 9007199254740992, c: 7, d: 8, e: 1.5 },
    ],
    [
      '{"a": ISODate("2026-01-01T00:00:00Z"), "b": new Date(1000), "c": ObjectId("0123"), ' +
        '"d": new ISODate()}',
      { a: '2026-01-01T00:00:00Z', b: { $date: 1000 }, c: '0123', d: null },
    ],
    [
      '{"a": Timestamp(1, 2), "b": BinData(0, "AA(=="), "c": undefined, "d": NaN, "e": ' +
        'Infinity, "f": -Infinity, "g": MinKey()}',
      { a: null, b: null, c: null, d: null, e: null, f: null, g: null },
    ],
    [
      '{"a": "NumberLong(5) and \\"NaN\\"", "b": undefined}',
      { a: 'NumberLong(5) and "NaN"', b: null },
    ],
    ['{"a": NumberLong(x), "b": 1}', { a: null, b: 1 }],
    ['{"a": Whatever("x"), "b": 1}', { a: null, b: 1 }],
  ]))
    it(`reads ${text.slice(0, 50)}`, () => assert.deepEqual(parseDocument(text), expected));

  it('does not hang on what begins and never ends', () => {
    for (const text of [
      `{${'A('.repeat(100_000)}`,
      `{A(${'x'.repeat(1e6)}`,
      `{"${'\\"'.repeat(500_000)}`,
      `{${'"A('.repeat(100_000)}`,
      `{NaN "${'x'.repeat(4e7)}"}`,
    ])
      assert.equal(parseDocument(text), undefined);
  });
});
