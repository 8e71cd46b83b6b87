'use strict';

/**
 * @import { Sample } from '../server/pure/sample'
 */

/** Keeps a week of watching as small as ten minutes of it. */
const MAX_SAMPLES = 600;
/** Gauges whose maximum is a metric (server/pure/metrics.js). */
const PEAKS = Object.freeze(
  /** @type {const} */ ([
    'cache.usedBytes',
    'cache.dirtyBytes',
    'cache.dirtyLeafBytes',
    'cache.updatesBytes',
    'queue.readers',
    'queue.writers',
    'eviction.aggressiveScore',
    'checkpoint.lastMs',
    'tickets.readInUse',
    'tickets.writeInUse',
    'transaction.pinnedIds',
  ]),
);

/**
 * Drops what is least missed when there are too many: where samples lie closest together, so that
 * what is left is spread over all of the time. Counters stay exact (only the ends matter); the
 * first and the last sample stay, the most of each level, and what is next to a restart, so that
 * none goes unnoticed.
 * @param {Sample[]} samples changed in place
 */
function downsampleInPlace(samples) {
  while (samples.length > MAX_SAMPLES) samples.splice(minMissed(samples), 1);
}

/** @param {readonly Sample[]} samples @returns {number} a place, neither the first nor the last */
function minMissed(samples) {
  const peaks = new Set(PEAKS.map((name) => peakOf(samples, name)));
  let [found, closest] = [1, Infinity];
  for (let i = 1; i < samples.length - 1; i++) {
    const apartMs = samples[i + 1].atMs - samples[i - 1].atMs;
    if (apartMs < closest && !peaks.has(i) && !isAtRestart(samples, i))
      [found, closest] = [i, apartMs];
  }
  return found;
}

/**
 * @param {readonly Sample[]} samples
 * @param {typeof PEAKS[number]} name
 * @returns {number} the first place of the most; -1: not reported
 */
function peakOf(samples, name) {
  let [found, max] = [-1, -Infinity];
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i].counters[name];
    if (value !== undefined && value > max) [found, max] = [i, value];
  }
  return found;
}

/** @param {readonly Sample[]} samples @param {number} i */
const isAtRestart = (samples, i) =>
  beganAnew(samples[i - 1], samples[i]) || beganAnew(samples[i], samples[i + 1]);

/** @param {Sample} before @param {Sample} after */
const beganAnew = (before, after) => (after.uptimeMs ?? 0) < (before.uptimeMs ?? 0);

module.exports = { downsampleInPlace, MAX_SAMPLES };
