'use strict';

const assert = require('node:assert/strict');
const {
  recheck,
  collectionRows,
  withUses,
  sum,
  MAX_AGAIN,
} = require('../../../lib/server/pure/collections');

const NOTHING = {
  cacheBytes: 0,
  dirtyBytes: 0,
  readBytes: 0,
  writtenBytes: 0,
  storageBytes: 4096,
  reusableBytes: 0,
};
/** @param {object} collection @param {Record<string, object>} [indexes] @param {number} [atMs] */
const stats = (collection, indexes = {}, atMs = 0) => ({
  atMs,
  documents: 7,
  capped: false,
  collection: { ...NOTHING, ...collection },
  indexes: Object.fromEntries(
    Object.entries(indexes).map(([name, file]) => [name, { ...NOTHING, ...file }]),
  ),
});
const use = (before, after, seconds = 2) => ({ before, after, seconds });

describe('rows of collections', () => {
  it('rates are the growth between the two looks at each, levels those of the latest', () => {
    const first = new Map([
      [
        'd.a',
        stats(
          { cacheBytes: 10, readBytes: 100, writtenBytes: 50 },
          { _id_: { readBytes: 5 } },
          1000,
        ),
      ],
    ]);
    const second = new Map([
      [
        'd.a',
        stats(
          { cacheBytes: 20, dirtyBytes: 3, readBytes: 300, writtenBytes: 50 },
          { _id_: { readBytes: 9 } },
          3000,
        ),
      ],
    ]);
    const [collection, index] = collectionRows(
      first,
      second,
      use({ 'd.a': { readOps: 1, writeOps: 2 } }, { 'd.a': { readOps: 5, writeOps: 2 } }),
      'cache',
    );
    assert.deepEqual(collection, {
      ns: 'd.a',
      kind: 'collection',
      index: null,
      cacheBytes: 20,
      dirtyBytes: 3,
      storageBytes: 4096,
      reusableBytes: 0,
      uses: null,
      usesSince: null,
      keeps: null,
      readBytesPerSec: 100,
      writtenBytesPerSec: 0,
      readOpsPerSec: 2,
      writeOpsPerSec: 0,
      documents: 7,
      capped: false,
    });
    assert.deepEqual(
      [index.kind, index.index, index.readBytesPerSec, index.readOpsPerSec, index.documents],
      ['index', '_id_', 2, null, null],
    );
  });

  it('without a second look, or with a counter that began anew, rates are not known', () => {
    const first = new Map([
      ['d.a', stats({ readBytes: 100 })],
      ['d.b', stats({ readBytes: 100 })],
      ['d.c', stats({ readBytes: null })],
    ]);
    const second = new Map([
      ['d.b', stats({ readBytes: 99 }, { made_1: { readBytes: 1 } }, 1000)],
      ['d.c', stats({ readBytes: 5 }, {}, 1000)],
    ]);
    const rows = collectionRows(first, second, null, 'cache');
    assert.deepEqual(
      rows.map(({ ns, index, readBytesPerSec, readOpsPerSec }) => [
        ns,
        index,
        readBytesPerSec,
        readOpsPerSec,
      ]),
      [
        ['d.a', null, null, null],
        ['d.b', null, null, null],
        ['d.b', 'made_1', null, null],
        ['d.c', null, null, null],
      ],
    );
  });

  it(
    'operations: none seen is 0, a namespace that began anew is not known, a time series is ' +
      'found by either name',
    () => {
      const first = new Map([
        ['d.idle', stats({})],
        ['d.anew', stats({})],
        ['d.system.buckets.t', stats({})],
      ]);
      const seen = use(
        { 'd.anew': { readOps: 9, writeOps: 0 }, 'd.t': { readOps: 0, writeOps: 1 } },
        { 'd.anew': { readOps: 1, writeOps: 0 }, 'd.t': { readOps: 0, writeOps: 3 } },
      );
      const ops = Object.fromEntries(
        collectionRows(first, new Map(), seen, 'cache').map((row) => [
          row.ns,
          [row.readOpsPerSec, row.writeOpsPerSec],
        ]),
      );
      assert.deepEqual(ops, {
        'd.idle': [0, 0],
        'd.anew': [null, null],
        'd.system.buckets.t': [0, 1],
      });
    },
  );

  for (const [by, order] of /** @type {const} */ ([
    ['cache', 'bcad'],
    ['dirty', 'cabd'],
    ['reads', 'acbd'],
    ['writes', 'badc'],
  ])) {
    it(`by ${by}: the greatest first, what is not known last`, () => {
      const first = new Map([
        ['a', stats({ cacheBytes: 1, dirtyBytes: 2 })],
        ['b', stats({ cacheBytes: 9, dirtyBytes: 1 })],
        ['c', stats({ cacheBytes: 5, dirtyBytes: 3 })],
        ['d', stats({ cacheBytes: null, dirtyBytes: null })],
      ]);
      const second = new Map([
        ['a', stats({ cacheBytes: 1, dirtyBytes: 2, readBytes: 3, writtenBytes: 1 }, {}, 1000)],
        ['b', stats({ cacheBytes: 9, dirtyBytes: 1, writtenBytes: 4 }, {}, 1000)],
        ['c', stats({ cacheBytes: 5, dirtyBytes: 3, readBytes: 2, writtenBytes: null }, {}, 1000)],
        ['d', stats({ cacheBytes: null, dirtyBytes: null }, {}, 1000)],
      ]);
      if (by === 'reads')
        second.set('d', stats({ cacheBytes: null, dirtyBytes: null, readBytes: null }, {}, 1000));
      assert.equal(
        collectionRows(first, second, null, by)
          .map(({ ns }) => ns)
          .join(''),
        order,
      );
    });
  }

  it('sums what is known, and knows when that is nothing', () => {
    const rows = collectionRows(
      new Map([
        ['a', stats({ cacheBytes: 1 })],
        ['b', stats({ cacheBytes: null })],
        ['c', stats({ cacheBytes: 2 })],
      ]),
      new Map(),
      null,
      'cache',
    );
    assert.equal(sum(rows, 'cacheBytes'), 3);
    assert.equal(
      sum(
        rows.filter(({ ns }) => ns === 'b'),
        'cacheBytes',
      ),
      null,
    );
  });
});

