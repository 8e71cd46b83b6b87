'use strict';

const {
  MS_PER_SECOND,
  bytes,
  duration,
  many,
  percent,
  shortPercent,
} = require('../../base/pure/units');
const { visible } = require('../../base/pure/printable');
const { defineCollectionRule } = require('../rule');
const { nameOf } = require('../collection-values');
const { sources, manual } = require('../sources');

/** @import { IndexCost } from '../types' */

// Seconds: a report of the end of the week may need the index that no query used since (heuristic).
const WEEK_SECONDS = 7 * 86_400;
// Seconds: before, nearly every index of a server that has just started is unused (heuristic).
const DAY_SECONDS = 86_400;
// Share of the cache that all unused indexes together hold: what is read instead would fit there
// (heuristic).
const LARGE_RATIO = 0.05;
/** Indexes that the sentence names. */
const NAMED = 3;

module.exports = defineCollectionRule({
  id: 'unused-indexes',
  title: 'Indexes that no query uses hold cache',
  why:
    'Each write of a document changes its indexes too. Their pages are read, become dirty and take ' +
    'cache from the data that queries read.',
  needs: ['indexes', 'cacheMaxBytes'],
  threshold:
    `Information: an index was not used for ${duration(DAY_SECONDS * MS_PER_SECOND)}. Warning: for ${duration(WEEK_SECONDS * MS_PER_SECOND)} ` +
    `or longer, and such indexes hold ${shortPercent(LARGE_RATIO)} of the cache. Indexes that are unique, ` +
    'expire documents or are on _id do not count.',
  source: sources(
    manual('$indexStats', 'manual/reference/operator/aggregation/indexStats/'),
    'the week and the share are heuristics',
  ),
  advice:
    'Check the other members, which count for themselves. Then hide the index for a while ' +
    '(collMod, hidden: true, MongoDB 4.4 and later), and drop it if nothing becomes slower.',
  whenNot:
    'The counter begins at each start of the server. A shard key needs its index, and so does a query ' +
    'that runs once a month.',
  check({ indexes, cacheMaxBytes }) {
    const unused = indexes
      .filter(({ uses, keeps }) => uses === 0 && keeps === null)
      .toSorted((a, b) => b.cacheBytes - a.cacheBytes);
    const long = unused.filter(({ countedSeconds }) => countedSeconds >= WEEK_SECONDS);
    const chosen = long.length > 0 ? long : unused;
    const cacheBytes = chosen.reduce((sum, index) => sum + index.cacheBytes, 0);
    const values = {
      indexes: chosen.map(({ ns, index, cacheBytes, storageBytes, countedSeconds }) => ({
        ns,
        index,
        cacheBytes,
        storageBytes,
        countedSeconds,
      })),
      cacheBytes,
      cacheRatio: cacheBytes / cacheMaxBytes,
      examined: indexes.length,
    };
    const evidence = { cacheBytes, unused: chosen.length };
    if (unused.length === 0) return { status: 'ok', code: 'fine', values, evidence };
    if (longest(unused) < DAY_SECONDS) return { status: 'ok', code: 'too-early', values, evidence };
    if (long.length === 0) return { status: 'info', code: 'unused-so-far', values, evidence };
    return values.cacheRatio >= LARGE_RATIO
      ? { status: 'warning', code: 'costly', values, evidence }
      : { status: 'info', code: 'unused', values, evidence };
  },
  messages: {
    fine: ({ examined }) => `${many(examined, 'index', 'indexes')} examined, each used or needed.`,
    'too-early': ({ indexes }) =>
      `${many(indexes.length, 'index', 'indexes')} not used so far, counted for ` +
      `${duration(longest(indexes) * MS_PER_SECOND)}: too short to conclude.`,
    'unused-so-far': (values) =>
      `${rents(values)} Less than ${duration(WEEK_SECONDS * MS_PER_SECOND)} is too short to conclude.`,
    unused: (values) => rents(values),
    costly: (values) => rents(values),
  },
});

/** @param {readonly Pick<IndexCost, 'countedSeconds'>[]} indexes */
const longest = (indexes) => indexes.reduce((max, index) => Math.max(max, index.countedSeconds), 0);

/** @param {{ indexes: Omit<IndexCost, 'uses' | 'keeps'>[], cacheBytes: number, cacheRatio: number }} values */
function rents({ indexes, cacheBytes, cacheRatio }) {
  const named = indexes
    .slice(0, NAMED)
    .map(
      (index) =>
        `${visible(nameOf(index))} rents ${bytes(index.cacheBytes)}, not used for ` +
        `${duration(index.countedSeconds * MS_PER_SECOND)}`,
    );
  const more = indexes.length > NAMED ? `; and ${indexes.length - NAMED} more` : '';
  return (
    `${many(indexes.length, 'index', 'indexes')} without a query hold${indexes.length === 1 ? 's' : ''} ` +
    `${bytes(cacheBytes)} (${percent(cacheRatio)}) of the cache: ${named.join('; ')}${more}.`
  );
}
