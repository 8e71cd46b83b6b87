'use strict';

const { defineCommand } = require('../base/pure/command');
const { number, oneOf } = require('../base/pure/options');
const { collectFacts } = require('../server/facts');
const { sampleCollections, collectionsData } = require('../server/collection-samples');
const { takeSample } = require('../server/sampler');
const { mapServerError } = require('../base/server-errors');
const { report } = require('../text/report');
const { loadCollectionRules } = require('../rules/registry');
const { judgeCollections } = require('../rules/runner');
const { collectionValues, WITHOUT } = require('../rules/collection-values');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Collections } from '../server/collection-samples'
 * @import { By } from '../server/pure/collections'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'collections',
  group: 'Look',
  order: 6,
  takes: ['options'],
  usage: 'tune.collections({ by, limit, seconds })',
  summary: 'Shows what fills the cache, by collection and index',
  details:
    'It also judges free space in files, indexes that no query uses, and how far the oplog reaches back',
  options: {
    by: {
      check: oneOf(['cache', 'dirty', 'reads', 'writes']),
      default: 'cache',
      description: '"cache", "dirty", "reads" or "writes"',
    },
    limit: {
      check: number({ min: 1, max: 100_000, integer: true }),
      default: 20,
      description: 'number of rows',
    },
    seconds: {
      check: number({ min: 0.1, max: 3600 }),
      default: 5,
      description: 'time between the two samples',
    },
  },
  examples: [
    'tune.collections({ seconds: 1 })',
    'tune.collections({ by: "dirty", limit: 5 }).rows[0]',
    'tune collections --by reads',
  ],
  changes: 'nothing',
  onMongos: 'connect to the primary of a shard: each has its own cache',
  run: collections,
});

/**
 * Which collections and indexes fill the cache, hold its dirty bytes, are read into it and written
 * from it most. Every collection is read once, at most four at a time; after `seconds` those
 * that matter are read again, which gives the rates. Of the others the rates are null, as is
 * all that is not known.
 * @param {Context} ctx
 * @param {{ by: By, limit: number, seconds: number }} options
 * @param {{ limit?: number }} given the options as they were given
 * @returns {Promise<Collections & Report>} after Ctrl-C or a lost
 *   connection: over what was seen
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   cannot be examined
 */
async function collections(ctx, { by, limit, seconds }, given) {
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
  const { all, ...sampled } = collectionsData({ facts, counters, samples, by, limit });
  const { oplog, cache } = sampled;
  const values = collectionValues({
    rows: all,
    oplog,
    cacheMaxBytes: cache.maxBytes,
    atMs: sample.atMs,
  });
  const data = { ...sampled, findings: judgeCollections(loadCollectionRules(), values, WITHOUT) };
  return report(data, (ink) => renderCollections(data, ink, given.limit));
}
