'use strict';

const { MS_PER_SECOND } = require('../../base/pure/units');
const { growth, perSecond } = require('./growth');

/**
 * @import { File, IndexUse, Stats, Top } from '../collection-stats'
 * @import { Row } from './types'
 */

/**
 * Finds which collections and indexes use the cache, from one or two samples of each.
 * @typedef {'cache' | 'dirty' | 'reads' | 'writes'} By
 * @typedef {{ before: Top, after: Top, seconds: number }} Use operations by namespace at the two
 *   ends of a pause
 */

/**
 * This many collections are sampled twice: more would delay the answer, and change hardly anything.
 */
const MAX_AGAIN = 500;
/** A time series is stored under this name, below that of its database. */
const BUCKETS = 'system.buckets.';
/** The server's own: not the user's to change. */
const OWN_DATABASES = /^(?:admin|config|local)\./;

/** @param {string} ns @returns {boolean} it is what a time series is stored in */
const isOfBuckets = (ns) => ns.includes(`.${BUCKETS}`);
/** The name that users know. @param {string} ns @returns {string} */
const withoutBuckets = (ns) => ns.replace(`.${BUCKETS}`, '.');

/**
 * @param {Use | null} use
 * @param {string} ns
 * @returns {{ readOps: number, writeOps: number } | null} growth in the pause
 */
function usedBetween(use, ns) {
  if (use === null) return null;
  const names = [ns, withoutBuckets(ns)]; // a time series is counted under either name
  const [before, after] = [use.before, use.after].map(
    (top) => names.map((name) => top[name]).find(Boolean) ?? { readOps: 0, writeOps: 0 },
  );
  const grown = {
    readOps: after.readOps - before.readOps,
    writeOps: after.writeOps - before.writeOps,
  };
  return grown.readOps < 0 || grown.writeOps < 0 ? null : grown; // dropped and made again
}

/** @param {Stats} stats @param {'cacheBytes' | 'dirtyBytes'} field */
const largestOf = ({ collection, indexes }, field) =>
  Math.max(collection[field] ?? 0, ...Object.values(indexes).map((index) => index[field] ?? 0));

/**
 * Decides which collections need a second sample, for each question: only collections that are in
 * the cache, dirty, or used meanwhile can be read or written.
 * @type {Record<By, (stats: Stats, used: { readOps: number, writeOps: number }) => number>}
 */
const WEIGHTS = {
  cache: (stats) => largestOf(stats, 'cacheBytes'),
  dirty: (stats, { writeOps }) => largestOf(stats, 'dirtyBytes') + writeOps,
  reads: (_, { readOps, writeOps }) => readOps + writeOps,
  writes: (stats, { writeOps }) => largestOf(stats, 'dirtyBytes') + writeOps,
};

/**
 * @param {Map<string, Stats>} first
 * @param {Use | null} use
 * @param {{ by: By, limit: number }} options
 * @returns {{ chosen: Set<string>, skipped: number }}
 */
function recheck(first, use, { by, limit }) {
  const max = Math.max(MAX_AGAIN, limit);
  const weigh = use === null ? WEIGHTS.cache : WEIGHTS[by];
  const weighed = [...first]
    .map(([ns, stats]) => ({
      ns,
      weight: weigh(stats, usedBetween(use, ns) ?? { readOps: 1, writeOps: 1 }),
    }))
    .filter(({ weight }) => weight > 0);
  weighed.sort((a, b) => b.weight - a.weight);
  return {
    chosen: new Set(weighed.slice(0, max).map(({ ns }) => ns)),
    skipped: by === 'cache' ? 0 : Math.max(0, weighed.length - max),
  };
}

/** @type {Record<By, (keyof Row)[]>} the second decides among equals */
const ORDER = {
  cache: ['cacheBytes', 'storageBytes'],
  dirty: ['dirtyBytes', 'cacheBytes'],
  reads: ['readBytesPerSec', 'readOpsPerSec'],
  writes: ['writtenBytesPerSec', 'writeOpsPerSec'],
};

