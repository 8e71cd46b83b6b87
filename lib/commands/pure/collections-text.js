'use strict';

const {
  bytes,
  percent,
  secondsText,
  roughly,
  many,
  timeText,
  MiB,
  MS_PER_DAY,
} = require('../../base/pure/units');
const { visible } = require('../../base/pure/printable');
const { isOfBuckets, withoutBuckets } = require('../../server/pure/collections');
const { callLines, firstLine, fittingRows, noteLines, part } = require('../../text/layout');
const { titledTable } = require('../../text/table');

/**
 * @import { Collections } from '../../server/collection-samples'
 * @import { Ink } from '../../base/types'
 * @import { Row } from '../../server/pure/types'
 */

const ORDERS = Object.freeze({
  cache: 'by bytes in cache',
  dirty: 'by dirty bytes',
  reads: 'by bytes read from disk',
  writes: 'by bytes written to disk',
});
const COLUMNS = Object.freeze(
  ['  in cache', 'share', 'dirty', 'from disk', 'to disk', 'reads', 'writes', 'on disk'].map(
    (head) => ({ head, align: /** @type {const} */ ('right') }),
  ),
);
/** This many rows of two lines leave space for the head and the prompt. The data has all rows. */
const ROWS_SHOWN = 8;
/** Fewer rows are shown beside findings, which need lines, too. */
const ROWS_BESIDE = 5;
const FINDING_LINES = 6;
/** Less free space inside a file is not shown. */
const MIN_REUSABLE_BYTES = 100 * MiB;
/** A count of uses over less time says nothing about an index. */
const MIN_COUNTED_MS = MS_PER_DAY;

/**
 * @param {Collections} data
 * @param {Ink} ink
 * @param {number} [limit] the number of rows that the user wants
 * @returns {string}
 */
function renderCollections(data, ink, limit) {
  const { by, seconds, cache, collections, indexes, rows, notes, findings = [] } = data;
  const found = findings.filter(({ status }) => ['critical', 'warning', 'info'].includes(status));
  const shown = rows.slice(0, limit ?? (found.length > 0 ? ROWS_BESIDE : ROWS_SHOWN));
  const sampled = seconds === null ? '1 sample' : `rates over ${secondsText(seconds)}`;
  return [
    firstLine(data, ink(sampled, 'faint'), ink),
    ...part(
      'CACHE',
      `${bytes(cache.usedBytes)} of ${bytes(cache.maxBytes)} used, ${bytes(cache.dirtyBytes)} ` +
        `dirty. Sum of all rows, sampled a moment later: ${bytes(cache.foundBytes)} in ` +
        `${many(collections, 'collection')} and ` +
        many(indexes, 'index', 'indexes'),
      ink,
    ),
    ...(shown.length === 0
      ? part('TOP', none(collections, by, seconds), ink)
      : [
          ...part('TOP', `${shown.length} ${ORDERS[by]}; rates are per second`, ink),
          ...titledTable(
            COLUMNS,
            shown.map((row) => ({
              title: title(row, data.at, ink),
              cells: cells(row, cache.maxBytes),
            })),
            ink,
          ),
        ]),
    ...(found.length > 0
      ? [ink('FINDINGS', 'strong'), ...fittingRows(found, FINDING_LINES, ink)]
      : []),
    ...noteLines(notes, ink),
    ...callLines(
      [
        ['All', rows.length > shown.length ? 'tune.last.rows' : null],
        ['Explain', found.length > 0 ? `tune.explain("${found[0].rule}")` : null],
      ],
      ink,
    ),
  ].join('\n');
}

/**
 * Explains why there is no row.
 * @param {number} collections
 * @param {string} by
 * @param {number | null} seconds
 */
function none(collections, by, seconds) {
  if (collections === 0) return 'there is no collection';
  return seconds === null
    ? 'rates are unknown: they take two samples'
    : `nothing was ${by === 'writes' ? 'written' : 'read'} between the samples`;
}

/** @param {Row} row @param {Date} at @param {Ink} ink */
function title(row, at, ink) {
  const { ns, index, capped } = row;
  const name = `  ${ink(visible(withoutBuckets(ns)), 'strong')}`;
  const more = [...unusedWords(row, at), ...reusableWords(row)].join('');
  if (index === null) return `${name}${ink(`${kindOf(ns, capped)}${more}`, 'faint')}`;
  return `${name}  ${ink(visible(index), 'accent')}${more === '' ? '' : ink(more, 'faint')}`;
}

/** @param {Row} row @param {Date} at */
const unusedWords = ({ uses, usesSince, keeps }, at) =>
  uses === 0 && keeps === null && usesSince && at.getTime() - usesSince.getTime() >= MIN_COUNTED_MS
    ? [`  no use since ${timeText(new Date(usesSince)).slice(0, -3)}`]
    : [];

/** @param {Row} row */
const reusableWords = ({ reusableBytes }) =>
  Number(reusableBytes) >= MIN_REUSABLE_BYTES ? [`  ${bytes(reusableBytes)} reusable`] : [];

/**
 * Names the kind of a collection, where it is not the usual one.
 * @param {string} ns
 * @param {Row['capped']} capped
 */
function kindOf(ns, capped) {
  if (isOfBuckets(ns)) return ' (time series)';
  return capped ? ' (capped)' : '';
}

/** @param {Row} row @param {number | null} maxBytes */
function cells(row, maxBytes) {
  const share = row.cacheBytes === null || !maxBytes ? null : row.cacheBytes / maxBytes;
  // These are only counted by collection.
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
