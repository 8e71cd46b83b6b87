'use strict';

const assert = require('node:assert/strict');
const { renderCollections } = require('../../../lib/render/collections');

const plain = (text) => text;
const row = { ns: 'd.a', kind: 'collection', index: null, cacheBytes: 2 ** 20, dirtyBytes: 0, readBytesPerSec: null, writtenBytesPerSec: 1024, readOpsPerSec: 3, writeOpsPerSec: null, storageBytes: 4096, documents: 1, capped: false };
const data = {
  at: new Date(0), host: 'h', version: '6.0.5', by: 'cache', seconds: 5, ended: 'complete', collections: 1, indexes: 1, notes: ['something.'],
  cache: { maxBytes: 4 * 2 ** 20, usedBytes: 2 ** 20, dirtyBytes: null, foundBytes: 2 ** 20, foundDirtyBytes: 0 },
  rows: [row, { ...row, kind: 'index', index: 'b_1' }],
};

describe('the text of collections', () => {
  it('a line for each, unknown figures as such, operations for collections only', () => {
    const lines = renderCollections(/** @type {any} */ (data), plain).split('\n');
    assert.equal(lines[0], 'h: 1 collections and 1 indexes, by bytes in the cache; rates over 5 s');
    assert.equal(lines[1], 'cache: 1 MiB of 4 MiB used, ? dirty; found in collections and indexes: 1 MiB, 0 B dirty');
    assert.match(lines[4], /^d\.a +1 MiB +25\.0 % +0 B +\? +1 KiB +3 +\? +4 KiB$/);
    assert.match(lines[5], /^d\.a b_1 +1 MiB +25\.0 % +0 B +\? +1 KiB +4 KiB$/);
    assert.equal(lines[6], 'note: something.');
  });

  it('says when it shows the first only, when there are no rates, and marks capped ones', () => {
    const text = renderCollections(/** @type {any} */ ({ ...data, host: null, seconds: null, rows: [{ ...row, capped: true, cacheBytes: null }] }), plain);
    assert.match(text, /^\?: the first 1 of 1 collections and 1 indexes, by bytes in the cache\n/);
    assert.match(text, /^d\.a capped +\? +\? /m);
  });

  it('nothing found: no table', () => {
    const text = renderCollections(/** @type {any} */ ({ ...data, rows: [], collections: 0, indexes: 0, notes: [] }), plain);
    assert.equal(text.split('\n').length, 2);
  });
});
