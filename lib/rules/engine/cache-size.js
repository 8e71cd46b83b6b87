'use strict';

const { bytes, many } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { inCacheBytes, fitsAlready, churnLoss } = require('../../signals/cache');
const { cacheEffectWords, doesDataFit } = require('../../sizing/cache-effect');
const { sources, measured, S390X, OPPO } = require('../sources');

// Fewer pages a second are none; heuristic.
const MIN_READS_PER_SEC = 1;

module.exports = defineRule({
  id: 'cache-size',
  area: 'cache',
  title: 'A larger cache would reduce page reads',
  why:
    'A larger cache helps where application threads wait for page reads and RAM is free. A ' +
    'smaller cache, or a lower dirty target, helps where writes outrun the disk. Both have ' +
    'been measured: what clients wait for decides.',
  needs: ['cache.maxBytes', 'cache.pagesReadPerSec', 'data.bytes'],
  wants: [
    'config.targetRatio',
    'host.memoryBytes',
    'process.otherBytes',
    'process.cpuRatio',
    'clients.readingThreads',
    'clients.busyThreads',
    'cache.usedRatioMax',
    'eviction.pagesPerSec',
    'eviction.modifiedPagesPerSec',
    'clients.waitingThreads',
    'cache.dirtyRatio',
    'cache.dirtyRatioMax',
    'config.dirtyTargetRatio',
    'config.dirtyTriggerRatio',
  ],
  evidence: ['cache.maxBytes', 'data.bytes', 'cache.pagesReadPerSec'],
  threshold:
    'Information, with an estimate: the data does not fit, the cache is near its target, and ' +
    `at least ${MIN_READS_PER_SEC} page/s is read. Never a warning: page-reads judges whether ` +
    'reads delay clients.',
  source: sources(S390X, OPPO, measured('cache-size') + ': the estimate was 15% off'),
  advice: 'Raise the cache where page-reads reports a wait and RAM is free.',
  whenNot:
    "Where the operating system's page cache holds the data, a page read costs 0.1 ms: fewer " +
    'reads hardly change latency. Where RAM is full, the page cache loses what the cache gains.',
  check(metrics) {
    const {
      'cache.maxBytes': maxBytes,
      'data.bytes': dataBytes,
      'cache.pagesReadPerSec': readsPerSec,
    } = metrics;
    const values = {
      maxBytes,
      dataBytes,
      inCacheBytes: inCacheBytes(metrics) ?? null,
      readsPerSec,
      effect: cacheEffectWords(metrics),
    };
    if (dataBytes === 0) return { status: 'unknown', code: 'no-data', values };
    if (churnLoss(metrics) !== undefined)
      return { status: 'unknown', code: 'not-computable', values };
    const isLarger = doesDataFit(metrics) === false;
    if (isLarger && readsPerSec < MIN_READS_PER_SEC)
      return { status: 'ok', code: 'fits-what-is-used', values };
    if (isLarger && !fitsAlready(metrics))
      return { status: 'info', code: 'larger-would-read-less', values };
    return { status: 'ok', code: 'fits', values };
  },
  messages: {
    fits: ({ effect }) => String(effect),
    'fits-what-is-used': (values) =>
      `The working set fits: only ${many(values.readsPerSec, 'page')}/s are read, with ` +
      `${bytes(values.dataBytes)} of data (about ${bytes(values.inCacheBytes)} in cache) and a ` +
      `cache of ${bytes(values.maxBytes)}.`,
    'larger-would-read-less': ({ effect }) => String(effect),
    'no-data': () => 'Not known: there is no data yet.',
    'not-computable': ({ effect }) => String(effect),
  },
});
