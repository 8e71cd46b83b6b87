'use strict';

const { mapServerError } = require('../base/server-errors');
const { collectionRows, answering, sum, MAX_AGAIN } = require('./pure/collections');

/**
 * @import { By } from './pure/collections'
 * @import { Counters } from './pure/counters'
 * @import { Facts } from './pure/types'
 * @import { Looks } from './types'
 */

/** @typedef {ReturnType<typeof collectionsData>} Collections */

/**
 * The answer of tune.collections(), as data.
 * @param {{
 *   facts: Facts, counters: Counters,
 *   samples: Looks, by: By,
 *   limit: number
 * }} seen
 */
function collectionsData({ facts, counters, samples, by, limit }) {
  const there = new Map([...samples.first].filter(([ns]) => !samples.gone.has(ns)));
  const rows = collectionRows(there, samples.second, samples.use, by);
  return {
    at: new Date(),
    host: facts.host,
    version: facts.version,
    by,
    seconds: samples.use?.seconds ?? null,
    cache: {
      maxBytes: counters['cache.maxBytes'] ?? null,
      usedBytes: counters['cache.usedBytes'] ?? null,
      dirtyBytes: counters['cache.dirtyBytes'] ?? null,
      foundBytes: sum(rows, 'cacheBytes'),
      foundDirtyBytes: sum(rows, 'dirtyBytes'),
    },
    collections: there.size,
    indexes: rows.length - there.size,
    rows: answering(rows, by).slice(0, limit),
    ended: samples.ended,
    notes: notesOf(samples),
  };
}

/** What is missing in the answer, and why. @param {Looks} samples @returns {string[]} */
function notesOf({ ended, error, first, asked, gone, skipped, refused, notes }) {
  const seen = `after ${first.size} of ${asked} collections`;
  return [
    ...(ended === 'interrupted' ? [`Interrupted ${seen}: partial result.`] : []),
    ...(ended === 'lost'
      ? [
          `The connection was lost ${seen} (${mapServerError(error, '$collStats').message}): ` +
            'partial result.',
        ]
      : []),
    ...(gone.size > 0
      ? [
          'Dropped during sampling: ' +
            `${[...gone].slice(0, 3).join(', ')}${gone.size > 3 ? ` and ${gone.size - 3} more` : ''}.`,
        ]
      : []),
    ...(skipped > 0
      ? [`Rates cover the ${MAX_AGAIN} busiest collections; ${skipped} more were active.` + '']
      : []),
    ...[...refused].map(
      ([database, { count, message }]) =>
        `${count} collections of ${database} were skipped: ${message}`,
    ),
    ...notes,
  ];
}

module.exports = { collectionsData };
