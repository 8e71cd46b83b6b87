'use strict';

const { duration, many, shortPercent, capital } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { isMemoryFull, hasHeadroom } = require('../../signals/cache');
const { areReadsSlow } = require('../../signals/disk');
const {
  HEALTHY_THREADS,
  MIN_READING_THREADS,
  READING_SHARE,
  lossOf,
  timeSpent,
} = require('../../signals/clients');
const { sources, measured, S390X } = require('../sources');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Loss } from '../../signals/clients'
 */

// From here on application threads do little else; heuristic.
const MOSTLY_SHARE = 0.5;

module.exports = defineRule({
  id: 'page-reads',
  area: 'cache',
  title: 'Application threads reading pages into cache',
  why:
    "A page that is not in the cache is read from the operating system's page cache (0.1 ms) " +
    'or from disk (1 ms and more) while the application thread waits. That time shows what a ' +
    'larger cache could save; the miss ratio does not.',
  needs: ['clients.readingThreads'],
  wants: [
    'clients.busyThreads',
    'cache.missRatio',
    'eviction.pageReadMs',
    'eviction.appReadsPerSec',
    'cache.usedRatioMax',
    'eviction.pagesPerSec',
    'cache.pagesReadPerSec',
    'config.targetRatio',
    'data.bytes',
    'host.memoryBytes',
    'process.otherBytes',
  ],
  thresholds: {
    minThreads: MIN_READING_THREADS,
    readingShare: READING_SHARE,
    mostlyShare: MOSTLY_SHARE,
  },
  threshold:
    `Healthy: up to ${HEALTHY_THREADS} application threads reading on average. Warning: from ` +
    `${MIN_READING_THREADS} threads and ${shortPercent(READING_SHARE)} of their time. Critical: from ` +
    `${shortPercent(MOSTLY_SHARE)}. Otherwise information.`,
  source: sources(measured('client-threads'), S390X + ': larger cache'),
  advice:
    'If RAM is free, enlarge the cache so that the data fits; tune.advise() computes the size. ' +
    'Otherwise read less: indexes, projections, shorter scans.',
  whenNot:
    "Not if RAM is full: the operating system's page cache loses what the cache gains, without " +
    'benefit in tests. Not while a cache is still filling after a start.',
  speaksFor: ['cache-read'],
  check(metrics, { minThreads, readingShare, mostlyShare }) {
    const {
      'clients.readingThreads': threads,
      'cache.missRatio': misses = null,
      'eviction.pageReadMs': pageReadMs = null,
      'eviction.appReadsPerSec': pagesPerSec = null,
    } = metrics;
    const { share } = /** @type {Loss} */ (lossOf(metrics, 'clients.readingThreads'));
    const evidence = {
      'clients.readingThreads': threads,
      shareOfClients: share,
      'cache.missRatio': misses,
      'eviction.pageReadMs': pageReadMs,
    };
    const values = { threads, share, pagesPerSec, pageReadMs };
    if (threads <= HEALTHY_THREADS) return { status: 'ok', code: 'fine', values, evidence };
    if (threads < minThreads || share < readingShare)
      return { status: 'info', code: 'noticeable', values, evidence };
    const status = share >= mostlyShare ? 'critical' : 'warning';
    return { status, code: costlyCode(metrics), values, evidence };
  },
  messages: {
    fine: ({ threads }) =>
      `No significant page reads by application threads: ${many(threads, 'thread')} on average.`,
    noticeable: (values) => cost(values),
    costly: (values) => cost(values),
    'costly-cache-has-space': (values) => cost(values),
    'costly-memory-full': (values) => cost(values),
  },
  adviceFor: {
    'costly-cache-has-space': () =>
      'Do not change the cache: it has free space and is still filling. Until it is full, the ' +
      'disk is the limit.',
    'costly-memory-full': () =>
      'Do not change the cache: there is more data than RAM, and the page cache would lose what ' +
      'the cache gains. Add RAM, use a faster disk, or read less (indexes, projections).',
  },
});

/** Finds where a larger cache would not help. @param {Metrics} metrics */
function costlyCode(metrics) {
  if (hasHeadroom(metrics)) return 'costly-cache-has-space';
  return isMemoryFull(metrics) && areReadsSlow(metrics) ? 'costly-memory-full' : 'costly';
}

/**
 * The time spent on it.
 * @param {Loss & { pagesPerSec: number | null, pageReadMs: number | null }} values
 */
function cost({ threads, share, pagesPerSec, pageReadMs }) {
  const each =
    pagesPerSec && pageReadMs !== null
      ? `: ${many(pagesPerSec, 'page')}/s, ${duration(pageReadMs)} each`
      : '';
  return `${capital(timeSpent({ threads, share }, 'reading pages into cache'))}${each}.`;
}
