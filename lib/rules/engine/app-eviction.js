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

// From here on application threads do little else; heuristic.
const MOSTLY_SHARE = 0.5;

module.exports = defineRule({
  id: 'app-eviction',
  area: 'eviction',
  title: 'Application threads evicting pages',
  why:
    'When the eviction threads fall behind, WiredTiger makes application threads evict pages ' +
    'before their operations continue. The time they spend matters, not the number of pages.',
  needs: ['clients.evictingThreads'],
  wants: ['clients.busyThreads', 'eviction.appPagesPerSec', 'eviction.appRatio'],
  thresholds: { minThreads: MIN_THREADS, evictingShare: EVICTING_SHARE, mostlyShare: MOSTLY_SHARE },
  threshold:
    `Healthy: up to ${HEALTHY_THREADS} application threads evicting on average, whatever the ` +
    `number of pages. Warning: from ${MIN_THREADS} threads and ${shortPercent(EVICTING_SHARE)} of ` +
    `their time. Critical: from ${shortPercent(MOSTLY_SHARE)}. Otherwise information.`,
  source: sources(measured('app-eviction'), wiredTiger('eviction', 'arch-eviction')),
  advice:
    'Check dirty-ratio and cache-fill to see which trigger is reached. Check ' +
    'eviction-threads-busy to see whether more eviction threads would help.',
  whenNot:
    'A few pages/s evicted by application threads cost nothing: inserts split pages and evict ' +
    'them.',
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
      `No significant application-thread eviction: ${many(threads, 'thread')} on ` +
      `average${rate(pagesPerSec)}.`,
    noticeable: (values) => cost(values),
    costly: (values) => cost(values),
  },
});

/** The time spent on it. @param {Loss & { pagesPerSec: number | null }} values */
const cost = (values) =>
  `${capital(timeSpent(values, 'evicting pages'))}${rate(values.pagesPerSec)}.`;

/** Pages evicted by application threads. @param {number | null} perSec */
const rate = (perSec) => (perSec ? `, ${many(perSec, 'page')}/s` : '');
