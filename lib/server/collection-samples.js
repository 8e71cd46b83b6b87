'use strict';

const { sleep } = require('../base/context');
const { collectNamespaces } = require('./namespaces');
const { collectStats, collectTop, collectIndexUses } = require('./collection-stats');
const { sampleOplog, oplogBetween } = require('./oplog');
const { mapConcurrent, isProgressDue } = require('../base/timing');
const {
  recheck,
  collectionRows,
  withUses,
  answering,
  sum,
  MAX_AGAIN,
  OWN_DATABASES,
} = require('./pure/collections');
const { mapServerError } = require('../base/server-errors');

/**
 * @import { Finding } from '../base/pure/finding'
 * @import { Stats } from './collection-stats'
 * @import { Namespace } from './namespaces'
 * @import { By } from './pure/collections'
 * @import { Context } from '../base/types'
 * @import { CollectionSamples } from './types'
 * @import { Counters } from './pure/counters'
 * @import { Facts } from './pure/types'
 */

/**
 * Samples every collection, waits, and samples those that matter for the question again. `top` is
 * read at the beginning and the end of the pause, so that our own samples are not counted.
 * @param {Context} ctx
 * @param {{ seconds: number, by: By, limit: number }} options
 * @returns {Promise<CollectionSamples>} also after Ctrl-C or a lost connection, over what was seen until then;
 *   rejects when that is nothing
 */
async function sampleCollections(ctx, { seconds, by, limit }) {
  /** @type {CollectionSamples} */
  const samples = {
    first: new Map(),
    second: new Map(),
    indexUses: new Map(),
    oplog: { first: null, last: null },
    gone: new Set(),
    refused: new Map(),
    use: null,
    skipped: 0,
    notes: [],
    asked: 0,
    ended: 'complete',
    error: null,
  };
  try {
    const { namespaces, notes } = await collectNamespaces(ctx);
    Object.assign(samples, { notes, asked: namespaces.length });
    await examineCollections(ctx, namespaces, samples, 'first');
    samples.oplog.first = await sampleOplog(ctx);
    samples.use = await pause(ctx, seconds, samples);
    samples.oplog.last = await sampleOplog(ctx);
    const again = recheck(samples.first, samples.use, { by, limit });
    samples.skipped = again.skipped;
    const chosen = namespaces.filter(({ ns }) => again.chosen.has(ns));
    await examineCollections(ctx, chosen, samples, 'second');
    await examineIndexes(ctx, chosen, samples);
    return samples;
  } catch (error) {
    if (samples.first.size === 0) throw error;
    return Object.assign(samples, { ended: ctx.signal.aborted ? 'interrupted' : 'lost', error });
  }
}

/**
 * @param {Context} ctx @param {Namespace[]} namespaces
 * @param {CollectionSamples} samples @param {'first' | 'second'} which
 */
async function examineCollections(ctx, namespaces, samples, which) {
  let done = 0;
  await mapConcurrent(
    namespaces,
    async (namespace) => {
      const stats = await collectStats(ctx, namespace);
      if (stats === 'gone') samples.gone.add(namespace.ns);
      else if (stats instanceof Error) refuse(samples, namespace.database, stats.message);
      else samples[which].set(namespace.ns, stats);
      done += 1;
      if (isProgressDue(done, namespaces.length))
        ctx.progress(
          `tune.collections: ${which} sample, ${done} of ${namespaces.length} collections; ` +
            'Ctrl-C stops it',
        );
    },
    { signal: ctx.signal },
  );
}

/**
 * Uses of the indexes; of none once the server refused them, which is a note.
 * @param {Context} ctx @param {Namespace[]} namespaces @param {CollectionSamples} samples
 */
