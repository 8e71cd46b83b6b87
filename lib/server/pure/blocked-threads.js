'use strict';

const { count } = require('../../base/pure/units');

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
 * Figures that add up to the blocked threads: of the two that overlap the larger one, and the other
 * as a part of it.
 * @param {Status['clients']} clients
 */
function blockedWords({ readingThreads, evictingThreads, waitingThreads }) {
  const reading = `reading pages ${count(readingThreads)}`;
  const [waiting, evicting] = [
    `waiting for cache space ${count(waitingThreads)}`,
    `evicting pages ${count(evictingThreads)}`,
  ];
  if (evictingThreads === null || (!waitingThreads && !evictingThreads))
    return `${reading}, ${waiting}`;
  if (waitingThreads === null) return `${reading}, ${evicting}`;
  return evictingThreads > waitingThreads
    ? `${reading}, ${evicting} (${count(waitingThreads)} of it waiting)`
    : `${reading}, ${waiting} (${count(evictingThreads)} of it evicting)`;
}

/**
 * @param {number | null} blocked mean threads
 * @returns {'ok' | 'warning' | null} null: not known, or neither
 */
function blockedStatus(blocked) {
  if (blocked === null || (blocked > HEALTHY_THREADS && blocked < WARNING_THREADS)) return null;
  return blocked < WARNING_THREADS ? 'ok' : 'warning';
}

module.exports = { HEALTHY_THREADS, WARNING_THREADS, blockedThreads, blockedStatus, blockedWords };
