'use strict';

const assert = require('node:assert/strict');
const { renderCollections } = require('../../../lib/commands/pure/collections-text');

const plain = (text) => text;
const row = {
  ns: 'd.a',
  kind: 'collection',
  index: null,
  cacheBytes: 2 ** 20,
  dirtyBytes: 0,
  readBytesPerSec: null,
  writtenBytesPerSec: 1024,
  readOpsPerSec: 3,
  writeOpsPerSec: null,
  storageBytes: 4096,
  documents: 1,
  capped: false,
};
const data = {
  at: new Date(0),
  host: 'h',
  version: '6.0.5',
  by: 'cache',
  seconds: 5,
  ended: 'complete',
  collections: 1,
  indexes: 1,
  notes: ['something.'],
  cache: {
    maxBytes: 4 * 2 ** 20,
    usedBytes: 2 ** 20,
    dirtyBytes: null,
    foundBytes: 2 ** 20,
    foundDirtyBytes: 0,
  },
  rows: [row, { ...row, kind: 'index', index: 'b_1' }],
};

describe('the text of collections', () => {
  it('a line for each, unknown figures as such, operations for collections only', () => {
    const lines = renderCollections(/** @type {any} */ (data), plain).split('\n');
    assert.equal(lines[0], 'h  MongoDB 6.0.5  rates over 5 s');
    assert.equal(
      lines
        .slice(1, 3)
        .map((line) => line.trim())
        .join(' '),
      'CACHE        1 MiB of 4 MiB used, ? dirty. Sum of all rows, sampled a moment later: 1 MiB ' +
        'in 1 collection and 1 index',
    );
    assert.equal(lines[3], 'TOP          2 by bytes in cache; rates are per second');
    assert.deepEqual([lines[5], lines[7]], ['  d.a', '  d.a  b_1']);
    assert.match(lines[6], /^ +1 MiB +25\.0% +0 B +\? +1 KiB +3 +\? +4 KiB$/);
    assert.match(lines[8], /^ +1 MiB +25\.0% +0 B +\? +1 KiB +4 KiB$/);
    assert.equal(lines[9], '  note  something.');
    assert.ok(lines.every((line) => line.length <= 80));
  });

  it('says when it shows the first only, when there are no rates, and marks capped ones', () => {
    const text = renderCollections(
      /** @type {any} */ ({
        ...data,
        host: null,
        seconds: null,
        rows: [{ ...row, capped: true, cacheBytes: null }],
      }),
      plain,
    );
    assert.match(text, /^\? {2}MongoDB 6\.0\.5 {2}1 sample\n[^]*\nTOP {10}1 by bytes in cache; /);
    assert.match(text, /^ {2}d\.a \(capped\)\n +\? +\? /m);
  });

  it('nothing found: no table', () => {
    const text = renderCollections(
      /** @type {any} */ ({ ...data, rows: [], collections: 0, indexes: 0, notes: [] }),
      plain,
    );
    assert.match(text, /\nTOP {10}there is no collection$/);
  });

  it('no row that answers: why', () => {
    const text = (more) =>
      renderCollections(/** @type {any} */ ({ ...data, rows: [], notes: [], ...more }), plain);
    assert.match(text({ by: 'reads' }), /\nTOP {10}nothing was read between the samples$/);
    assert.match(text({ by: 'writes' }), /\nTOP {10}nothing was written between the samples$/);
    assert.match(
      text({ by: 'writes', seconds: null }),
      /\nTOP {10}rates are unknown: they take two samples$/,
    );
  });

  it('the greatest figures fit, names of any length stand alone, and none of them is obeyed', () => {
    const max = {
      ...row,
      cacheBytes: 1023 * 2 ** 30,
      dirtyBytes: 1023 * 2 ** 20,
      readBytesPerSec: 1023 * 2 ** 20,
      writtenBytesPerSec: 1023 * 2 ** 20,
      readOpsPerSec: 999_499,
      writeOpsPerSec: 999_499,
      storageBytes: 1023 * 2 ** 30,
    };
    const name = `d.system.buckets.${'n'.repeat(200)}\x1b[2J\nb`;
    const lines = renderCollections(
      /** @type {any} */ ({
        ...data,
        cache: { ...data.cache, maxBytes: 1023 * 2 ** 30 },
        rows: [
          { ...max, ns: name },
          { ...max, ns: name, index: 'a\tb', kind: 'index' },
        ],
      }),
      plain,
    ).split('\n');
    assert.deepEqual(
      [lines[5], lines[7]],
      [
        `  d.${'n'.repeat(200)}\\u001b[2J\\nb (time series)`,
        `  d.${'n'.repeat(200)}\\u001b[2J\\nb  a\\tb`,
      ],
    );
    assert.deepEqual(lines.filter((line) => line.length > 80).length, 2);
  });

  it('free space, indexes without use for a day, and what was found', () => {
    const at = new Date('2026-03-02T00:00:00Z');
    const index = { ...row, kind: 'index', index: 'b_1', uses: 0, keeps: null };
    const finding = { rule: 'unused-indexes', status: 'info', message: 'It rents 1 GiB.' };
    const text = renderCollections(
      /** @type {any} */ ({
        ...data,
        at,
        rows: [
          { ...row, reusableBytes: 100 * 2 ** 20 },
          { ...row, ns: 'd.b', reusableBytes: 100 * 2 ** 20 - 1 },
          { ...index, usesSince: new Date('2026-03-01T00:00:00Z') },
          { ...index, index: 'c_1', usesSince: new Date('2026-03-01T00:00:01Z') },
          { ...index, index: 'd_1', keeps: 'ttl', usesSince: new Date(0) },
        ],
        findings: [finding, { ...finding, rule: 'oplog-window', status: 'ok' }],
      }),
      plain,
    );
    assert.match(text, /^ {2}d\.a {2}100 MiB reusable$/m);
    assert.match(text, /^ {2}d\.b$/m);
    assert.match(text, /^ {2}d\.a {2}b_1 {2}no use since 2026-03-01 00:00$/m);
    assert.match(text, /^ {2}d\.a {2}c_1$/m);
    assert.match(text, /^ {2}d\.a {2}d_1$/m);
    assert.match(text, /^FINDINGS\n {2}INFO {2}unused-indexes {2}It rents 1 GiB\.$/m);
    assert.match(text, /tune\.explain\("unused-indexes"\)/);
    assert.doesNotMatch(text, /oplog-window/);
    assert.ok(text.split('\n').length <= 24);
  });
});