async function examineIndexes(ctx, namespaces, samples) {
  /** @type {Map<string, string>} */ const refused = new Map();
  const asked = namespaces.filter(
    ({ ns }) => !OWN_DATABASES.test(ns) && hasIndexes(samples.first.get(ns)),
  );
  await mapConcurrent(
    asked,
    async (namespace) => {
      if (refused.has(namespace.database)) return;
      const uses = await collectIndexUses(ctx, namespace);
      if (uses instanceof Error) refused.set(namespace.database, uses.message);
      else if (uses !== 'gone') samples.indexUses.set(namespace.ns, uses);
    },
    { signal: ctx.signal },
  );
  for (const [database, message] of refused)
    samples.notes.push(`Uses of the indexes of ${database} are not known: ${message}`);
}

/**
 * Whether a collection has indexes besides that of _id, which is always needed.
 * @param {Stats | undefined} stats
 */
const hasIndexes = (stats) => Object.keys(stats?.indexes ?? {}).length > 1;

/** @param {CollectionSamples} samples @param {string} database @param {string} message */
function refuse({ refused }, database, message) {
  const before = refused.get(database) ?? { count: 0, message };
  refused.set(database, { ...before, count: before.count + 1 });
}

/**
 * @param {Context} ctx
 * @param {number} seconds
 * @param {CollectionSamples} samples
 * @returns {Promise<CollectionSamples['use']>}
 */
async function pause(ctx, seconds, samples) {
  const before = await collectTop(ctx);
  ctx.progress(
    `tune.collections: ${samples.first.size} collections, ${seconds} s until the second sample; ` +
      'Ctrl-C stops it',
  );
  await sleep(seconds * 1000, ctx.signal);
  const after = before && (await collectTop(ctx));
  if (!after) {
    samples.notes.push(
      'Operations per collection are not known: the command top was refused (role clusterMonitor).',
    );
    return null;
  }
  return { before: before.top, after: after.top, seconds: (after.atMs - before.atMs) / 1000 };
}

/**
 * @typedef {Omit<ReturnType<typeof collectionsData>, 'all'> & { findings: Finding[] }} Collections
 */

/**
 * The answer of tune.collections(), as data, without what rules find.
 * @param {{
 *   facts: Facts, counters: Counters,
 *   samples: CollectionSamples, by: By,
 *   limit: number
 * }} seen
 */
function collectionsData({ facts, counters, samples, by, limit }) {
  const there = new Map([...samples.first].filter(([ns]) => !samples.gone.has(ns)));
  const rows = withUses(collectionRows(there, samples.second, samples.use, by), samples.indexUses);
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
    oplog: oplogBetween(samples.oplog.first, samples.oplog.last),
    collections: there.size,
    indexes: rows.length - there.size,
    all: rows,
    rows: answering(rows, by).slice(0, limit),
    ended: samples.ended,
    notes: notesOf(samples),
  };
}

/**
 * Notes what is missing in the answer, and why.
 * @param {CollectionSamples} samples
 * @returns {string[]}
 */
function notesOf({ ended, error, first, asked, gone, skipped, refused, notes }) {
  const seen = `after ${first.size} of ${asked} collections`;
  return [
    ...(ended === 'interrupted' ? [`Interrupted ${seen}: partial result.`] : []),
    ...(ended === 'lost'
      ? [
          `The connection was lost ${seen} (${mapServerError(error, '$collStats').message}); ` +
            'this is what was seen until then.',
        ]
      : []),
    ...(gone.size > 0
      ? [
          'Dropped during sampling: ' +
            `${[...gone].slice(0, 3).join(', ')}${gone.size > 3 ? ` and ${gone.size - 3} more` : ''}.`,
        ]
      : []),
    ...(skipped > 0
      ? [`Rates cover the ${MAX_AGAIN} busiest collections; ${skipped} more were active.`]
      : []),
    ...[...refused].map(
      ([database, { count, message }]) =>
        `${count} collections of ${database} were skipped: ${message}`,
    ),
    ...notes,
  ];
}

module.exports = { sampleCollections, collectionsData };
