'use strict';

const { makeWindow, delta } = require('../../server/pure/window');
const { metricsOf } = require('../../server/pure/metrics');
const { NO_FACTS } = require('../../server/pure/facts');
const { between, percentileMs } = require('../../server/pure/latency-histogram');
const { MS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { Histograms } from '../../server/pure/latency-histogram'
 * @import { Metric } from '../../server/pure/metrics'
 * @import { Sample } from '../../server/pure/sample'
 * @import { Side } from './schedule'
 */

/**
 * A block of a trial in figures: one number each for the whole block. The seconds inside it depend
 * on each other, so that none of them counts by itself.
 *
 * @typedef {Record<TrialMetric, number | null> & { evictingMsPerSec: number |
 *   null, waitingMsPerSec: number | null, checkpointRatio: number | null, checkpointMs: number |
 *   null, usedRatio: number | null, dirtyRatio: number | null, errorsPerSec: number | null }}
 *   Figures `evictingMsPerSec`, `waitingMsPerSec`: time of all clients together that goes into
 *   evicting, and into waiting for free space in the cache; `checkpointRatio`: share of the time
 *   with a checkpoint; `checkpointMs`: the longest that ended here
 * @typedef {{
 *   number: number, pair: number, setting: Side, at: Date, seconds: number,
 *   washOutSeconds: number, settled?: boolean
 * } & Figures} Block `settled`: false where
 *   the cache had not become what the setting makes of it when counting began
 */

/**
 * @param {readonly Sample[]} samples the samples of one block
 * @param {Histograms} before
 * @param {Histograms} after
 * @returns {Figures} null for a figure that is not known
 */
function figuresOf(samples, before, after) {
  const window = makeWindow(samples);
  const metrics = metricsOf(window, NO_FACTS);
  const known = (/** @type {Metric} */ name) => metrics[name] ?? null;
  const [reads, writes] = [
    between(before.reads, after.reads),
    between(before.writes, after.writes),
  ];
  return {
    opsPerSec: known('ops.perSec'),
    readsPerSec: known('ops.readsPerSec'),
    writesPerSec: known('ops.writesPerSec'),
    readLatencyMs: known('ops.readLatencyMs'),
    readP50Ms: percentileMs(reads, 0.5),
    readP95Ms: percentileMs(reads, 0.95),
    readP99Ms: percentileMs(reads, 0.99),
    writeLatencyMs: known('ops.writeLatencyMs'),
    writeP50Ms: percentileMs(writes, 0.5),
    writeP95Ms: percentileMs(writes, 0.95),
    writeP99Ms: percentileMs(writes, 0.99),
    evictingMsPerSec: times(known('clients.evictingThreads'), MS_PER_SECOND),
    waitingMsPerSec: times(known('clients.waitingThreads'), MS_PER_SECOND),
    checkpointRatio: known('checkpoint.runningShare'),
    checkpointMs: delta(window, 'checkpoint.count') ? known('checkpoint.windowMaxMs') : null,
    usedRatio: known('cache.usedRatio'),
    dirtyRatio: known('cache.dirtyRatio'),
    errorsPerSec: known('errors.perSec'),
  };
}

/** @param {number | null} value @param {number} factor */
const times = (value, factor) => (value === null ? null : value * factor);

/**
 * The metrics that a trial can compare, each with the direction that is better.
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

/** Metrics shown beside the one that decides: they say what else B did. */
const SHOWN_BESIDE = Object.freeze([
  'opsPerSec',
  'readLatencyMs',
  'readP95Ms',
  'readP99Ms',
  'writeLatencyMs',
  'writeP95Ms',
  'writeP99Ms',
]);

module.exports = { figuresOf, TRIAL_METRICS, TRIAL_METRIC_NAMES, SHOWN_BESIDE };
