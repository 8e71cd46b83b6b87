'use strict';

const { GiB, MiB } = require('../base/pure/units');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * What the cache could be: the server's memory, its data, and what it holds beside the cache.
 * @typedef {{ memoryBytes: number, defaultBytes: number, capBytes: number, otherBytes: number }}
 *   Room
 */

// MongoDB's default cache: half of what is above 1 GiB, at least 256 MB (manual,
// storage.wiredTiger.engineConfig.cacheSizeGB).
const DEFAULT_SHARE = 0.5;
const DEFAULT_SPARED_BYTES = GiB;
const DEFAULT_LEAST_BYTES = 256 * MiB;
// Above this share of memory mongod warns at its start (log id 22300).
const CAP_SHARE = 0.8;
// The best of the sizes tried on a read-mostly server with 128 GiB (IBM-Z).
const BEST_FOUND_SHARE = 0.75;
// A page in the cache is larger than its data: 1164 MiB of data filled 1263 MiB
// (docs/evidence/cache-size.md).
const IN_CACHE_FACTOR = 1.1;
// WiredTiger evicts above this share of the cache, so data "fits" only below it (default
// eviction_target).
const TARGET_SHARE = 0.8;

/** @param {Metrics} metrics @returns {Room | null} null where the memory is not known */
function headroomOf(metrics) {
  const memoryBytes = metrics['host.memoryBytes'];
  if (memoryBytes === undefined) return null;
  const otherBytes = metrics['process.otherBytes'] ?? 0;
  return {
    memoryBytes,
    otherBytes,
    defaultBytes: Math.max(
      DEFAULT_SHARE * (memoryBytes - DEFAULT_SPARED_BYTES),
      DEFAULT_LEAST_BYTES,
    ),
    capBytes: Math.max(0, Math.min(CAP_SHARE * memoryBytes, memoryBytes - otherBytes)),
  };
}

/** @param {Metrics} metrics @returns {number | undefined} the data as it is in the cache */
const inCacheBytes = (metrics) =>
  metrics['data.bytes'] === undefined ? undefined : metrics['data.bytes'] * IN_CACHE_FACTOR;

/**
 * @param {Metrics} metrics
 * @returns {number | undefined} the smallest cache that holds all data without evicting
 */
const needBytes = (metrics) => {
  const inside = inCacheBytes(metrics);
  return inside === undefined
    ? undefined
    : inside / (metrics['config.targetRatio'] ?? TARGET_SHARE);
};

/**
 * @param {Metrics} metrics
 * @returns {boolean | undefined} whether there is more data than memory for it, wherever it is
 *   cached; undefined: not known
 */
function isMemoryFull(metrics) {
  const [room, inside] = [headroomOf(metrics), inCacheBytes(metrics)];
  return room === null || inside === undefined
    ? undefined
    : inside > room.memoryBytes - room.otherBytes;
}

module.exports = {
  headroomOf,
  inCacheBytes,
  needBytes,
  isMemoryFull,
  CAP_SHARE,
  BEST_FOUND_SHARE,
  TARGET_SHARE,
};
