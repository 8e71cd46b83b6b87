'use strict';

const { duration } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
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

// From here on clients do little else than read pages; ours.
const MOSTLY_SHARE = 0.5;

module.exports = defineRule({
  id: 'cache-reads',
  area: 'cache',
  title: 'Whether the working set fits into the cache',
  why:
    "A page that is not in the cache is read from the operating system's cache (0.1 ms) or " +
    'from the disk (1 ms and more) while the client waits. The time clients spend so tells how ' +
    'much a larger cache could give back; the miss ratio does not.',
  needs: ['clients.readingPages'],
  wants: [
    'clients.busy',
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
  limits: {
    minThreads: MIN_READING_THREADS,
    readingShare: READING_SHARE,
    mostlyShare: MOSTLY_SHARE,
  },
  threshold:
    `Up to ${HEALTHY_THREADS} client threads reading on average: healthy. From ` +
    `${MIN_READING_THREADS} threads and ${whole(READING_SHARE)} of the clients' time on: ` +
    `warning; from ${whole(MOSTLY_SHARE)}: critical. Between: information.`,
  source: 'docs/evidence/client-threads.md; IBM-Z step 1 (larger cache for a read-mostly load)',
  advice:
    'Where memory is free, raise the cache so that the data fits; tune.advise() reckons the ' +
    'size. Else read less: indexes, projections, shorter scans.',
  whenNot:
    "Not when memory is full: what the cache gains the operating system's cache loses, with " +
    'no gain measured. Not while a cache is still filling after a start.',
  speaksFor: ['cache-read'],
  check(metrics, { minThreads, readingShare, mostlyShare }) {
    const {
      'clients.readingPages': threads,
      'cache.missRatio': misses,
      'eviction.pageReadMs': ms,
      'eviction.appReadsPerSec': perSec,
    } = metrics;
    const loss = /** @type {Loss} */ (lossOf(metrics, 'clients.readingPages'));
    const evidence = {
      'clients.readingPages': threads,
      shareOfClients: loss.share,
      'cache.missRatio': misses ?? null,
      'eviction.pageReadMs': ms ?? null,
    };
    const each =
      perSec && ms !== undefined
        ? `, ${many(perSec, 'page')} a second at ${duration(ms)} each`
        : '';
    if (threads <= HEALTHY_THREADS)
      return {
        status: 'ok',
        say: `Clients lose ${many(threads, 'thread')} to reading pages: next to nothing.`,
        evidence,
      };
    const say = `Reading pages costs the clients ${lossWords(loss)}${each}.`;
    if (threads < minThreads || loss.share < readingShare) return { status: 'info', say, evidence };
    return {
      status: loss.share >= mostlyShare ? 'critical' : 'warning',
      say,
      evidence,
      ...withoutCache(metrics),
    };
  },
});

/**
 * Where a larger cache helps nobody, another advice.
 * @param {Metrics} metrics
 * @returns {{ advice?: string }}
 */
function withoutCache(metrics) {
  if (hasHeadroom(metrics))
    return {
      advice:
        'Leave the cache as it is: it has room, and keeps what it reads. Until then the disk ' +
        'decides.',
    };
  return isMemoryFull(metrics) && areReadsSlow(metrics)
    ? {
        advice:
          'Leave the cache as it is: there is more data than memory, and what the cache ' +
          "gains the operating system's loses. More memory helps, a faster disk, or to read " +
          'less: indexes, projections, shorter scans.',
      }
    : {};
}
