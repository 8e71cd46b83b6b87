'use strict';

const { duration } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole, many } = require('../../signals/words');
const { isMemoryFull, hasHeadroom } = require('../../signals/cache');
const { areReadsSlow } = require('../../signals/disk');
const {
  HEALTHY_THREADS,
  MIN_READING_THREADS,
  READING_SHARE,
  lossOf,
  lossWords,
} = require('../../signals/clients');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Loss } from '../../signals/clients'
 */

// From here on clients do little else than read pages; heuristic.
const MOSTLY_SHARE = 0.5;

module.exports = defineRule({
  id: 'page-reads',
  area: 'cache',
  title: 'Application threads reading pages into cache',
  why:
    "A page that is not in the cache is read from the operating system's cache (0.1 ms) or " +
    'from the disk (1 ms and more) while the client waits. The time clients spend so tells how ' +
    'much a larger cache could give back; the miss ratio does not.',
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
    `Up to ${HEALTHY_THREADS} application threads reading on average: healthy. From ` +
    `${MIN_READING_THREADS} threads and ${whole(READING_SHARE)} of the clients' time on: ` +
    `warning; from ${whole(MOSTLY_SHARE)}: critical. Between: information.`,
  source: 'docs/evidence/client-threads.md; IBM-Z step 1 (larger cache for a read-mostly load)',
  advice:
    'Where memory is free, raise the cache so that the data fits; tune.advise() computes the ' +
    'size. Else read less: indexes, projections, shorter scans.',
  whenNot:
    "Not when memory is full: what the cache gains the operating system's cache loses, with " +
    'no gain measured. Not while a cache is still filling after a start.',
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
      `Clients lose ${many(threads, 'thread')} to reading pages: next to nothing.`,
    noticeable: (values) => cost(values),
    costly: (values) => cost(values),
    'costly-cache-has-space': (values) => cost(values),
    'costly-memory-full': (values) => cost(values),
  },
  adviceFor: {
    'costly-cache-has-space': () =>
      'Leave the cache as it is: it has room, and keeps what it reads. Until then the disk ' +
      'decides.',
    'costly-memory-full': () =>
      'Leave the cache as it is: there is more data than memory, and what the cache ' +
      "gains the operating system's loses. More memory helps, a faster disk, or to read " +
      'less: indexes, projections, shorter scans.',
  },
});

/** Tells where a larger cache would not help. @param {Metrics} metrics */
function costlyCode(metrics) {
  if (hasHeadroom(metrics)) return 'costly-cache-has-space';
  return isMemoryFull(metrics) && areReadsSlow(metrics) ? 'costly-memory-full' : 'costly';
}

/**
 * The sentence about a cost.
 * @param {Loss & { pagesPerSec: number | null, pageReadMs: number | null }} values
 */
function cost({ threads, share, pagesPerSec, pageReadMs }) {
  const each =
    pagesPerSec && pageReadMs !== null
      ? `, ${many(pagesPerSec, 'page')} a second at ${duration(pageReadMs)} each`
      : '';
  return `Reading pages costs the clients ${lossWords({ threads, share })}${each}.`;
}
