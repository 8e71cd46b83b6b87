'use strict';

// @ts-expect-error It comes without types.
const { jStat } = require('jstat');

/**
 * Whether something grows: the straight line through all samples, with the interval in which its
 * slope lies (95%).
 * @typedef {{ perThousand: number, low: number, high: number, from: number, to: number }} Slope of
 *   a thousand rounds; `from`, `to`: the line at both ends
 */

const CONFIDENCE = 0.95;
const PER = 1000;

/**
 * @param {readonly number[]} rounds @param {readonly number[]} values at them; three at least
 * @returns {Slope}
 */
function slopeOf(rounds, values) {
  const n = rounds.length;
  const [meanX, meanY] = [mean(rounds), mean(values)];
  const spread = sum(rounds.map((x) => (x - meanX) ** 2));
  const slope = sum(rounds.map((x, i) => (x - meanX) * (values[i] - meanY))) / spread;
  const rest = sum(values.map((y, i) => (y - meanY - slope * (rounds[i] - meanX)) ** 2));
  const error = Math.sqrt(rest / (n - 2) / spread);
  const reach = jStat.studentt.inv(1 - (1 - CONFIDENCE) / 2, n - 2) * error;
  const at = (/** @type {number} */ x) => meanY + slope * (x - meanX);
  return {
    perThousand: slope * PER,
    low: (slope - reach) * PER,
    high: (slope + reach) * PER,
    from: at(rounds[0]),
    to: at(rounds[n - 1]),
  };
}

/** @param {readonly number[]} list */
const sum = (list) => list.reduce((a, b) => a + b, 0);
/** @param {readonly number[]} list */
const mean = (list) => sum(list) / list.length;

module.exports = { slopeOf };
