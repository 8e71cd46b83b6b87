'use strict';

const { defineRule } = require('../rule');
const { whole, many } = require('../../signals/words');
const {
  HEALTHY_THREADS,
  MIN_THREADS,
  EVICTING_SHARE,
  lossOf,
  lossWords,
} = require('../../signals/clients');

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
    'This is the whole time that clients spend in the assist loop: evicting, and sleeping 10 ' +
    'ms at a time when nothing is queued for eviction. It is the part of their response time ' +
    'that the cache costs, apart from reading pages.',
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
    `Up to ${HEALTHY_THREADS} application threads waiting on average, or ${whole(NOTICEABLE_SHARE)} ` +
    `of the clients' time: healthy. Below ${MIN_THREADS} threads: information. Above: ` +
    `warning; from ${whole(EVICTING_SHARE)} on: critical.`,
  source: 'WiredTiger, src/evict (time in the assist loop); docs/evidence/client-threads.md',
  advice:
    'Look at what the cache is short of: dirty-ratio (writing), updates-ratio (old versions) ' +
    'or cache-fill (room). tune.advise() names the change.',
  whenNot:
    "Waiting that comes with slow page writes is the disk's; more eviction threads do not " +
    'shorten it.',
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
      `Waiting for cache space costs the clients ${many(threads, 'thread')} on ` +
      'average: next to nothing.',
    noticeable: (values) => cost(values),
    costly: (values) => cost(values),
  },
});

/**
 * Which limit of the cache clients met most often.
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
  full: 'it is full',
  dirty: 'too much is dirty',
  updates: 'too much is update data',
});

/** The sentence about a cost. @param {Loss & { limit: keyof typeof LIMITS | null }} values */
const cost = ({ limit, ...loss }) =>
  `Waiting for cache space costs the clients ` +
  `${lossWords(loss)}${limit === null ? '' : `, because ${LIMITS[limit]}`}.`;
