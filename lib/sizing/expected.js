'use strict';

const { GiB } = require('../base/pure/units');
const { evictionLoss, readingPagesTime } = require('../signals/clients');
const { dirtyLimit, DEFAULT_TRIGGER_RATIO } = require('../signals/dirty-limit');
const { arePagesAtLimit } = require('../signals/disk');
const { pagingShare } = require('../signals/paging');
const { threadsNow } = require('../signals/eviction-threads');
const { needBytes } = require('../signals/cache');
const { allDirtyBytes } = require('./cache');
const { maxSpeedup, readsLeft, speedupAt } = require('./cache-effect');

/**
 * @import { Change } from '../base/types'
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Estimates what a change does to the throughput of clients that begin the next operation as soon
 * as one ends. For clients whose rate something else decides, an operation takes that much less
 * time.
 * @typedef {{ ratio: number, low: number, high: number }} Expected after ÷ before; `low` and `high`:
 *   what measurements here left open (docs/evidence/advice.md)
 */

// Lower bound, as a share of the estimated gain: in 22 of 23 runs of YCSB at least half of it came
// (docs/evidence/advice.md).
const READS_LOW = 0.5;
// With hot data fewer reads are left: 43% by the estimate were 30% in a measurement, about their
// share to the power of 1.4; squared they are the least that is expected.
const HOT_POWER = 2;
// A cache twice as large gained 26% under write pressure, in both of two pairs of runs.
const WRITE_GAIN_OF_TWICE = 1.26;
// Trigger 20% to 40%, and to 25%: x 1.11, 1.13 and 1.28 (docs/evidence/dirty-thresholds.md).
const RAISED_TRIGGER = 1.15;
// A trigger of 5% back to 20%: x 1.41; the same load gained up to x 2.
const LOWERED_TRIGGER = 1.4;
// Four threads instead of one took half of the eviction time from the clients, or nothing where the
// disk was the limit (docs/evidence/eviction-threads.md).
const THREADS_SHARE = 0.5;
// The trigger of update data follows the dirty one at this value.
const FOLLOWS_DIRTY = 0;
// The cost of what is changed in vain, and the noise of one comparison.
const NOTHING_LOW = 0.95;

/**
 * @param {Change | null} change the recommended change
 * @param {Metrics} metrics the metrics of the window that showed its trouble
 * @returns {Expected | null} null where no measurement applies
 */
function expectedOf(change, metrics) {
  if (change === null) return null;
  const isForReads = isForReaders(change, metrics);
  const expected = isForReads ? byReads(change, metrics) : byEviction(change, metrics);
  return expected && capped(expected, metrics, isForReads ? pagingShare(metrics) : 0);
}

/** @param {Change} change @param {Metrics} metrics */
const isForReaders = ({ cacheSizeGB }, metrics) =>
  cacheSizeGB !== undefined &&
  (readingPagesTime(metrics)?.threads ?? 0) >= (evictionLoss(metrics)?.threads ?? 0);

/** A larger cache for readers. @param {Change} change @param {Metrics} metrics */
function byReads({ cacheSizeGB = 0 }, metrics) {
  const loss = readingPagesTime(metrics);
  const left = readsLeft(metrics, cacheSizeGB * GiB);
  if (loss === undefined || left === null || !metrics['cache.pagesReadPerSec']) return null;
  const gain = (/** @type {number} */ share) => speedupAt(loss.share * (1 - share));
  const high = gain(left ** HOT_POWER);
  const ratio = Math.min(gain(left), maxAtDisk(metrics, cacheSizeGB * GiB, left));
  return { ratio, low: 1 + (ratio - 1) * READS_LOW, high };
}

/**
 * A disk at its limit serves as many requests as before, and what is written needs its part of them.
 * @param {Metrics} metrics
 * @param {number} cacheBytes
 * @param {number} left share of the page reads that stay
 */
