'use strict';

const { count, duration } = require('../../base/pure/units');
const {
  isReadingPagesSevere,
  isEvictionSevere,
  readingPagesTime,
  evictionLoss,
  isQueueSevere,
  areProcessorsUnknown,
} = require('../../signals/clients');
const { isStalled } = require('../../signals/stalls');
const { HARD_SHARE } = require('../../signals/dirty-limit');
const { many } = require('../../signals/words');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 */

// Shorter windows hold a few odd operations, or half a checkpoint. Meant are three seconds; clocks
// and timers may take a part of them.
const MIN_SECONDS = 2.5;
// Writes that take this long hold clients back, whatever the reason; across continents a majority
// answers sooner (heuristic).
const SLOW_WRITE_MS = 150;

/** @param {Metrics} metrics @returns {string | null} why nothing can be judged at all */
function whyBlind(metrics) {
  const { 'window.seconds': seconds = 0, 'window.samples': samples = 0 } = metrics;
  if (metrics['cache.maxBytes'] === undefined)
    return 'The server told nothing of its WiredTiger cache.';
  if (samples < 2 || seconds < MIN_SECONDS)
    return (
      `${many(samples, 'sample')} in ${count(seconds)} s ${samples === 1 ? 'is' : 'are'} too ` +
      'few for a verdict; look for 30 s: tune.advise({ seconds: 30 })'
    );
  return metrics['ops.perSec'] === undefined
    ? 'The server did not report how many operations it completes.'
    : null;
}

// Pages a second evicted by clients that are no chance (heuristic).
const EVICTED_PER_SEC = 1;

/**
 * Application threads evict, and the time that costs is not reported: other signs may come from it.
 * @param {Metrics} metrics @returns {string | null}
 */
function whyHalfBlind(metrics) {
  if (evictionLoss(metrics) !== undefined) return null;
  const {
    'cache.hardShare': full = 0,
    'cache.dirtyHardShare': dirty = 0,
    'cache.updatesHardShare': updates = 0,
    'eviction.appPagesPerSec': pages = 0,
  } = metrics;
  return Math.max(full, dirty, updates) >= HARD_SHARE || pages >= EVICTED_PER_SEC
    ? 'Application threads are made to evict, and this server does not report how much of their time that takes.'
    : null;
}

/**
 * @param {Metrics} metrics
 * @returns {string | null} what is wrong although no mechanism explains it
 */
function whatIsUnexplained(metrics) {
  const [reading, eviction] = [readingPagesTime(metrics), evictionLoss(metrics)];
  if (reading === undefined || eviction === undefined)
    return 'This server does not report how long its clients wait for the cache.';
  if (isEvictionSevere(metrics))
    return (
      `Clients spend ${many(eviction.threads, 'thread')} evicting, and no mechanism known to ` +
      'tune explains it.'
    );
  if (isReadingPagesSevere(metrics))
    return (
      `Clients spend ${many(reading.threads, 'thread')} reading pages, and no mechanism known ` +
      'to tune explains it.'
    );
  if (isQueueSevere(metrics) && areProcessorsUnknown(metrics))
    return (
      `The queue for tickets and locks is ${many(metrics['clients.queued'], 'operation')} ` +
      'long on average, and how busy the CPUs are is not known: queues form before busy ' +
      'ones too.'
    );
  if (isStalled(metrics))
    return (
      `The server stalled for up to ${count(metrics['stalls.longestSeconds'])} s, and no ` +
      'mechanism known to tune explains it.'
    );
  return isWritingSlow(metrics)
    ? `A write takes ${duration(metrics['ops.writeLatencyMs'])}, and the cache is not why.`
    : null;
}

/** @param {Metrics} metrics @returns {boolean} */
const isWritingSlow = (metrics) =>
  (metrics['ops.writeLatencyMs'] ?? 0) >= SLOW_WRITE_MS && (metrics['clients.writing'] ?? 0) >= 1;

module.exports = { whyBlind, whyHalfBlind, whatIsUnexplained, isWritingSlow };
