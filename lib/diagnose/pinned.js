'use strict';

/**
 * How far back versions are kept for those who may still read at a past time.
 * @typedef {import('../model/readings').Readings} Readings
 */

// minSnapshotHistoryWindowInSeconds: a server keeps so much on purpose. Twice that is no longer the window alone; ours.
const WINDOW_SECONDS = 300;
const LONG_SECONDS = 2 * WINDOW_SECONDS;
// The range grows as fast as the clock where its old end stands still; half as fast may be chance. Ours.
const STANDING_RATIO = 0.5;

/** @param {Readings} readings @returns {boolean} more is kept than the window, and the oldest does not move on */
function doTimestampsStand({ 'transaction.pinnedSeconds': pinned = 0, 'transaction.pinnedSecondsGrown': grown, 'window.seconds': seconds = 0 }) {
  return pinned > LONG_SECONDS && seconds > 0 && grown !== undefined && grown >= seconds * STANDING_RATIO;
}

module.exports = { doTimestampsStand, WINDOW_SECONDS, LONG_SECONDS };
