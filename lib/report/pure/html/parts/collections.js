'use strict';

const {
  bytes,
  count,
  secondsText,
  percent,
  roughly,
  many,
} = require('../../../../base/pure/units');
const { joined, html, bar, table, showTime } = require('../elements');
const { findingsOf } = require('./findings');
const { right } = require('./samples');

/** @import { CollectionsAnswer, Shown } from '../../../types' */

const COLUMNS = Object.freeze([
  { head: 'name' },
  ...[
    'in cache',
    'of cache',
    'dirty',
    'read from disk/s',
    'written to disk/s',
    'reads/s',
    'writes/s',
    'on disk',
    'reusable',
    'uses',
  ].map(right),
]);

/** @param {CollectionsAnswer} seen @param {string} key @returns {Shown} */
function showCollections(seen, key) {
  const { at, by, seconds, cache, collections, indexes, rows, notes, findings = [] } = seen;
  const cells = (/** @type {CollectionsAnswer['rows'][number]} */ row) => {
    const ratio =
      row.cacheBytes === null || !cache.maxBytes ? null : row.cacheBytes / cache.maxBytes;
    const ops =
      row.kind === 'index' ? ['', ''] : [roughly(row.readOpsPerSec), roughly(row.writeOpsPerSec)];
    return [
      html`<span class="name">${row.ns}</span>${row.index !== null && html` <span class="index">${row.index}</span>`}`,
      bytes(row.cacheBytes),
      html`${percent(ratio)} ${bar(ratio ?? 0)}`,
      bytes(row.dirtyBytes),
      bytes(row.readBytesPerSec),
      bytes(row.writtenBytesPerSec),
      ...ops,
      bytes(row.storageBytes),
      bytes(row.reusableBytes),
      row.kind === 'index' ? usesOf(row) : '',
    ];
  };
  const id = `collections-table${key}`;
  const counts = `${many(collections, 'collection')}, ${many(indexes, 'index', 'indexes')}`;
  const used = `Cache used: ${bytes(cache.usedBytes)} of ${bytes(cache.maxBytes)}`;
  const rates =
    seconds === null ? 'from one sample, without rates' : `rates over ${secondsText(seconds)}`;
  const body = joined(
    html`<p class="lede">${counts}. ${used}, dirty: ${bytes(cache.dirtyBytes)}. `,
    html`Ordered by ${by}; ${rates}.</p>\n`,
    html`<div class="filters" data-filters="${id}" role="group" aria-label="Filter the collections">`,
    html`<label>Find <input type="search" autocomplete="off"></label>`,
    html`<span class="count" role="status"></span></div>\n`,
    html`<div id="${id}">${table('Collections with their indexes', COLUMNS, rows.map(cells))}</div>`,
  );
  const found = findingsOf(findings, { id: `-collections${key}` });
  return {
    name: 'Collections',
    sub: [`${showTime(at)} UTC`],
    lead: null,
    before: [],
    after: [
      { id: `collections${key}`, title: 'Collections', body },
      ...(findings.length > 0
        ? [{ id: `storage${key}`, title: 'Free space, unused indexes, oplog', body: found }]
        : []),
    ],
    notes,
  };
}

/** Shows how often queries used an index. @param {CollectionsAnswer['rows'][number]} row */
const usesOf = ({ uses, usesSince }) =>
  uses === null || uses === undefined || !usesSince
    ? '?'
    : `${count(uses)} since ${showTime(usesSince)}`;

module.exports = { showCollections };
