'use strict';

const { bytes, duration, percent, MS_PER_SECOND } = require('../base/pure/units');
const { inCacheBytes, NEAR_TARGET_RATIO, TARGET_SHARE } = require('./cache');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Recognizes a cache that is still being filled, such as after a start: pages come in and stay, so
 * that reads become fewer by themselves.
 */

// At most this share of the pages that are read is evicted again, or the cache does not keep them
// (heuristic, as in cache.js).
const KEPT_RATIO = 0.5;
// At least this share of what is read stays in the cache, or something else takes it (heuristic).
const GROWTH_RATIO = 0.25;
// Data of which so much is inside leaves too little to be read.
const INSIDE_RATIO = 0.95;
// Seconds; what takes longer than a day is no warming up.
const MAX_SECONDS = 86_400;

/**
 * @typedef {{ usedRatio: number, perSec: number, seconds: number, untilBytes: number }} Warming
 *   `seconds`: until the cache is as full as it gets, at the pace of now, in bytes a second
 */

/** @param {Metrics} metrics @returns {Warming | null} null: it does not warm up, or that is not known */
function warmingOf(metrics) {
  const {
    'cache.maxBytes': max,
    'cache.usedBytes': used,
    'cache.usedGrowthPerSec': perSec,
    'cache.readBytesPerSec': read,
  } = metrics;
  if (max === undefined || used === undefined || !perSec || read === undefined) return null;
  const untilBytes = asFullAsItGets(metrics, max);
  const seconds = (untilBytes - used) / perSec;
  const isBelow = used < Math.min(untilBytes - max * NEAR_TARGET_RATIO, untilBytes * INSIDE_RATIO);
  return isBelow && perSec >= read * GROWTH_RATIO && keepsPages(metrics) && seconds <= MAX_SECONDS
    ? { usedRatio: used / max, perSec, seconds, untilBytes }
    : null;
}

/** The target, or all data. @param {Metrics} metrics @param {number} max */
const asFullAsItGets = (metrics, max) =>
  Math.min(
    max * (metrics['config.targetRatio'] ?? TARGET_SHARE),
    inCacheBytes(metrics) ?? Infinity,
  );

/** Dirty pages are written and mostly stay. @param {Metrics} metrics */
function keepsPages({
  'eviction.pagesPerSec': evicted,
  'eviction.modifiedPagesPerSec': modified = 0,
  'cache.pagesReadPerSec': read,
}) {
  return evicted !== undefined && read !== undefined && evicted - modified < read * KEPT_RATIO;
}

/** @param {Warming} warming @returns {string} a sentence */
const warmingWords = ({ usedRatio, perSec, seconds, untilBytes }) =>
  `The cache is warming up: ${percent(usedRatio)} is used, and it grows by ${bytes(perSec)}/s; ` +
  `at that pace it holds ${bytes(untilBytes)}, as much as it gets, in about ` +
  `${duration(seconds * MS_PER_SECOND)}.`;

module.exports = { warmingOf, warmingWords };
