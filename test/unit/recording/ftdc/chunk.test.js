'use strict';

const assert = require('node:assert/strict');
const zlib = require('node:zlib');
const { as, bsonOf, chunkBody, chunkData } = require('../../../support/ftdc');
const { ChunkDecoder, columnOf } = require('../../../../lib/recording/ftdc/chunk');
const { Damaged } = require('../../../../lib/recording/ftdc/bson');

const reference = Object.freeze(
  /** @type {Parameters<typeof bsonOf>[0]} */ ([
    ['a', as.int(1)],
    ['s', as.string('x')],
    ['b', as.long(2n ** 60n)],
    ['c', as.double(3.7)],
    ['d', as.bool(false)],
  ]),
);
const rows = [
  [2n, 2n ** 60n + 1n, 3n, 1n],
  [2n, -1n, -4n, 1n],
  [2n ** 31n + 5n, -1n, -4n, 0n],
];
const columns = [
  [1n, 2n, 2n, 2n ** 31n + 5n],
  [2n ** 60n, 2n ** 60n + 1n, -1n, -1n],
  [3n, 3n, -4n, -4n],
  [0n, 1n, 1n, 0n],
];
const good = chunkBody(reference, rows);

/** @param {ReturnType<ChunkDecoder['decode']>} chunk */
const exactly = (chunk) =>
  Array.from(chunk.metrics, (_, row) =>
    Array.from(chunk.exact.get(row) ?? Array.from(columnOf(chunk, row), BigInt)),
  );

describe('recording/ftdc/chunk', () => {
  it('decodes every value of every metric, exactly', () => {
    const chunk = new ChunkDecoder().decode(chunkData(good));
    assert.equal(chunk.samples, 4);
    assert.deepEqual(exactly(chunk), columns);
    assert.deepEqual([...chunk.exact.keys()], [1]);
    assert.deepEqual(Array.from(columnOf(chunk, 1)), columns[1].map(Number));
  });

  for (const wanted of [[], [0], [1], [2], [3], [0, 3], [1, 2], [0, 1, 2, 3]]) {
    it(`passes over what is not asked for: of four metrics ${wanted.join(', ') || 'none'}`, () => {
      const chunk = new ChunkDecoder(() => Int32Array.from(wanted)).decode(chunkData(good));
      assert.deepEqual(
        exactly(chunk),
        wanted.map((metric) => columns[metric]),
      );
    });
  }

  it('decodes a chunk of one sample', () =>
    assert.deepEqual(
      exactly(new ChunkDecoder().decode(chunkData(chunkBody(reference, [])))),
      columns.map(([first]) => [first]),
    ));

  it('decodes a chunk without metrics', () =>
    assert.equal(
      new ChunkDecoder().decode(chunkData(chunkBody([['s', as.string('x')]], [[], []]))).samples,
      3,
    ));

  it('asks once for each layout, and knows those before', () => {
    let asked = 0;
    const decoder = new ChunkDecoder((layout) => {
      asked++;
      return Int32Array.from({ length: layout.count }, (_, i) => i);
    });
    const other = chunkBody([['a', as.int(1)]], [[5n]]);
    for (const body of [good, other, good, chunkBody([['a', as.int(9)]], [[8n]])])
      decoder.decode(chunkData(body));
    assert.equal(asked, 2);
  });

  const end = bsonOf(reference).length;
  const changed = (/** @type {(body: Buffer) => void} */ change) => {
    const body = Buffer.from(good);
    change(body);
    return chunkData(body);
  };
  for (const [name, data] of /** @type {[string, Buffer][]} */ ([
    ['nothing', Buffer.alloc(0)],
    ['a length of 0', Buffer.alloc(12)],
    ['no zlib', Buffer.concat([Buffer.from([50, 0, 0, 0]), Buffer.from('abc')])],
    ['half of the zlib', chunkData(good).subarray(0, 20)],
    ['a length that is too small', changed(() => {}).fill(9, 0, 1)],
    [
      'a length of gigabytes',
      Buffer.concat([Buffer.from([0, 0, 0, 0x7f]), zlib.deflateSync(good)]),
    ],
    [
      'a length that is too large',
      Buffer.concat([Buffer.from([255, 255, 0, 0]), zlib.deflateSync(good)]),
    ],
    ['one metric more than the document has', changed((body) => body.writeUInt32LE(5, end))],
    ['one sample more than there are numbers', changed((body) => body.writeUInt32LE(4, end + 4))],
    ['one sample less', changed((body) => body.writeUInt32LE(2, end + 4))],
    ['billions of samples', changed((body) => body.writeUInt32LE(2 ** 32 - 1, end + 4))],
    ['a broken document', changed((body) => body.fill(0xee, 4, 5))],
    ['a document longer than the chunk', changed((body) => body.writeInt32LE(99_999, 0))],
    ['a document of a negative length', changed((body) => body.writeInt32LE(-1, 0))],
    ['three bytes', chunkData(Buffer.from([1, 2, 3]))],
    ['bytes behind the numbers', chunkData(Buffer.concat([good, Buffer.from([1])]))],
    ['numbers cut short', chunkData(good.subarray(0, good.length - 1))],
  ])) {
    it(`calls damaged: ${name}`, () => {
      assert.throws(() => new ChunkDecoder().decode(data), Damaged);
      assert.throws(
        () => new ChunkDecoder(() => Int32Array.of()).decode(data),
        Damaged,
        'also when nothing is asked for',
      );
    });
  }
});
