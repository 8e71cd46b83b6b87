'use strict';

const { GiB, bytes, count, percent } = require('../base/pure/units');
const {
  inCacheBytes,
  isMemoryFull,
  needBytes,
  headroomOf,
  TARGET_SHARE,
  fitsAlready,
  churnLoss,
} = require('../signals/cache');
const { readingPagesTime } = require('../signals/clients');
const { MAX_ESTIMATE } = require('../text/interval');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Estimates what another cache size would change for readers, as if all data were read equally
 * often. Against measurements (256 MB to 512 MB, 1 GB and 1.5 GB) it is 15% off; with hot data the
 * first steps gain more (docs/evidence/cache-size.md).
 * @typedef {{ readsPerSec: number, savedPerSec: number, speedup: number | null, fits: boolean }}
 *   Effect for the operations served
 *   now; `savedPerSec` is negative for a smaller cache; `speedup`: of operations that wait for
 *   their pages, null where not known
 */

// Below this share of the data nothing counts as outside the cache: sizes are not known more
// exactly.
const MIN_OUTSIDE = 0.02;
// Beyond this factor something else becomes the limit: 8 to 14 times was measured, but for scans.
const MAX_SPEEDUP = MAX_ESTIMATE;
// A smaller effect is not noticed.
const MIN_SPEEDUP = 1.05;
// A size that differs by less adds nothing.
const MIN_FACTOR = 1.25;

/**
 * @param {Metrics} metrics
 * @param {number} cacheBytes
 * @returns {number | undefined} share of the data that such a cache does not hold
 */
function outside(metrics, cacheBytes) {
  const inside = inCacheBytes(metrics);
  if (!inside) return undefined;
  return Math.max(0, 1 - (cacheBytes * (metrics['config.targetRatio'] ?? TARGET_SHARE)) / inside);
}

/**
 * @param {Metrics} metrics
 * @returns {boolean | undefined} whether all data is in the cache as it is; undefined: not known
 */
function doesDataFit(metrics) {
  const now = metrics['cache.maxBytes'];
  const share = now === undefined ? undefined : outside(metrics, now);
  return share === undefined ? undefined : share < MIN_OUTSIDE;
}

/**
 * @param {Metrics} metrics
 * @param {number} cacheBytes
 * @returns {number | null} share of the page reads that stay, 0 where all data fits; null where it
 *   is not known, or where all fits already
 */
function readsLeft(metrics, cacheBytes) {
  const now = metrics['cache.maxBytes'];
  if (now === undefined || doesDataFit(metrics) !== false) return null;
  const [before, after] = [now, cacheBytes].map(
    (size) => /** @type {number} */ (outside(metrics, size)),
  );
  return after < MIN_OUTSIDE ? 0 : after / before;
}

/**
 * @param {Metrics} metrics
 * @param {number} cacheBytes
 * @returns {Effect | null} null where it is not known, or where all fits already
 */
function cacheEffect(metrics, cacheBytes) {
  const reads = metrics['cache.pagesReadPerSec'];
  const ratio = readsLeft(metrics, cacheBytes);
  if (reads === undefined || ratio === null) return null;
  return {
    readsPerSec: reads * ratio,
    savedPerSec: reads * (1 - ratio),
    speedup: speedupOf(metrics, ratio),
    fits: ratio === 0,
  };
}

/**
 * @param {Metrics} metrics
 * @param {number} ratio
 */
function speedupOf(metrics, ratio) {
  const loss = readingPagesTime(metrics);
  return loss === undefined
    ? null
    : Math.min(speedupAt(loss.share * (1 - ratio)), maxSpeedup(metrics));
}

/**
 * The part of the clients' time that is saved makes room for more operations; the rest stays.
 * @param {number} savedShare negative where more time is needed
 */
const speedupAt = (savedShare) => 1 / Math.max(1 - savedShare, 1 / MAX_SPEEDUP);

/** CPUs that are busy already leave less to gain. @param {Metrics} metrics */
const maxSpeedup = ({ 'process.cpuRatio': own = 0 }) =>
  Math.max(1, 1 / Math.max(own, 1 / MAX_SPEEDUP));

