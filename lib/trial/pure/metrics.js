'use strict';

/**
 * What a trial can compare, and which way is the good one.
 * @typedef {keyof typeof TRIAL_METRICS} TrialMetric
 * @typedef {{ words: string, unit: string, higherIsBetter: boolean }} Definition
 */

/** @satisfies {Record<string, Definition>} */
const TRIAL_METRICS = Object.freeze({
  opsPerSec: { words: 'throughput', unit: 'ops/s', higherIsBetter: true },
  readsPerSec: { words: 'reads', unit: 'reads/s', higherIsBetter: true },
  writesPerSec: { words: 'writes', unit: 'writes/s', higherIsBetter: true },
  readLatencyMs: { words: 'mean read latency', unit: 'ms', higherIsBetter: false },
  readP50Ms: { words: 'median read latency', unit: 'ms', higherIsBetter: false },
  readP95Ms: { words: 'read latency, 95th percentile', unit: 'ms', higherIsBetter: false },
  readP99Ms: { words: 'read latency, 99th percentile', unit: 'ms', higherIsBetter: false },
  writeLatencyMs: { words: 'mean write latency', unit: 'ms', higherIsBetter: false },
  writeP50Ms: { words: 'median write latency', unit: 'ms', higherIsBetter: false },
  writeP95Ms: { words: 'write latency, 95th percentile', unit: 'ms', higherIsBetter: false },
  writeP99Ms: { words: 'write latency, 99th percentile', unit: 'ms', higherIsBetter: false },
});

const TRIAL_METRIC_NAMES = Object.freeze(/** @type {TrialMetric[]} */ (Object.keys(TRIAL_METRICS)));

module.exports = { TRIAL_METRICS, TRIAL_METRIC_NAMES };
