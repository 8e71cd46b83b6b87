'use strict';

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * How far back versions are kept: for a transaction that is still open, or for those who may still
 * read at a past time.
 */

// minSnapshotHistoryWindowInSeconds: a server keeps so much on purpose. Twice that is no longer the
// window alone; ours.
const WINDOW_SECONDS = 300;
const LONG_SECONDS = 2 * WINDOW_SECONDS;
// The range grows as fast as the clock where its old end stands still; half as fast may be chance.
// Ours.
const STANDING_RATIO = 0.5;

// Transaction ids pinned: 0 to 83 under every other load measured, 28,749 with a snapshot held open
// (docs/evidence/pinned-snapshot.md).
const PINNED_IDS = 10_000;
// On a server with many writes that is a moment. Transactions end after 60 s by default; half of
// that is long. Ours.
const PINNED_SECONDS = 30;
// A snapshot that was open for much of the window, not for one sample of many; ours.
const SUSTAINED_RATIO = 0.25;

// Old versions that take a quarter of the cache take it from the data; ours, after what MongoDB's
// support looks at.
const LARGE_RATIO = 0.25;

/**
 * @param {Metrics} metrics
 * @returns {boolean} more is kept than the window, and the oldest does not move on
 */
function doTimestampsStand({
  'transaction.pinnedSeconds': pinned = 0,
  'transaction.pinnedSecondsGrown': grown,
  'window.seconds': seconds = 0,
}) {
  return (
    pinned > LONG_SECONDS && seconds > 0 && grown !== undefined && grown >= seconds * STANDING_RATIO
  );
}

/** @param {Metrics} metrics @returns {number} a second, by clients or replicated */
const writesPerSec = ({ 'ops.writesPerSec': own = 0, 'ops.replicatedPerSec': replicated = 0 }) =>
  Math.max(own, replicated);

/**
 * The number of ids grows with the writes, so they tell its age.
 * @param {Metrics} metrics
 * @returns {number | undefined} seconds; undefined where nothing is written
 */
function snapshotSeconds(metrics) {
  const perSec = writesPerSec(metrics);
  return perSec === 0 ? undefined : (metrics['transaction.pinnedIdsMax'] ?? 0) / perSec;
}

/**
 * @param {Metrics} metrics
 * @returns {boolean} a snapshot was open for long, and for much of the window
 */
function isSnapshotOld(metrics) {
  const { 'transaction.pinnedIdsMax': max = 0, 'transaction.pinnedIds': usual = 0 } = metrics;
  return (
    max >= PINNED_IDS &&
    usual >= max * SUSTAINED_RATIO &&
    (snapshotSeconds(metrics) ?? 0) >= PINNED_SECONDS
  );
}

module.exports = {
  doTimestampsStand,
  writesPerSec,
  snapshotSeconds,
  isSnapshotOld,
  WINDOW_SECONDS,
  LONG_SECONDS,
  LARGE_RATIO,
  PINNED_IDS,
  PINNED_SECONDS,
  SUSTAINED_RATIO,
};