/**
 * Half, twice, and what holds all data (more than there is now, or it would fit), as far as memory
 * goes.
 * @param {Metrics} metrics
 * @param {number} now
 * @returns {number[]} bytes, the smallest first
 */
function sizesToShow(metrics, now) {
  const max = headroomOf(metrics)?.capBytes ?? Infinity;
  const need = roundUpGB(/** @type {number} */ (needBytes(metrics))) * GiB;
  const larger = need > 2 * now * MIN_FACTOR ? [2 * now, need] : [need];
  return [now / 2, ...larger.filter((size) => size <= max)];
}

/** @param {Metrics} metrics @returns {string | null} null where nothing is known */
function cacheEffectWords(metrics) {
  const [now, reads, fits] = [
    metrics['cache.maxBytes'],
    metrics['cache.pagesReadPerSec'],
    doesDataFit(metrics),
  ];
  if (now === undefined || reads === undefined || fits === undefined) return null;
  if (churnLoss(metrics) !== undefined)
    return (
      'The effect of another cache size is not known: eviction removes pages from the ' +
      `${bytes(now)} cache because they are dirty, not because it is full.`
    );
  if (fits)
    return (
      `All data fits in the ${bytes(now)} cache: a larger one would save no ` +
      `reads${atMost(metrics, now)}.`
    );
  if (fitsAlready(metrics))
    return (
      `The working set fits so far: at most ${percent(metrics['cache.usedRatioMax'])} of the ` +
      `${bytes(now)} cache is used. A larger one would save no reads yet.`
    );
  if (isMemoryFull(metrics))
    return (
      `There is more data than RAM: a cache above ${bytes(now)} would save reads only at the ` +
      "expense of the operating system's page cache."
    );
  const reported = sizesToShow(metrics, now).map(
    (size) => `${bytes(size)}: ${effectOf(/** @type {Effect} */ (cacheEffect(metrics, size)))}`,
  );
  return `Estimated page reads (now ${count(reads)}/s with ${bytes(now)}): ${reported.join('; ')}.`;
}

/** @param {Metrics} metrics @param {number} now */
function atMost(metrics, now) {
  const need = roundUpGB(/** @type {number} */ (needBytes(metrics))) * GiB;
  return need * MIN_FACTOR < now ? `, and ${bytes(need)} would be enough` : '';
}

/** @param {Effect} effect */
function effectOf({ readsPerSec, savedPerSec, speedup, fits }) {
  const reads = fits
    ? 'none, all data fits'
    : `${count(readsPerSec)}/s (${savedPerSec < 0 ? '+' : '-'}${count(Math.abs(savedPerSec))})`;
  if (speedup === null) return reads;
  const felt = speedup >= MIN_SPEEDUP || speedup <= 1 / MIN_SPEEDUP;
  return (
    `${reads}, ` +
    `${felt ? `${fits ? 'up to' : 'about'} ${count(speedup)} times the throughput` : 'about the same throughput'}`
  );
}

// Steps in which a person would choose a cache: a quarter of a GB while it is small, whole GB when
// it is large. All are whole MB, which is what a WiredTiger configuration string can say.
const ROUNDING = /** @type {const} */ ([
  [4, 0.25],
  [16, 0.5],
  [Infinity, 1],
]);
// mongod refuses less at its start.
const MIN_GB = 0.25;

/** @param {number} gb */
const stepFor = (gb) =>
  /** @type {readonly [number, number]} */ (ROUNDING.find(([limit]) => gb <= limit))[1];

/** @param {number} bytes @returns {number} GB, at least as much as asked */
const roundUpGB = (bytes) =>
  Math.max(MIN_GB, Math.ceil(bytes / GiB / stepFor(bytes / GiB)) * stepFor(bytes / GiB));

/**
 * @param {number} bytes
 * @returns {number} GB, at most as much as allowed; 0 when that is less than the least
 */
const roundDownGB = (bytes) => {
  const gb = Math.floor(bytes / GiB / stepFor(bytes / GiB)) * stepFor(bytes / GiB);
  return gb < MIN_GB ? 0 : gb;
};

module.exports = {
  cacheEffect,
  cacheEffectWords,
  doesDataFit,
  maxSpeedup,
  readsLeft,
  speedupAt,
  roundUpGB,
  roundDownGB,
};
