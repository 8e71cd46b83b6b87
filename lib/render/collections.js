'use strict';

const { bytes, count, percent, duration, UNKNOWN } = require('../model/units');
const { table } = require('./table');

/** @typedef {import('../model/collections').Row} Row @typedef {import('./report').Ink} Ink */

const TITLES = Object.freeze({
  cache: 'by bytes in the cache', dirty: 'by dirty bytes in the cache', reads: 'by bytes read from disk', writes: 'by bytes written to disk',
});
const COLUMNS = Object.freeze([
  { head: 'collection or index' }, ...['cache', 'of all', 'dirty', 'from disk/s', 'to disk/s', 'reads/s', 'writes/s', 'on disk'].map((head) => ({ head, align: /** @type {const} */ ('right') })),
]);

/** @param {import('../commands/collections').Collections} data @param {Ink} ink @returns {string} */
function renderCollections({ host, by, seconds, cache, collections, indexes, rows, notes }, ink) {
  const found = rows.length < collections + indexes ? `the first ${rows.length} of ` : '';
  return [
    `${ink(host ?? UNKNOWN, 'strong')}: ${found}${count(collections)} collections and ${count(indexes)} indexes, ${TITLES[by]}${seconds === null ? '' : `; rates over ${duration(seconds * 1000)}`}`,
    `cache: ${bytes(cache.usedBytes)} of ${bytes(cache.maxBytes)} used, ${bytes(cache.dirtyBytes)} dirty; found in collections and indexes: ${bytes(cache.foundBytes)}, ${bytes(cache.foundDirtyBytes)} dirty`,
    ...(rows.length === 0 ? [] : ['', table(COLUMNS, rows.map((row) => cells(row, cache.maxBytes, ink)), ink)]),
    ...notes.map((note) => ink(`note: ${note}`, 'faint')),
  ].join('\n');
}

/** @param {Row} row @param {number | null} maxBytes @param {Ink} ink */
function cells(row, maxBytes, ink) {
  const share = row.cacheBytes === null || !maxBytes ? null : row.cacheBytes / maxBytes;
  const ops = row.kind === 'index' ? ['', ''] : [count(row.readOpsPerSec), count(row.writeOpsPerSec)]; // counted by collection only
  return [
    row.index === null ? `${row.ns}${row.capped ? ink(' capped', 'faint') : ''}` : `${row.ns} ${ink(row.index, 'accent')}`,
    bytes(row.cacheBytes), percent(share), bytes(row.dirtyBytes), bytes(row.readBytesPerSec), bytes(row.writtenBytesPerSec), ...ops, bytes(row.storageBytes),
  ];
}

module.exports = { renderCollections };
