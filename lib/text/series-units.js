'use strict';

const { bytes, count, duration, percent } = require('../base/pure/units');

/** A ratio is drawn from 0 to 1, everything else from 0 to its maximum. */
const RATIO = /Ratio$/;

const MS_PER_SECOND = 1000;

/** @type {[RegExp, (value: number) => string][]} */
const UNITS = [
  [RATIO, percent],
  // Time of all threads in a second: shown as their mean number.
  [/MsPerSec$/, (ms) => count(ms / MS_PER_SECOND)],
  [/Bytes/, bytes],
  [/Ms$/, duration],
];

/**
 * A value with the unit of its series.
 * @param {string} name of the series, which ends in the unit
 * @param {number} value
 * @returns {string}
 */
const showSeries = (name, value) =>
  (UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? count)(value);

/**
 * The value of a full bar.
 * @param {string} name of the series
 * @returns {number | undefined} undefined: its maximum
 */
const topOf = (name) => (RATIO.test(name) ? 1 : undefined);

/** Plain names of the series; of one that is not here, its own. */
const NAMES = Object.freeze(
  /** @type {Record<string, string>} */ ({
    readsPerSec: 'reads/s',
    writesPerSec: 'writes/s',
    opsPerSec: 'operations/s',
    readLatencyMs: 'read latency',
    writeLatencyMs: 'write latency',
    readP95Ms: 'read latency p95',
    readP99Ms: 'read latency p99',
    writeP95Ms: 'write latency p95',
    writeP99Ms: 'write latency p99',
    heldUpThreads: 'threads blocked',
    readingThreads: 'threads reading',
    evictingThreads: 'threads evicting',
    waitingThreads: 'threads waiting',
    queued: 'queued operations',
    usedRatio: 'cache used',
    dirtyRatio: 'dirty',
    updatesRatio: 'updates',
    readBytesPerSec: 'read into cache/s',
    writtenBytesPerSec: 'written/s',
    cpuCores: 'CPUs busy',
    residentBytes: 'resident memory',
    cacheBytes: 'cache used, bytes',
    evictingMsPerSec: 'threads evicting',
    waitingMsPerSec: 'threads waiting',
    checkpointRatio: 'in checkpoints',
    checkpointMs: 'last checkpoint',
  }),
);

/** @param {string} name of a series @returns {string} as a screen names it */
const seriesName = (name) => NAMES[name] ?? name;

module.exports = { showSeries, topOf, seriesName };