function maxAtDisk(metrics, cacheBytes, left) {
  const { 'cache.pagesReadPerSec': reads = 0, 'eviction.modifiedPagesPerSec': writes = 0 } =
    metrics;
  if (!arePagesAtLimit(metrics)) return Infinity;
  return (reads + writes) / (reads * left + writes * writesLeft(metrics, cacheBytes));
}

/**
 * Estimates the remaining writes: as many as before in a cache that just holds the data, hardly any
 * where all of it may be dirty, and evenly in between: x 3.0, 4.2, 4.3 and 6.5 from 0.5 to 1.5 GiB
 * of 2 (docs/evidence/advice.md).
 * @param {Metrics} metrics
 * @param {number} cacheBytes
 */
function writesLeft(metrics, cacheBytes) {
  const [need, all] = [needBytes(metrics), allDirtyBytes(metrics)];
  if (need === undefined || all === undefined || all <= need) return 1;
  return Math.min(1, Math.max(0, (all - cacheBytes) / (all - need)));
}

/**
 * Estimates the effect of a change that takes eviction off the clients.
 * @param {Change} change
 * @param {Metrics} metrics
 */
function byEviction(change, metrics) {
  const loss = evictionLoss(metrics);
  const ratio = loss && ratioOf(change, metrics, loss.share);
  if (!loss || ratio === undefined) return null;
  const high = speedupAt(loss.share);
  return { ratio: Math.min(ratio, high), low: NOTHING_LOW, high };
}

/**
 * @param {Change} change
 * @param {Metrics} metrics
 * @param {number} share of the clients' time that goes into eviction
 */
function ratioOf(change, metrics, share) {
  const now = metrics['cache.maxBytes'];
  if (change.cacheSizeGB !== undefined)
    return now === undefined
      ? undefined
      : WRITE_GAIN_OF_TWICE ** Math.log2((change.cacheSizeGB * GiB) / now);
  if (change.evictionThreadsMax !== undefined) return byThreads(change, metrics, share);
  return byTrigger(change, metrics);
}

/** @param {Change} change @param {Metrics} metrics @param {number} share */
const byThreads = ({ evictionThreadsMax = 0 }, metrics, share) =>
  evictionThreadsMax > (threadsNow(metrics) ?? Infinity)
    ? speedupAt(share * THREADS_SHARE)
    : undefined;

/** @param {Change} change @param {Metrics} metrics */
function byTrigger(change, metrics) {
  const { isLowered, triggerRatio } = dirtyLimit(metrics);
  if (isLowered && changesTrigger(change)) return LOWERED_TRIGGER;
  const { evictionDirtyTrigger: percent = 0 } = change;
  return percent / 100 > (triggerRatio ?? Infinity) ? RAISED_TRIGGER : undefined;
}

/** @param {Change} change */
const changesTrigger = ({ evictionDirtyTrigger: dirty = 0, evictionUpdatesTrigger: updates }) =>
  dirty / 100 >= DEFAULT_TRIGGER_RATIO || updates === FOLLOWS_DIRTY;

/**
 * Limits the estimate by CPU time: by what mongod uses now, and by what would be left of it without
 * page reads.
 * @param {Expected} expected
 * @param {Metrics} metrics
 * @param {number} saved the share of mongod's CPU time that page reads cost
 * @returns {Expected}
 */
function capped(expected, metrics, saved) {
  const cpuRatio = metrics['process.cpuRatio'] ?? 0;
  const ratio = Math.min(expected.ratio, maxSpeedup(metrics));
  const high = Math.min(expected.high, maxSpeedup({ 'process.cpuRatio': cpuRatio * (1 - saved) }));
  const gain = expected.ratio - 1;
  // The lower bound keeps its share of the gain.
  const low = gain > 0 ? 1 + ((expected.low - 1) * (ratio - 1)) / gain : expected.low;
  return { ratio, low: Math.min(expected.low, low, ratio), high };
}

module.exports = { expectedOf };
