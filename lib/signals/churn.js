'use strict';

const {
  EVICTING_SHARE,
  HEALTHY_THREADS,
  MIN_THREADS,
  isReadingPagesSevere,
} = require('./wait-time');
const { DEFAULT_TRIGGER_RATIO, DEFAULT_TARGET_RATIO, NEAR_RATIO } = require('./dirty-limit');
const { isFarFromFull } = require('./reads');

/**
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Loss } from './wait-time'
 */

/**
 * Pages that leave a cache which is far from full leave it because they are dirty; where they are
 * read back at once, that is the dirty limit's doing as well, and its price is in the reading.
 * Inserts into three indexes did so: with 256 MB, 33 % full, 9,400 a second and 0.15 client threads
 * waiting; with 1 GB 20,200. Nobody need wait for it: half way from the dirty target to the trigger
 * eviction no longer keeps what it has written (docs/evidence/dirty-thresholds.md).
 *
 */

// Of the pages evicted; nearly all were dirty, and three of four came back. Ours.
const MODIFIED_RATIO = 0.9;
const BACK_RATIO = 0.5;

/**
 * @param {Metrics} metrics
 * @returns {Loss | undefined} what it costs the clients; undefined where it is
 *   not so, or not known
 */
function churnLoss(metrics) {
  const {
    'clients.waitingForCache': waiting = 0,
    'clients.readingPages': reading = 0,
    'clients.busy': busy = 0,
  } = metrics;
  const isItsPrice =
    waiting > HEALTHY_THREADS
      ? isNearLimit(metrics)
      : isHalfWay(metrics) && isReadingPagesSevere(metrics);
  if (!isItsPrice || !isFarFromFull(metrics) || !comesBack(metrics)) return undefined;
  return {
    threads: waiting + reading,
    share: (waiting + reading) / Math.max(waiting + reading, busy),
  };
}

/** @param {Metrics} metrics */
const isNearLimit = ({
  'cache.dirtyRatioMax': peak = 0,
  'config.dirtyTriggerRatio': trigger = DEFAULT_TRIGGER_RATIO,
}) => peak >= trigger - NEAR_RATIO;

/**
 * Below it eviction writes dirty pages and keeps them, above it they leave the cache (WiredTiger's
 * evict_lru.c, scrubbing).
 * @param {Metrics} metrics
 * @returns {number} share of the cache
 */
const halfWayRatio = ({
  'config.dirtyTargetRatio': target = DEFAULT_TARGET_RATIO,
  'config.dirtyTriggerRatio': trigger = DEFAULT_TRIGGER_RATIO,
}) => (target + trigger) / 2;

/** There it stays: what comes leaves at once. @param {Metrics} metrics */
const isHalfWay = (metrics) =>
  (metrics['cache.dirtyRatio'] ?? 0) >= halfWayRatio(metrics) - NEAR_RATIO;

/** @param {Metrics} metrics */
function comesBack({
  'eviction.pagesPerSec': evicted = 0,
  'eviction.modifiedPagesPerSec': modified = 0,
  'cache.pagesReadPerSec': read = 0,
}) {
  return evicted > 0 && modified >= evicted * MODIFIED_RATIO && read >= evicted * BACK_RATIO;
}

/** @param {Metrics} metrics @returns {boolean} */
function isChurnSevere(metrics) {
  const loss = churnLoss(metrics);
  return loss !== undefined && loss.threads >= MIN_THREADS && loss.share >= EVICTING_SHARE;
}

module.exports = { churnLoss, isChurnSevere, halfWayRatio };
