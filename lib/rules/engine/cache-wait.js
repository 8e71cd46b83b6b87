'use strict';

const { defineRule } = require('../define-rule');
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

// One in a hundred of the clients' time shows in the slowest operations; ours.
const NOTICEABLE_SHARE = 0.01;

module.exports = defineRule({
  id: 'cache-wait',
  area: 'cache',
  title: 'How long clients wait for room in the cache',
  why:
    'This is the whole time that clients spend in the assist loop: evicting, and sleeping 10 ' +
    'ms at a time when nothing is queued for eviction. It is the part of their response time ' +
    'that the cache costs, apart from reading pages.',
  needs: ['clients.waitingForCache'],
  wants: [
    'clients.busy',
    'clients.evicting',
    'cache.hardShare',
    'cache.dirtyHardShare',
    'cache.updatesHardShare',
  ],
  limits: { minThreads: MIN_THREADS, evictingShare: EVICTING_SHARE },
  threshold:
    `Up to ${HEALTHY_THREADS} client threads waiting on average, or ${whole(NOTICEABLE_SHARE)} ` +
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
    const threads = metrics['clients.waitingForCache'];
    const loss = /** @type {Loss} */ (lossOf(metrics, 'clients.waitingForCache'));
    const evidence = {
      'clients.waitingForCache': threads,
      shareOfClients: loss.share,
      'clients.evicting': metrics['clients.evicting'] ?? null,
    };
    if (threads <= HEALTHY_THREADS || loss.share <= NOTICEABLE_SHARE)
      return {
        status: 'ok',
        say:
          `Waiting for room in the cache costs the clients ${many(threads, 'thread')} on ` +
          'average: next to nothing.',
        evidence,
      };
    const say = `Waiting for room in the cache costs the clients ${lossWords(loss)}${reason(metrics)}.`;
    if (threads < minThreads) return { status: 'info', say, evidence };
    return { status: loss.share >= evictingShare ? 'critical' : 'warning', say, evidence };
  },
});

/**
 * @param {{
 *   'cache.hardShare'?: number, 'cache.dirtyHardShare'?: number, 'cache.updatesHardShare'?: number
 * }} metrics
 */
function reason({
  'cache.hardShare': full = 0,
  'cache.dirtyHardShare': dirty = 0,
  'cache.updatesHardShare': updates = 0,
}) {
  const [max, word] = [
    [full, 'it is full'],
    [dirty, 'too much is dirty'],
    [updates, 'too much is update data'],
  ].reduce((a, b) => (b[0] > a[0] ? b : a));
  return max === 0 ? '' : `, because ${word}`;
}
