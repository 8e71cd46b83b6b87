'use strict';

const { MAX_EVICTION_THREADS } = require('../config/setting-table');
const { isEvictionSevere } = require('./clients');
const { dirtyLimit } = require('./dirty-limit');
const { duration, percent, many } = require('../base/pure/units');
const { isDeviceAtLimit, deviceWriteMs, BUSY_RATIO } = require('./disk');
const { busyRatio, busyWords, ownRatioAtMost } = require('./cpus');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Whether more eviction threads would help: only where all of them are active while CPUs and
 * disk have headroom. On a disk at its limit 1, 4 and 16 threads gave the same throughput within 3%
 * (docs/evidence/eviction-threads.md).
 */

// A page written within this long was not waiting for a disk at its limit: 20 to 45 ms were
// measured on one, below 1 ms on an idle SSD (heuristic).
const FAST_WRITE_MS = 5;
// Above this share of all CPUs there is no headroom for more threads (heuristic).
const BUSY_CPU_RATIO = 0.7;
// A smaller increase is not worth a change, except back to the default (heuristic).
const MIN_STEP = 2;
// mongod starts as many on every machine; fewer were set.
const DEFAULT_THREADS = 4;

/** @param {Metrics} metrics @returns {number | undefined} eviction threads active at most */
const threadsNow = (metrics) => metrics['config.threadsMax'] ?? metrics['eviction.threadsActive'];

/**
 * @param {Metrics} metrics
 * @returns {number | undefined} twice as many as now, but at most the CPUs that are idle on
 *   top, and WiredTiger's 20; at least the default
 */
function threadsWanted(metrics) {
  const [now, cores, own] = [
    threadsNow(metrics),
    metrics['host.cores'],
    metrics['process.cpuCores'],
  ];
  if (now === undefined) return undefined;
  if (cores === undefined || own === undefined)
    return now < DEFAULT_THREADS ? DEFAULT_THREADS : undefined;
  const used = Math.max(own, cores * (metrics['cpu.busyRatio'] ?? 0));
  return Math.max(
    DEFAULT_THREADS,
    Math.min(2 * now, now + Math.floor(cores - used), cores, MAX_EVICTION_THREADS),
  );
}

/** @param {number | undefined} now @returns {string} */
const allActiveWords = (now) =>
  now === 1 ? 'The only eviction thread is active' : `All ${now} eviction threads are active`;

/**
 * @param {Metrics} metrics
 * @returns {string[]} what speaks against more threads; empty: nothing does
 */
const againstMoreThreads = (metrics) =>
  [againstByDisk(metrics), againstByCpu(metrics), againstByNumber(metrics)].filter(
    (say) => say !== null,
  );

/**
 * Finds what the disk says against more threads; it may be known to have headroom although
 * application threads wrote no page.
 * @param {Metrics} metrics
 */
function againstByDisk(metrics) {
  const { 'eviction.pageWriteMs': writeMs, 'disk.busyRatio': busy } = metrics;
  if (isDeviceAtLimit(metrics) && deviceWriteMs(metrics) > FAST_WRITE_MS)
    return (
      `a disk write takes ${duration(deviceWriteMs(metrics))}, so the disk is the limit, not the ` +
      'number of threads'
    );
  if (writeMs === undefined)
    return busy !== undefined && busy < BUSY_RATIO ? null : 'the time of a page write is not known';
  return writeMs > FAST_WRITE_MS
    ? `a page write takes ${duration(writeMs)}, so the disk is the limit, not the ` +
        'number of threads'
    : null;
}

/**
 * Finds what the CPUs say against more threads; fewer threads than mongod starts are too few on a
 * shared machine, too.
 * @param {Metrics} metrics
 */
function againstByCpu(metrics) {
  const isBelowDefault = (threadsNow(metrics) ?? DEFAULT_THREADS) < DEFAULT_THREADS;
  const used = isBelowDefault ? ownRatioAtMost(metrics, BUSY_CPU_RATIO) : busyRatio(metrics);
  if (used === undefined) return 'CPU use is not known';
  return used > BUSY_CPU_RATIO ? busyWords(metrics) : null;
}

/** @param {Metrics} metrics */
function againstByNumber(metrics) {
  const { 'eviction.threadsActive': active, 'host.cores': cores } = metrics;
  const [now, wanted] = [threadsNow(metrics), threadsWanted(metrics)];
  if (now === undefined) return 'the number of eviction threads is not known';
  if (wanted === undefined) return 'the number of idle cores is not known';
  if (active !== undefined && active < now)
    return `only ${active} of ${now} eviction threads ${active === 1 ? 'is' : 'are'} active`;
  return now >= DEFAULT_THREADS && wanted - now < MIN_STEP
    ? `${now} eviction threads are enough for ${many(cores, 'core')}`
    : null;
}

/**
 * @param {Metrics} metrics
 * @returns {boolean} application threads evict at a limit, and nothing but the number of threads is in the way
 */
const areThreadsShort = (metrics) =>
  isEvictionSevere(metrics) && isAtLimit(metrics) && againstMoreThreads(metrics).length === 0;

/**
 * Says how much headroom there is. Where fewer threads than usual are too few although other
 * programs fill the machine, no CPU is free; only mongod leaves some.
 * @param {Metrics} metrics
 * @returns {string}
 */
const headroomWords = (metrics) =>
  (busyRatio(metrics) ?? 0) > BUSY_CPU_RATIO
    ? 'the disk has headroom'
    : 'CPUs and disk have headroom';

/**
 * Warns that more threads need CPUs.
 * @param {Metrics} metrics
 * @returns {string} a sentence behind the verdict, or ''
 */
const aboutBusyCpus = (metrics) =>
  (busyRatio(metrics) ?? 0) > BUSY_CPU_RATIO
    ? ` ${percent(busyRatio(metrics))} of CPU time is used ` +
      `(${percent(metrics['process.cpuRatio'])} by mongod), so the gain is uncertain: run the A/B ` +
      'test first.'
    : '';

/** Application threads evict at the fill trigger, or at the dirty one. @param {Metrics} metrics */
const isAtLimit = (metrics) =>
  (metrics['cache.hardShare'] ?? 0) > 0 || dirtyLimit(metrics).isReached;

module.exports = {
  threadsNow,
  threadsWanted,
  allActiveWords,
  againstMoreThreads,
  areThreadsShort,
  headroomWords,
  aboutBusyCpus,
  isAtLimit,
  FAST_WRITE_MS,
  BUSY_CPU_RATIO,
  DEFAULT_THREADS,
};
