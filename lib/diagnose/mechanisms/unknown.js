'use strict';

const { count, duration, many } = require('../../base/pure/units');
const {
  isReadingPagesSevere,
  isEvictionSevere,
  readingPagesTime,
  evictionDoing,
  evictionLoss,
  isQueueSevere,
  areCpusUnknown,
} = require('../../signals/clients');
const { isStalled } = require('../../signals/stalls');
const { unexplainedAccount } = require('../../signals/accounting');
const { HARD_SHARE } = require('../../signals/dirty-limit');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Account } from '../../signals/accounting'
 */

// Shorter windows hold a few odd operations, or half a checkpoint. Meant are three seconds; clocks
// and timers may take a part of them.
const MIN_SECONDS = 2.5;
// Writes that take this long delay clients, whatever the reason; across continents a majority
// answers sooner (heuristic).
const SLOW_WRITE_MS = 150;

/** @param {Metrics} metrics @returns {string | null} why nothing can be judged at all */
function whyBlind(metrics) {
  const { 'window.seconds': seconds = 0, 'window.samples': samples = 0 } = metrics;
  if (metrics['cache.maxBytes'] === undefined) return 'The server reports no WiredTiger cache.';
  if (samples < 2 || seconds < MIN_SECONDS)
    return (
      `Too few samples for a diagnosis (${samples} in ${count(seconds)} s). Sample for longer: ` +
      '{ seconds: 30 }.'
    );
  return metrics['ops.perSec'] === undefined
    ? 'The server does not report completed operations.'
    : null;
}

// Pages a second evicted by application threads that are no chance (heuristic).
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
    ? 'Application threads are evicting, but this release does not report the time it takes.'
    : null;
}

/**
 * @param {Metrics} metrics
 * @returns {string | null} what is wrong although no mechanism explains it
 */
function whatIsUnexplained(metrics) {
  const [reading, eviction] = [readingPagesTime(metrics), evictionLoss(metrics)];
  if (reading === undefined || eviction === undefined)
    return 'This release does not report the time application threads wait for the cache.';
  if (isEvictionSevere(metrics))
    return `Cause not found: ${many(eviction.threads, 'application thread')} ${evictionDoing(metrics)} on average.`;
  if (isReadingPagesSevere(metrics))
    return `Cause not found: ${many(reading.threads, 'application thread')} reading pages on average.`;
  if (isQueueSevere(metrics) && areCpusUnknown(metrics))
    return (
      `${many(metrics['clients.queued'], 'operation')} queued for tickets and locks on average. ` +
      'CPU use is not known, and busy CPUs also cause queues.'
    );
  if (isStalled(metrics))
    return `Cause not found: the server stalled for up to ${count(metrics['stalls.longestSeconds'])} s.`;
  if (isWritingSlow(metrics))
    return `Cause not found: a write takes ${duration(metrics['ops.writeLatencyMs'])}, not because of the cache.`;
  const account = unexplainedAccount(metrics);
  return account === null ? null : notAccounted(account);
}

/** @param {Account} account */
const notAccounted = ({ threads, unexplainedThreads }) =>
  `Cause not found: ${many(threads, 'application thread')} in the server on average, and what ` +
  `${count(unexplainedThreads)} of them wait for is not known (no known wait, and not the CPUs).`;

/** @param {Metrics} metrics @returns {boolean} */
const isWritingSlow = (metrics) =>
  (metrics['ops.writeLatencyMs'] ?? 0) >= SLOW_WRITE_MS && (metrics['clients.writing'] ?? 0) >= 1;

module.exports = { whyBlind, whyHalfBlind, whatIsUnexplained, isWritingSlow };
