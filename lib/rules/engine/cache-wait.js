'use strict';

const { many, shortPercent, capital } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const {
  HEALTHY_THREADS,
  MIN_THREADS,
  EVICTING_SHARE,
  lossOf,
  timeSpent,
} = require('../../signals/clients');
const { sources, wiredTiger, measured } = require('../sources');

/**
 * @import { Loss } from '../../signals/clients'
 */

// One in a hundred of the clients' time shows in the slowest operations; heuristic.
const NOTICEABLE_SHARE = 0.01;

module.exports = defineRule({
  id: 'cache-wait',
  area: 'cache',
  title: 'Application threads waiting for cache space',
  why:
    'Application threads at a trigger of the cache must evict pages, or sleep 10 ms at a time ' +
    'when nothing is queued for eviction. This is all of that time. Page reads are not ' +
    'included.',
  needs: ['clients.waitingThreads'],
  wants: [
    'clients.busyThreads',
    'clients.evictingThreads',
    'cache.hardShare',
    'cache.dirtyHardShare',
    'cache.updatesHardShare',
  ],
  thresholds: { minThreads: MIN_THREADS, evictingShare: EVICTING_SHARE },
  threshold:
    `Healthy: up to ${HEALTHY_THREADS} application threads waiting on average, or ` +
    `${shortPercent(NOTICEABLE_SHARE)} of their time. Information: below ${MIN_THREADS} threads. ` +
    `Warning: above. Critical: from ${shortPercent(EVICTING_SHARE)} of their time.`,
  source: sources(wiredTiger('eviction', 'arch-eviction'), measured('client-threads')),
  advice:
    'Check which trigger is reached: dirty-ratio (dirty data), updates-ratio (update data) or ' +
    'cache-fill (cache used). tune.advise() names the change.',
  whenNot:
    'If page writes are slow, the disk is the limit: more eviction threads do not shorten the ' +
    'wait.',
  speaksFor: ['cache-dirty', 'eviction-threads'],
  check(metrics, { minThreads, evictingShare }) {
    const threads = metrics['clients.waitingThreads'];
    const { share } = /** @type {Loss} */ (lossOf(metrics, 'clients.waitingThreads'));
    const evidence = {
      'clients.waitingThreads': threads,
      shareOfClients: share,
      'clients.evictingThreads': metrics['clients.evictingThreads'] ?? null,
    };
    const values = { threads, share, limit: limitOf(metrics) };
    if (threads <= HEALTHY_THREADS || share <= NOTICEABLE_SHARE)
      return { status: 'ok', code: 'fine', values, evidence };
    if (threads < minThreads) return { status: 'info', code: 'noticeable', values, evidence };
    const status = share >= evictingShare ? 'critical' : 'warning';
    return { status, code: 'costly', values, evidence };
  },
  messages: {
    fine: ({ threads }) =>
      `No significant wait for cache space: ${many(threads, 'thread')} on average.`,
    noticeable: (values) => cost(values),
    costly: (values) => cost(values),
  },
});

/**
 * Finds the limit of the cache that clients met most often.
 * @param {{
 *   'cache.hardShare'?: number, 'cache.dirtyHardShare'?: number, 'cache.updatesHardShare'?: number
 * }} metrics
 * @returns {keyof typeof LIMITS | null}
 */
function limitOf({
  'cache.hardShare': full = 0,
  'cache.dirtyHardShare': dirty = 0,
  'cache.updatesHardShare': updates = 0,
}) {
  const max = Math.max(full, dirty, updates);
  if (max === 0) return null;
  if (full === max) return 'full';
  return dirty === max ? 'dirty' : 'updates';
}

const LIMITS = Object.freeze({
  full: 'the cache used reaches its trigger',
  dirty: 'dirty data reaches its trigger',
  updates: 'update data reaches its trigger',
});

/** The time spent on it. @param {Loss & { limit: keyof typeof LIMITS | null }} values */
const cost = ({ limit, ...loss }) =>
  `${capital(timeSpent(loss, 'waiting for cache space'))}` +
  `${limit === null ? '' : `: ${LIMITS[limit]}`}.`;
