'use strict';

const { secondsText } = require('../base/pure/units');
const { hasData, majorityLagSeconds } = require('../server/pure/replica-set');
const { lossOf, isSevereAsEviction } = require('./clients');

/**
 * @import { SetView, SetPlace } from '../server/pure/types'
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Row } from '../server/pure/replica-set'
 * @import { Loss } from './clients'
 */

/**
 * Judges how long old versions are kept: for an open transaction, or for readers at a past time.
 */

// Seconds, twice minSnapshotHistoryWindowInSeconds: a server keeps the window itself on purpose
// (heuristic).
const WINDOW_SECONDS = 300;
const LONG_SECONDS = 2 * WINDOW_SECONDS;
// The range grows as fast as the clock where its old end does not move; half as fast may be chance
// (heuristic).
const STANDING_RATIO = 0.5;

// Transaction ids pinned: 0 to 83 under every other load measured, 28,749 with a snapshot held open
// (docs/evidence/pinned-snapshot.md).
const PINNED_IDS = 10_000;
// On a server with many writes that is a moment. Transactions end after 60 s by default; half of
// that is long (heuristic).
const PINNED_SECONDS = 30;
// A snapshot that was open for much of the window, not for one sample of many (heuristic).
const SUSTAINED_RATIO = 0.25;

// Share of the cache that old versions take from the data (heuristic).
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
 * The number of ids grows with the writes, so it shows its age.
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

/**
 * A majority of the replica set that lags behind this primary: it keeps old versions for it, and
 * flow control lets writers wait.
 */

/**
 * @param {Metrics} metrics
 * @returns {Loss | undefined} application threads that wait for a permit to write
 */
const throttlingLoss = (metrics) =>
  metrics['flowControl.laggedShare'] ? lossOf(metrics, 'clients.throttledThreads') : undefined;

/** @param {Metrics} metrics @returns {boolean} */
const isThrottlingSevere = (metrics) => isSevereAsEviction(throttlingLoss(metrics));

/**
 * Members that hold back the majority point of a set: versions younger than it must be kept by
 * every member, and writes with w: "majority" wait for it.
 */

// Flow control begins to throttle writers at flowControlTargetLagSeconds (10) ×
// flowControlThresholdLagPercentage (0.5).
const MAJORITY_LAG_SECONDS = 5;
// flowControlTargetLagSeconds: what a set is expected to stay below.
const LAG_SECONDS = 10;

/**
 * Beyond the window that servers keep on purpose, old versions only accumulate because of the lag.
 */
const SEVERE_SECONDS = WINDOW_SECONDS;

/**
 * @param {SetView} set
 * @returns {{ seconds: number, members: Row[] } | null} null where the majority is near enough, or
 *   it is not known; `members`: the furthest
 *   behind first, each of which would move the point by catching up
 */
function majorityDelay(set) {
  const seconds = majorityLagSeconds({ ...set, members: [...set.rows], notes: [] });
  if (seconds === null || seconds < MAJORITY_LAG_SECONDS) return null;
  const members = set.rows.filter((row) => hasData(row) && row.votes !== 0 && isBehind(row));
  return { seconds, members: members.sort((a, b) => lagOf(b) - lagOf(a)) };
}

/**
 * @param {SetPlace} set
 * @returns {boolean} something in it is to be said of a lag
 */
const seemsBehind = (set) =>
  (majorityLagSeconds(set) ?? 0) >= MAJORITY_LAG_SECONDS ||
  set.members.some(
    ({ lagSeconds, delaySeconds }) =>
      (lagSeconds ?? 0) - (delaySeconds ?? 0) >= MAJORITY_LAG_SECONDS,
  );

/** This applies to a set of a primary, a secondary and an arbiter. */
const WAY_BACK_OF_VOTE =
  'Once it has caught up, give the vote back with rs.reconfigForPSASet(<index of the member>, ' +
  '<config>): rs.reconfig() in one step could lose acknowledged writes.';

/** @param {Row} row */
const isBehind = (row) => row.isUp === false || lagOf(row) >= MAJORITY_LAG_SECONDS;

/** @param {Row} row @returns {number} a member of which nothing is known is the furthest behind */
const lagOf = ({ lagSeconds, isUp }) => lagSeconds ?? (isUp === false ? Infinity : 0);

/** @param {Row} row @returns {string} `b:2 (secondary, lag 34 s)` */
function describe({ host, role, lagSeconds, delaySeconds, reached, why }) {
  const said = [
    role,
    ...(lagSeconds === null ? [] : [`lag ${secondsText(lagSeconds)}`]),
    ...(delaySeconds ? [`configured delay ${secondsText(delaySeconds)}`] : []),
    ...(reached || why === null || role === 'down' ? [] : ['not reachable']),
  ];
  return `${host} (${said.join(', ')})`;
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
  throttlingLoss,
  isThrottlingSevere,
  majorityDelay,
  seemsBehind,
  describe,
  MAJORITY_LAG_SECONDS,
  LAG_SECONDS,
  SEVERE_SECONDS,
  WAY_BACK_OF_VOTE,
};
