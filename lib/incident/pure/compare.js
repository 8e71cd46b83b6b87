'use strict';

/**
 * @import { ComparedHour, FeatureRows, RecordedMember } from '../types'
 */

/** What is compared, by the name of the feature. */
const METRICS = Object.freeze([
  'opsPerSec',
  'latencyMs',
  'blockedThreads',
  'dirtyRatio',
  'usedRatio',
  'connections',
  'ttlPerSec',
  'majorityLagSeconds',
]);

/**
 * The same hour of a normal day beside this one.
 * @param {RecordedMember} now
 * @param {RecordedMember} normal
 * @returns {ComparedHour}
 */
const comparedHours = (now, normal) => ({
  from: new Date(normal.fromMs),
  to: new Date(normal.toMs),
  samples: { now: now.samples, normal: normal.samples },
  rows: METRICS.map((metric) => {
    const [here, there] = [figures(now.rows, metric), figures(normal.rows, metric)];
    const ratio =
      here.mean === null || there.mean === null || there.mean === 0 ? null : here.mean / there.mean;
    return {
      metric,
      now: here.mean,
      normal: there.mean,
      ratio,
      maxNow: here.max,
      maxNormal: there.max,
    };
  }),
});

/** @param {FeatureRows} rows @param {string} name */
function figures({ columns }, name) {
  let [sum, known, max] = [0, 0, -Infinity];
  for (const value of columns[name] ?? []) {
    if (Number.isNaN(value)) continue;
    sum += value;
    known++;
    max = Math.max(max, value);
  }
  return known === 0 ? { mean: null, max: null } : { mean: sum / known, max };
}

module.exports = { comparedHours };
