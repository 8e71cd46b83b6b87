'use strict';

const { bytes, count, percent, duration, roughly, UNKNOWN } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { titledTable } = require('../../text/table');
const { wrap } = require('../../text/wrap');

/**
 * @import { Collections } from '../../server/collection-samples'
 * @import { Ink } from '../../base/types'
 * @import { Row } from '../../server/pure/types'
 */

const TITLES = Object.freeze({
  cache: 'by bytes in the cache',
  dirty: 'by dirty bytes in the cache',
  reads: 'by bytes read from disk',
  writes: 'by bytes written to disk',
});
const COLUMNS = Object.freeze(
  ['in cache', 'of it', 'dirty', 'from disk', 'to disk', 'reads', 'writes', 'on disk'].map(
    (head) => ({ head, align: /** @type {const} */ ('right') }),
  ),
);
/** @param {string} by @param {number | null} seconds why there is no row */
const none = (by, seconds) =>
  seconds === null
    ? 'Rates are not known: it takes two samples.'
    : `Nothing was ${by === 'writes' ? 'written' : 'read'} meanwhile.`;
const BUCKETS = '.system.buckets.';

/**
 * @param {Collections} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderCollections(
  { host: reported, by, seconds, cache, collections, indexes, rows, notes },
  ink,
) {
  const host = reported ?? UNKNOWN;
  const all = `${some(collections, 'collection', 'collections')} and ${some(indexes, 'index', 'indexes')}`;
  const shown =
    rows.length > 0 && rows.length < collections + indexes
      ? `, the first ${count(rows.length)} `
      : ', ';
  return [
    ...wrap(`${host}: ${all}${shown}${TITLES[by]}`, '  ', '').map((line, i) =>
      i === 0 ? line.replace(host, (name) => ink(name, 'strong')) : line,
    ),
    ...wrap(
      `cache: ${bytes(cache.usedBytes)} of ${bytes(cache.maxBytes)} used, ` +
        `${bytes(cache.dirtyBytes)} dirty; found in collections and indexes: ` +
        `${bytes(cache.foundBytes)}, ${bytes(cache.foundDirtyBytes)} dirty`,
      '  ',
      '',
    ),
    ...(seconds === null || rows.length === 0
      ? []
      : [`from disk, to disk, reads and writes: a second, over ${duration(seconds * 1000)}`]),
    ...(rows.length > 0 || collections === 0 ? [] : ['', none(by, seconds)]),
    ...(rows.length === 0
      ? []
      : [
          '',
          ...titledTable(
            COLUMNS,
            rows.map((row) => ({ title: title(row, ink), cells: cells(row, cache.maxBytes) })),
            ink,
          ),
        ]),
    ...notes.flatMap((note) => wrap(note, '      ', 'note: ')).map((line) => ink(line, 'faint')),
  ].join('\n');
}

/** @param {number} n @param {string} one @param {string} more */
const some = (n, one, more) => `${count(n)} ${n === 1 ? one : more}`;

/** @param {Row} row @param {Ink} ink */
function title({ ns, index, capped }, ink) {
  const name = ink(visible(ns.replace(BUCKETS, '.')), 'strong');
  return index === null
    ? `${name}${ink(kindOf(ns, capped), 'faint')}`
    : `${name}  ${ink(visible(index), 'accent')}`;
}

/**
 * What kind of collection it is, where that is not the usual one.
 * @param {string} ns
 * @param {Row['capped']} capped
 */
function kindOf(ns, capped) {
  if (ns.includes(BUCKETS)) return ' (time series)';
  return capped ? ' (capped)' : '';
}

/** @param {Row} row @param {number | null} maxBytes */
function cells(row, maxBytes) {
  const share = row.cacheBytes === null || !maxBytes ? null : row.cacheBytes / maxBytes;
  // Counted by collection only.
  const ops =
    row.kind === 'index' ? ['', ''] : [roughly(row.readOpsPerSec), roughly(row.writeOpsPerSec)];
  return [
    bytes(row.cacheBytes),
    percent(share),
    bytes(row.dirtyBytes),
    bytes(row.readBytesPerSec),
    bytes(row.writtenBytesPerSec),
    ...ops,
    bytes(row.storageBytes),
  ];
}

module.exports = { renderCollections };
