'use strict';

const { duration } = require('../base/pure/units');
const { hasData, majorityLagSeconds } = require('../server/pure/replica-set');
const { WINDOW_SECONDS } = require('./pinned');

/**
 * @import { SetLook } from '../rules/rule'
 * @import { Row, SetPlace } from '../server/pure/replica-set'
 */

/**
 * Who holds the majority point of a replica set back. Versions younger than it must be kept by
 * every member, and writes with w: "majority" wait for it.
 */

// Flow control begins to hold writers back at flowControlTargetLagSeconds (10) ×
// flowControlThresholdLagPercentage (0.5).
const MAJORITY_LAG_SECONDS = 5;
// flowControlTargetLagSeconds: what a set is expected to stay below.
const LAG_SECONDS = 10;

/** Beyond the window that servers keep on purpose, old versions pile up for nothing but the lag. */
const SEVERE_SECONDS = WINDOW_SECONDS;

/**
 * @param {SetLook} set
 * @returns {{ seconds: number, holders: Row[] } | null} null where the majority is near enough, or
 *   it is not known; `holders`: the furthest
 *   behind first, each of which would move the point by catching up
 */
function majorityHolders(set) {
  const seconds = majorityLagSeconds({ ...set, members: [...set.rows], notes: [] });
  if (seconds === null || seconds < MAJORITY_LAG_SECONDS) return null;
  const holders = set.rows.filter((row) => hasData(row) && row.votes !== 0 && isBehind(row));
  return { seconds, holders: holders.sort((a, b) => lagOf(b) - lagOf(a)) };
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

/** @param {Row} row */
const isBehind = (row) => row.isUp === false || lagOf(row) >= MAJORITY_LAG_SECONDS;

/** @param {Row} row @returns {number} a member of which nothing is known is the furthest behind */
const lagOf = ({ lagSeconds, isUp }) => lagSeconds ?? (isUp === false ? Infinity : 0);

/** @param {Row} row @returns {string} `b:2 (secondary, 34 s behind)` */
function describe({ host, role, lagSeconds, delaySeconds, reached, why }) {
  const said = [
    role,
    ...(lagSeconds === null ? [] : [`${duration(lagSeconds * 1000)} behind`]),
    ...(delaySeconds ? [`delayed by ${duration(delaySeconds * 1000)} on purpose`] : []),
    ...(reached || why === null || role === 'down' ? [] : ['does not answer']),
  ];
  return `${host} (${said.join(', ')})`;
}

module.exports = {
  majorityHolders,
  seemsBehind,
  describe,
  MAJORITY_LAG_SECONDS,
  LAG_SECONDS,
  SEVERE_SECONDS,
};
