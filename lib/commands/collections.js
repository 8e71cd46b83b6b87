'use strict';

const { defineCommand } = require('../base/pure/command');
const { number, oneOf } = require('../base/pure/options');
const { collectFacts } = require('../server/facts');
const { sampleCollections } = require('../server/collection-samples');
const { takeSample } = require('../server/sampler');
const { collectionRows, answering, sum, MAX_AGAIN } = require('../server/pure/collections');
const { mapServerError } = require('../base/server-errors');
const { report } = require('../text/report');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { By } from '../server/pure/collections'
 * @import { Counters } from '../server/pure/counters'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { Looks } from '../server/types'
 * @import { Facts } from '../server/pure/types'
 */

module.exports = defineCommand({
  name: 'collections',
  group: 'looking',
  order: 6,
  takes: ['options'],
  usage: 'tune.collections({ by, limit, seconds })',
  summary: 'Which collections and indexes fill the cache, read and write',
  options: {
    by: {
      check: oneOf(['cache', 'dirty', 'reads', 'writes']),
      default: 'cache',
      description: '"cache", "dirty", "reads" or "writes"',
    },
    limit: {
      check: number({ min: 1, max: 100_000, integer: true }),
      default: 20,
      description: 'how many rows',
    },
    seconds: {
      check: number({ min: 0.1, max: 3600 }),
      default: 5,
      description: 'from the first sample to the second',
    },
  },
  examples: [
    'tune.collections({ seconds: 1 })',
    'tune.collections({ by: "dirty", limit: 5 }).rows[0]',
    'tune collections --by reads',
  ],
  changes: 'nothing',
  run: collections,
});

/**
 * Which collections and indexes fill the cache, hold its dirty bytes, are read into it and written
 * from it most. Every collection is read once, at most four at a time; after `seconds` those
 * that matter are read again, which gives the rates. Of the others the rates are null, as is
 * all that is not known.
 * @param {Context} ctx
 * @param {{ by: By, limit: number, seconds: number }} options
 * @returns {Promise<Collections & Report>} after Ctrl-C or a lost
 *   connection: over what was seen
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   can not be examined
 */
async function collections(ctx, { by, limit, seconds }) {
  const refused = (/** @type {unknown} */ error) => {
    throw mapServerError(error, 'serverStatus', ctx.signal);
  };
  const [facts, sample] = await Promise.all([
    collectFacts(ctx.port, { hardware: false }),
    takeSample(ctx.port),
  ]).catch(refused);
  const samples = await sampleCollections(ctx, { by, limit, seconds }).finally(() =>
    ctx.progress(null),
  );
  const { counters } =
    samples.ended === 'complete' ? await takeSample(ctx.port).catch(() => sample) : sample;
  const { renderCollections } = require('./pure/collections-text');
  const data = dataOf({ facts, counters, samples, by, limit });
  return report(data, (ink) => renderCollections(data, ink));
}

/** @typedef {ReturnType<typeof dataOf>} Collections */

/**
 * The answer, as data.
 * @param {{
 *   facts: Facts, counters: Counters,
 *   samples: Looks, by: By,
 *   limit: number
 * }} seen
 */
function dataOf({ facts, counters, samples, by, limit }) {
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
    ...(ended === 'interrupted' ? [`Interrupted ${seen}; this is what was seen until then.`] : []),
    ...(ended === 'lost'
      ? [
          `The connection was lost ${seen} (${mapServerError(error, '$collStats').message}); ` +
            'this is what was seen until then.',
        ]
      : []),
    ...(gone.size > 0
      ? [
          'Dropped meanwhile: ' +
            `${[...gone].slice(0, 3).join(', ')}${gone.size > 3 ? ` and ${gone.size - 3} more` : ''}.`,
        ]
      : []),
    ...(skipped > 0
      ? [
          `Rates are those of the ${MAX_AGAIN} busiest collections; ${skipped} more did ` +
            'something too.',
        ]
      : []),
    ...[...refused].map(
      ([database, { count, message }]) =>
        `${count} collections of ${database} were left out: ${message}`,
    ),
    ...notes,
  ];
}
