'use strict';

const assert = require('node:assert/strict');
const { collectionValues } = require('../../../lib/rules/collection-values');

const ROW = /** @type {any} */ ({
  ns: 'shop.a',
  index: null,
  storageBytes: 10,
  reusableBytes: 5,
  cacheBytes: 1,
  uses: null,
  usesSince: null,
  keeps: null,
});
const INDEX = { ...ROW, index: 'n_1', uses: 0, usesSince: new Date(1000) };
const values = (/** @type {any[]} */ rows, more = {}) =>
  collectionValues({ rows, oplog: null, cacheMaxBytes: null, atMs: 4000, ...more });

describe('rules/collection-values', () => {
  it('files and indexes of users, with what is known of them', () => {
    assert.deepEqual(values([ROW, INDEX, { ...INDEX, ns: 'admin.system.users' }]), {
      files: [
        { ns: 'shop.a', index: null, storageBytes: 10, reusableBytes: 5 },
        { ns: 'shop.a', index: 'n_1', storageBytes: 10, reusableBytes: 5 },
      ],
      indexes: [
        {
          ns: 'shop.a',
          index: 'n_1',
          uses: 0,
          keeps: null,
          cacheBytes: 1,
          storageBytes: 10,
          countedSeconds: 3,
        },
      ],
    });
  });
  it('what is not known is left out, never 0', () => {
    assert.deepEqual(
      values([
        { ...ROW, storageBytes: null },
        { ...ROW, reusableBytes: null },
        { ...INDEX, storageBytes: null, uses: null },
        { ...INDEX, storageBytes: null, usesSince: null },
        { ...INDEX, storageBytes: null, cacheBytes: null },
      ]),
      {},
    );
  });
  it('a clock that is behind counts nothing', () =>
    assert.equal(values([INDEX], { atMs: 0 }).indexes?.[0].countedSeconds, 0));
  it('the oplog and the cache, where known', () => {
    const oplog = /** @type {any} */ ({ maxBytes: 1 });
    assert.deepEqual(values([], { oplog, cacheMaxBytes: 7 }), { oplog, cacheMaxBytes: 7 });
  });
});
