'use strict';

const { DEFAULT_SYNCDELAY_SECONDS } = require('../server/pure/facts');
const { bytes, MiB } = require('../base/pure/units');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

// Stalls that cost less than this share of the time are no bottleneck (heuristic).
const MIN_STALL = 0.05;
// Share of the stall inside checkpoints that makes them the cause. Where the operating
// system's writeback was it, half of it was inside (docs/evidence/stalls.md).
const INSIDE_RATIO = 0.8;

/** @param {Metrics} metrics @returns {boolean} */
const isStalled = (metrics) => (metrics['stalls.share'] ?? 0) >= MIN_STALL;

// A checkpoint that is the cause writes pages meanwhile. Where it had written all of them a second
// before, and then waited six for the disk to take what the kernel had let accumulate, all others
// did so too (docs/evidence/stalls.md) (heuristic).
const QUIET_RATIO = 0.5;

/**
 * @param {Metrics} metrics
 * @returns {boolean} the engine wrote nothing meanwhile: its checkpoint, if there was one, waited
 *   for the disk itself
 */
const isStalledInQuiet = (metrics) =>
  isStalled(metrics) && (metrics['stalls.quietRatio'] ?? 0) >= QUIET_RATIO;

// Share of the stalls' time with clients waiting for the cache; below it the cache is not why
// (heuristic).
const MOSTLY_WAITING_RATIO = 0.5;

/** @param {Metrics} metrics @returns {boolean} known to be so: most of the stall passes without it */
const isStalledWithoutCacheWait = (metrics) =>
  isStalled(metrics) && (metrics['stalls.cacheWaitRatio'] ?? 1) < MOSTLY_WAITING_RATIO;

/** @param {Metrics} metrics @returns {boolean} */
const isStalledByCheckpoint = (metrics) =>
  isStalled(metrics) &&
  (metrics['stalls.inCheckpointRatio'] ?? 0) >= INSIDE_RATIO &&
  !isStalledInQuiet(metrics);

// While a checkpoint runs the server must do no more than half of its usual work; a third less is
// normal under load (heuristic).
const SLOWED_RATIO = 0.5;

/**
 * Whether checkpoints delay operations: between them work is as usual, and a wait meanwhile, such
 * as for the journal, is behind what they write. A disk at its limit delays as much at any time.
 * @param {Metrics} metrics
 * @returns {boolean}
 */
const isHeldByCheckpoint = (metrics) =>
  isStalledByCheckpoint(metrics) && (metrics['checkpoint.paceRatio'] ?? 1) <= SLOWED_RATIO;

/**
 * Stalls by the kernel: it accumulates dirty pages and writes all of them at once, and a journal
 * sync waits behind that. Seen where the dirty page cache falls by half during the stall.
 */

// Most of the stall's time (heuristic).
const MOSTLY_RATIO = 0.5;
// The sizes that were measured, both at 25 MB/s: 16 MiB is what such a disk writes in two thirds of
// a second (docs/evidence/stalls.md).
const MIN_BYTES = 16 * MiB;
const MAX_BYTES = 64 * MiB;
// These accumulate in a stall that the kernel causes (server/pure/machine.js).
const MIN_PEAK_BYTES = 8 * MiB;
const BACKGROUND_SECONDS = 2 / 3;
// vm.dirty_bytes to vm.dirty_background_bytes, as measured.
const LIMIT_FACTOR = 8;
const [USUAL, FOR_SLOW] = [MAX_BYTES, MIN_BYTES].map((background) =>
  Object.freeze({ background, limit: background * LIMIT_FACTOR }),
);

/** @param {Metrics} metrics @returns {boolean} known to be so */
const isByWriteback = (metrics) => (metrics['stalls.inWritebackRatio'] ?? 0) >= MOSTLY_RATIO;

/** @param {Metrics} metrics @returns {boolean} known to be something else */
const isOtherThanWriteback = (metrics) => (metrics['stalls.inWritebackRatio'] ?? 1) < MOSTLY_RATIO;

/** @param {Metrics} metrics @returns {{ background: number, limit: number }} bytes */
function dirtyBytes({
  'disk.writtenBytesPerSecMax': perSec = 0,
  'writeback.dirtyPageBytesMax': peak = MAX_BYTES,
}) {
  const wanted = Math.min(MAX_BYTES, Math.max(MIN_BYTES, perSec * BACKGROUND_SECONDS));
  // Above what accumulates it would never begin.
  const background = Math.min(
    2 ** Math.round(Math.log2(wanted)),
    2 ** Math.floor(Math.log2(Math.max(MIN_PEAK_BYTES, peak))),
  );
  return { background, limit: background * LIMIT_FACTOR };
}

/**
 * @param {Metrics} metrics
 * @param {number} limit bytes
 * @returns {boolean} writers are known to be stopped there, or earlier
 */
const isEarlyAlready = ({ 'writeback.limitBytes': now = Infinity }, limit) => now <= limit;

/** @param {Metrics} metrics known to be as early as on any disk @returns {string[]} */
function alreadyEarly({ 'writeback.limitBytes': now = 0 }) {
  const lower =
    now > FOR_SLOW.limit
      ? ' On a disk slower than 50 MB/s a lower limit did better: sysctl -w ' +
        `vm.dirty_background_bytes=${FOR_SLOW.background} vm.dirty_bytes=${FOR_SLOW.limit}`
      : ' A lower limit would not help: use a faster disk, or reduce writes.';
  return [`The kernel already blocks writers at ${bytes(now)} of dirty page cache.${lower}`];
}

/** @param {Metrics} metrics @returns {string[]} what to do about it */
function writebackRemedy(metrics) {
  const { background, limit } = dirtyBytes(metrics);
  if (isEarlyAlready(metrics, limit)) return alreadyEarly(metrics);
  return [
    `The kernel accumulated up to ${bytes(metrics['writeback.dirtyPageBytesMax'])} of dirty page ` +
      'cache and wrote it in one burst. On the server host: sysctl -w ' +
      `vm.dirty_background_bytes=${background} vm.dirty_bytes=${limit}`,
    'Measured on a 25 MB/s disk: 64 and 512 MiB cut the 95th percentile of a write to a quarter, ' +
      '16 and 128 MiB to a tenth. The longest stall fell from 3 to 6 s to 1 s, at the same ' +
      'throughput. This disables vm.dirty_background_ratio and vm.dirty_ratio; set those two ' +
      'again to revert.',
  ];
}

// Share of the samples with a checkpoint under way (heuristic).
const MOSTLY_RUNNING_RATIO = 0.5;

/** @param {Metrics} metrics @returns {boolean} checkpoints run most of the time since they start so often */
function isIntervalShort({
  'config.syncdelaySeconds': seconds,
  'checkpoint.runningShare': running = 0,
}) {
  return (
    seconds !== undefined &&
    seconds > 0 &&
    seconds < DEFAULT_SYNCDELAY_SECONDS &&
    running > MOSTLY_RUNNING_RATIO
  );
}

module.exports = {
  MIN_STALL,
  isStalled,
  isStalledInQuiet,
  isStalledWithoutCacheWait,
  isStalledByCheckpoint,
  isHeldByCheckpoint,
  SLOWED_RATIO,
  isByWriteback,
  isOtherThanWriteback,
  isEarlyAlready,
  alreadyEarly,
  dirtyBytes,
  writebackRemedy,
  USUAL,
  FOR_SLOW,
  isIntervalShort,
};