/**
 * A row for each collection and each index, the greatest first; what is not known comes last.
 * @param {Map<string, Stats>} first
 * @param {Map<string, Stats>} second of some of them
 * @param {Use | null} use
 * @param {By} by
 * @returns {Row[]}
 */
function collectionRows(first, second, use, by) {
  const rows = [...first].flatMap(([ns, stats]) => rowsOf(ns, stats, second.get(ns), use));
  const [main, other] = ORDER[by];
  const value = (/** @type {Row} */ row, /** @type {keyof Row} */ name) =>
    /** @type {number | null} */ (row[name]) ?? -1;
  return rows.sort(
    (a, b) =>
      value(b, main) - value(a, main) ||
      value(b, other) - value(a, other) ||
      (a.ns < b.ns ? -1 : 1),
  );
}

/**
 * The rows that answer the question: for a rate those that have one, or were used at all.
 * @param {readonly Row[]} rows @param {By} by @returns {readonly Row[]}
 */
function answering(rows, by) {
  if (by === 'cache' || by === 'dirty') return rows;
  return rows.filter((row) => ORDER[by].some((name) => Number(row[name] ?? 0) > 0));
}

/**
 * @param {string} ns
 * @param {Stats} before
 * @param {Stats | undefined} after
 * @param {Use | null} use
 * @returns {Row[]}
 */
function rowsOf(ns, before, after, use) {
  const latest = after ?? before;
  const used = usedBetween(use, ns);
  const seconds = after ? (after.atMs - before.atMs) / MS_PER_SECOND : 0;
  const opsPerSec = (/** @type {number | undefined} */ ops) =>
    perSecond(ops, use?.seconds ?? 0) ?? null;
  const collection = rowOf(latest.collection, before.collection, seconds);
  return [
    {
      ns,
      kind: 'collection',
      index: null,
      ...collection,
      readOpsPerSec: opsPerSec(used?.readOps),
      writeOpsPerSec: opsPerSec(used?.writeOps),
      documents: latest.documents,
      capped: latest.capped,
      ...NOT_KNOWN,
    },
    ...Object.entries(latest.indexes).map(([index, file]) => ({
      ns,
      kind: /** @type {const} */ ('index'),
      index,
      ...rowOf(file, before.indexes[index], seconds),
      readOpsPerSec: null,
      writeOpsPerSec: null,
      documents: null,
      capped: null,
      ...NOT_KNOWN,
    })),
  ];
}

/** Uses of an index. */
const NOT_KNOWN = Object.freeze({ uses: null, usesSince: null, keeps: null });

/**
 * Adds the uses of their indexes to the rows, where those are known.
 * @param {readonly Row[]} rows
 * @param {ReadonlyMap<string, Record<string, IndexUse>>} indexUses keyed by namespace and name
 * @returns {Row[]}
 */
const withUses = (rows, indexUses) =>
  rows.map((row) => {
    const use = row.index === null ? undefined : indexUses.get(row.ns)?.[row.index];
    if (use === undefined) return row;
    const { uses, sinceMs, keeps } = use;
    return { ...row, uses, usesSince: sinceMs === null ? null : new Date(sinceMs), keeps };
  });

/** @param {File} file @param {File | undefined} before @param {number} seconds */
const rowOf = (file, before, seconds) => ({
  cacheBytes: file.cacheBytes,
  dirtyBytes: file.dirtyBytes,
  storageBytes: file.storageBytes,
  reusableBytes: file.reusableBytes,
  readBytesPerSec: perSecond(growth(before?.readBytes, file.readBytes), seconds) ?? null,
  writtenBytesPerSec: perSecond(growth(before?.writtenBytes, file.writtenBytes), seconds) ?? null,
});

/**
 * @param {readonly Row[]} rows
 * @param {'cacheBytes' | 'dirtyBytes' | 'storageBytes'} field
 * @returns {number | null} null: of none known
 */
function sum(rows, field) {
  const known = rows.flatMap((row) => row[field] ?? []);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

module.exports = {
  recheck,
  collectionRows,
  withUses,
  answering,
  sum,
  isOfBuckets,
  withoutBuckets,
  BUCKETS,
  MAX_AGAIN,
  OWN_DATABASES,
};
