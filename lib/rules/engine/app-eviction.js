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

// From here on clients do little else than evict; heuristic.
const MOSTLY_SHARE = 0.5;

module.exports = defineRule({
  id: 'app-eviction',
  area: 'eviction',
  title: 'Application threads evicting pages',
  why:
    'When the eviction threads do not keep up, WiredTiger makes the application threads evict ' +
    'before they may go on. What counts is the time they lose, not how many pages they evict.',
  needs: ['clients.evictingThreads'],
  wants: ['clients.busyThreads', 'eviction.appPagesPerSec', 'eviction.appRatio'],
  thresholds: { minThreads: MIN_THREADS, evictingShare: EVICTING_SHARE, mostlyShare: MOSTLY_SHARE },
  threshold:
    `Up to ${HEALTHY_THREADS} application threads evicting on average: healthy, whatever the count ` +
    `of pages. From ${MIN_THREADS} threads and ${whole(EVICTING_SHARE)} of the clients' time ` +
    `on: warning; from ${whole(MOSTLY_SHARE)}: critical. Between: information.`,
  source:
    'docs/evidence/app-eviction.md; IBM-Z step 3 (response times spike when application threads evict)',
  advice:
    'Look at dirty-ratio and cache-fill for the limit that clients run into, and at ' +
    'eviction-workers for whether more threads would help.',
  whenNot:
    'A few pages a second evicted by clients cost nothing: insert-heavy servers split and ' +
    'evict pages on the way.',
  speaksFor: ['cache-dirty', 'eviction-threads'],
  check(metrics, { minThreads, evictingShare, mostlyShare }) {
    const { 'clients.evictingThreads': threads, 'eviction.appPagesPerSec': pagesPerSec = null } =
      metrics;
    const { share } = /** @type {Loss} */ (lossOf(metrics, 'clients.evictingThreads'));
    const evidence = {
      'clients.evictingThreads': threads,
      shareOfClients: share,
      'eviction.appPagesPerSec': pagesPerSec,
      'eviction.appRatio': metrics['eviction.appRatio'] ?? null,
    };
    const values = { threads, share, pagesPerSec };
    if (threads <= HEALTHY_THREADS) return { status: 'ok', code: 'fine', values, evidence };
    if (threads < minThreads || share < evictingShare)
      return { status: 'info', code: 'noticeable', values, evidence };
    const status = share >= mostlyShare ? 'critical' : 'warning';
    return { status, code: 'costly', values, evidence };
  },
  messages: {
    fine: ({ threads, pagesPerSec }) =>
      `Clients lose ${many(threads, 'thread')} to evicting${rate(pagesPerSec)}: next to nothing.`,
    noticeable: (values) => cost(values),
    costly: (values) => cost(values),
  },
});

/** The sentence about a cost. @param {Loss & { pagesPerSec: number | null }} values */
const cost = (values) =>
  `Evicting costs the clients ${lossWords(values)}${rate(values.pagesPerSec)}.`;

/** Pages evicted by clients, in brackets. @param {number | null} perSec */
const rate = (perSec) => (perSec ? ` (${many(perSec, 'page')} a second)` : '');
