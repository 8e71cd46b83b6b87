'use strict';

/**
 * @import { Status } from './status'
 */

/**
 * Mean application threads blocked by the cache; above it clients notice
 * (docs/evidence/client-threads.md).
 */
const HEALTHY_THREADS = 0.05;
/** As the rule page-reads: from here on a person should know. */
const WARNING_THREADS = 0.5;

/**
 * Evicting and waiting for the cache are counted by two counters that overlap: the larger counts.
 * @param {Status['clients']} clients
 * @returns {number | null} mean threads; null where none of them is reported
 */
function blockedThreads({ readingThreads, evictingThreads, waitingThreads }) {
  const known = [readingThreads, evictingThreads, waitingThreads].filter((n) => n !== null);
  return known.length === 0
    ? null
    : (readingThreads ?? 0) + Math.max(evictingThreads ?? 0, waitingThreads ?? 0);
}

/**
 * @param {number | null} blocked mean threads
 * @returns {'ok' | 'warning' | null} null: not known, or neither
 */
function blockedStatus(blocked) {
  if (blocked === null || (blocked > HEALTHY_THREADS && blocked < WARNING_THREADS)) return null;
  return blocked < WARNING_THREADS ? 'ok' : 'warning';
}

module.exports = { blockedThreads, blockedStatus };
