'use strict';

const { COMMAND_NOT_SUPPORTED_ON_VIEW, NAMESPACE_NOT_FOUND } = require('../base/pure/server-codes');
const { toNumber, toMs } = require('../base/pure/numbers');
const { refusalOf } = require('../base/server-errors');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Context } from '../base/types'
 */

/** The server's names of the figures of a file, and tune's. All of them: bytes. */
const FIGURES = Object.freeze({
  cacheBytes: 'bytes currently in the cache',
  dirtyBytes: 'tracked dirty bytes in the cache',
  readBytes: 'bytes read into cache',
  writtenBytes: 'bytes written from cache',
});
/** Milliseconds: a collection behind an exclusive lock must not delay the others. */
const PATIENCE_MS = 5000;
const GONE = new Set([NAMESPACE_NOT_FOUND, COMMAND_NOT_SUPPORTED_ON_VIEW]);

/** @param {unknown} error @returns {boolean} the collection was dropped, or replaced by a view */
const isGone = (error) => GONE.has(/** @type {any} */ (error).code);

/** @param {string} at @returns {Record<string, string>} */
const figuresAt = (at) => ({
  ...Object.fromEntries(
    Object.entries(FIGURES).map(([ours, foreign]) => [ours, `${at}.cache.${foreign}`]),
  ),
  reusableBytes: `${at}.block-manager.file bytes available for reuse`,
});

/**
 * $collStats with nothing kept of it but what is used: a small part of the 37 kB that collStats
 * answers, and less work for the server (measured with two indexes on 6.0.5).
 */
const PIPELINE = Object.freeze([
  { $collStats: { storageStats: {} } },
  {
    $project: {
      _id: 0,
      dataBytes: '$storageStats.size',
      building: '$storageStats.indexBuilds',
      storageBytes: '$storageStats.storageSize',
      documents: '$storageStats.count',
      capped: '$storageStats.capped',
      indexBytes: '$storageStats.indexSizes',
      figures: figuresAt('$storageStats.wiredTiger'),
      indexes: {
        $map: {
          input: { $objectToArray: '$storageStats.indexDetails' },
          in: { name: '$$this.k', figures: figuresAt('$$this.v') },
        },
      },
    },
  },
]);

/**
 * @typedef {{ [name in keyof typeof FIGURES]: number | null }} Figures of one file
 * @typedef {Figures & { storageBytes: number | null, reusableBytes: number | null }} File
 * @typedef {{
 *   atMs: number, documents: number | null, dataBytes: number | null, capped: boolean | null,
 *   building: string[], collection: File, indexes: Record<string, File>
 * }} Stats
 *   `atMs`: of a clock that is never set, so that only differences mean something; `dataBytes`: of
 *   the documents, not compressed;
 *   `building`: names of indexes under construction
 */

/**
 * @param {Context} ctx
 * @param {{ database: string, name: string }} namespace
 * @param {{ patienceMs?: number }} [limits]
 * @returns {Promise<Stats | 'gone' | TuneError>} the error: what the server
 *   refused
 */
async function collectStats(
  { port, signal },
  { database, name },
  { patienceMs = PATIENCE_MS } = {},
) {
  try {
    const { cursor } = await port.command(database, {
      aggregate: name,
      pipeline: PIPELINE,
      cursor: {},
      maxTimeMS: patienceMs,
    });
    return cursor.firstBatch.length === 0 ? 'gone' : statsOf(cursor.firstBatch[0]);
  } catch (error) {
    if (isGone(error)) return 'gone';
    return refusalOf(error, '$collStats', signal);
  }
}

/** @param {any} reply @returns {Stats} */
function statsOf({
  documents,
  dataBytes,
  building,
  capped,
  figures,
  indexes,
  storageBytes,
  indexBytes = {},
}) {
  return {
    atMs: performance.now(),
    documents: toNumber(documents) ?? null,
    dataBytes: toNumber(dataBytes) ?? null,
    building: building ?? [],
    capped: capped ?? null,
    collection: fileOf(figures, storageBytes),
    indexes: Object.fromEntries(
      (indexes ?? []).map((/** @type {any} */ index) => [
        index.name,
        fileOf(index.figures, indexBytes[index.name]),
      ]),
    ),
  };
}

/** @param {any} figures @param {unknown} storageBytes @returns {File} */
const fileOf = (figures, storageBytes) => ({
  .../** @type {Figures} */ (
    Object.fromEntries(
      Object.keys(FIGURES).map((name) => [name, toNumber(figures?.[name]) ?? null]),
    )
  ),
  storageBytes: toNumber(storageBytes) ?? null,
  reusableBytes: toNumber(figures?.reusableBytes) ?? null,
});

/**
 * @typedef {Record<string, { readOps: number, writeOps: number }>} Top operations since the server
 *   started, by namespace
 */

/**
 * @param {Context} ctx
 * @returns {Promise<{ top: Top, atMs: number } | null>} null: not permitted, or larger than an
 *   answer may be
 */
async function collectTop({ port, signal }) {
  try {
    const { totals } = await port.adminCommand({ top: 1 });
    const counted = Object.entries(totals).filter(([, use]) => use?.readLock && use?.writeLock);
    return {
      top: Object.fromEntries(counted.map(([ns, use]) => [ns, opsOf(use)])),
      atMs: performance.now(),
    };
  } catch (error) {
    refusalOf(error, 'top', signal);
    return null;
  }
}

/**
 * Counts operations by the lock they took: an aggregation reads, findAndModify writes, though both
 * are "commands".
 * @param {any} use
 */
const opsOf = ({ readLock, writeLock }) => ({
  readOps: toNumber(readLock.count) ?? 0,
  writeOps: toNumber(writeLock.count) ?? 0,
});

/**
 * `uses` counts since `sinceMs`: the start of the server, or the making of the index. `keeps`: what
 * an index does besides being read; such a one is needed though no query uses it.
 * @typedef {'_id' | 'unique' | 'ttl'} Keeps
 * @typedef {{ uses: number | null, sinceMs: number | null, keeps: Keeps | null }} IndexUse
 */

const INDEX_PIPELINE = Object.freeze([
  { $indexStats: {} },
  { $project: { _id: 0, name: 1, accesses: 1, spec: 1 } },
]);

/**
 * Reads how often queries used each index, on this member alone.
 * @param {Context} ctx
 * @param {{ database: string, name: string }} namespace
 * @returns {Promise<Record<string, IndexUse> | 'gone' | TuneError>} the error with which the server
 *   refused
 */
async function collectIndexUses({ port, signal }, { database, name }) {
  try {
    const { cursor } = await port.command(database, {
      aggregate: name,
      pipeline: INDEX_PIPELINE,
      cursor: {},
      maxTimeMS: PATIENCE_MS,
    });
    return Object.fromEntries(
      cursor.firstBatch.map((/** @type {any} */ index) => [`${index.name}`, useOf(index)]),
    );
  } catch (error) {
    if (isGone(error)) return 'gone';
    return refusalOf(error, '$indexStats', signal);
  }
}

/** @param {any} index @returns {IndexUse} */
const useOf = ({ name, accesses, spec }) => ({
  uses: toNumber(accesses?.ops) ?? null,
  sinceMs: toMs(accesses?.since) ?? null,
  keeps: keepsOf(name, spec),
});

/** @param {string} name @param {any} [spec] since 4.2.4 @returns {Keeps | null} */
function keepsOf(name, spec) {
  if (name === '_id_') return '_id';
  if (spec?.unique) return 'unique';
  return spec?.expireAfterSeconds === undefined ? null : 'ttl';
}

module.exports = { collectStats, collectTop, collectIndexUses, isGone };
