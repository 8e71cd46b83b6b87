'use strict';

const { bytes, MiB } = require('../base/pure/units');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Standstills that are the kernel's: it lets written data pile up in memory and writes all of it at
 * once, and a journal sync waits behind that. Seen where what is not yet written falls by half
 * while the server stands still.
 */

// Most of the standstill's time; ours.
const MOSTLY_RATIO = 0.5;
// The sizes that were measured, both at 25 MB/s: 16 MiB is what such a disk writes in two thirds of
// a second (docs/evidence/stalls.md).
const MIN_BYTES = 16 * MiB;
const MAX_BYTES = 64 * MiB;
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
function dirtyBytes({ 'disk.writtenBytesPerSecMax': perSec = 0 }) {
  const wanted = Math.min(MAX_BYTES, Math.max(MIN_BYTES, perSec * BACKGROUND_SECONDS));
  const background = 2 ** Math.round(Math.log2(wanted));
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
      ? ' On a disk slower than 50 MB/s less did better: sysctl -w ' +
        `vm.dirty_background_bytes=${FOR_SLOW.background} vm.dirty_bytes=${FOR_SLOW.limit}`
      : ' Less would not help; a faster disk, or fewer writes, would.';
  return [`The kernel stops writers at ${bytes(now)} of unwritten data already.${lower}`];
}

/** @param {Metrics} metrics @returns {string[]} what to do about it */
function writebackRemedy(metrics) {
  const { background, limit } = dirtyBytes(metrics);
  if (isEarlyAlready(metrics, limit)) return alreadyEarly(metrics);
  return [
    `The kernel let up to ${bytes(metrics['writeback.dirtyPageBytesMax'])} of written data ` +
      `pile up and then wrote it in one go. On the server's machine: sysctl -w ` +
      `vm.dirty_background_bytes=${background} vm.dirty_bytes=${limit}`,
    'On a disk of 25 MB/s 64 and 512 MiB brought the 95th percentile of a write down to a ' +
      'quarter, 16 and 128 MiB to a tenth, and the longest standstill from 3 to 6 s to 1 s, at ' +
      'the same throughput. This switches vm.dirty_background_ratio and vm.dirty_ratio off; ' +
      'setting those two again takes it back.',
  ];
}

module.exports = {
  isByWriteback,
  isOtherThanWriteback,
  isEarlyAlready,
  alreadyEarly,
  dirtyBytes,
  writebackRemedy,
  USUAL,
  FOR_SLOW,
};