describe('whom to look at again', () => {
  const first = new Map([
    ['big', stats({ cacheBytes: 9 })],
    ['dirty', stats({ dirtyBytes: 1 })],
    ['read', stats({})],
    ['index', stats({}, { i: { cacheBytes: 1, dirtyBytes: 1 } })],
    ['still', stats({})],
  ]);
  const seen = use({}, { read: { readOps: 1, writeOps: 0 } });
  for (const [by, chosen] of /** @type {const} */ ([
    ['cache', ['big', 'index']],
    ['dirty', ['dirty', 'index']],
    ['reads', ['read']],
    ['writes', ['dirty', 'index']],
  ])) {
    it(`by ${by}: ${chosen.join(', ')}`, () =>
      assert.deepEqual(recheck(first, seen, { by, limit: 5 }), {
        chosen: new Set(chosen),
        skipped: 0,
      }));
  }

  it('where operations are not known, those in the cache', () => {
    assert.deepEqual(
      recheck(first, null, { by: 'reads', limit: 5 }).chosen,
      new Set(['big', 'index']),
    );
  });

  it('what was dropped and made again was used', () => {
    assert.ok(
      recheck(first, use({ still: { readOps: 5, writeOps: 0 } }, {}), {
        by: 'reads',
        limit: 5,
      }).chosen.has('still'),
    );
  });

  it('the busiest only, as many as are shown, and says how many were left', () => {
    const many = new Map(
      Array.from({ length: MAX_AGAIN + 2 }, (_, i) => [`c${i}`, stats({ dirtyBytes: i + 1 })]),
    );
    const { chosen, skipped } = recheck(many, seen, { by: 'dirty', limit: 1 });
    assert.deepEqual(
      [chosen.size, skipped, chosen.has('c1'), chosen.has('c2')],
      [MAX_AGAIN, 2, false, true],
    );
    assert.deepEqual(
      recheck(many, seen, { by: 'dirty', limit: MAX_AGAIN + 1 }).chosen.size,
      MAX_AGAIN + 1,
    );
    assert.equal(
      recheck(new Map([...many].map(([ns]) => [ns, stats({ cacheBytes: 1 })])), seen, {
        by: 'cache',
        limit: 1,
      }).skipped,
      0,
    );
  });
});

describe('rows that answer the question', () => {
  const { answering } = require('../../../lib/server/pure/collections');
  const rows = /** @type {any[]} */ ([
    {
      ns: 'quiet',
      readBytesPerSec: null,
      readOpsPerSec: 0,
      writtenBytesPerSec: null,
      writeOpsPerSec: 0,
    },
    {
      ns: 'unknown',
      readBytesPerSec: null,
      readOpsPerSec: null,
      writtenBytesPerSec: null,
      writeOpsPerSec: null,
    },
    {
      ns: 'read',
      readBytesPerSec: 5,
      readOpsPerSec: null,
      writtenBytesPerSec: 0,
      writeOpsPerSec: null,
    },
    { ns: 'used', readBytesPerSec: 0, readOpsPerSec: 1, writtenBytesPerSec: 0, writeOpsPerSec: 2 },
  ]);
  for (const [by, names] of /** @type {const} */ ([
    ['cache', ['quiet', 'unknown', 'read', 'used']],
    ['dirty', ['quiet', 'unknown', 'read', 'used']],
    ['reads', ['read', 'used']],
    ['writes', ['used']],
  ])) {
    it(by, () =>
      assert.deepEqual(
        answering(rows, by).map(({ ns }) => ns),
        names,
      ),
    );
  }
});

describe('uses of indexes', () => {
  it('belong to the index of that name, and are not known of others', () => {
    const rows = /** @type {any[]} */ ([
      { ns: 'd.a', index: null },
      { ns: 'd.a', index: 'n_1', uses: null },
      { ns: 'd.b', index: 'n_1', uses: null },
      { ns: 'd.a', index: 'm_1', uses: null },
    ]);
    const uses = new Map([
      [
        'd.a',
        {
          n_1: { uses: 3, sinceMs: 5, keeps: null },
          m_1: { uses: 0, sinceMs: null, keeps: /** @type {const} */ ('ttl') },
        },
      ],
    ]);
    assert.deepEqual(withUses(rows, uses), [
      { ns: 'd.a', index: null },
      { ns: 'd.a', index: 'n_1', uses: 3, usesSince: new Date(5), keeps: null },
      { ns: 'd.b', index: 'n_1', uses: null },
      { ns: 'd.a', index: 'm_1', uses: 0, usesSince: null, keeps: 'ttl' },
    ]);
  });
});
