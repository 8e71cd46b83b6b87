'use strict';

const { bytes } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { many } = require('../../signals/words');
const { inCacheBytes, fitsAlready } = require('../../signals/cache');
const { cacheEffectWords, doesDataFit } = require('../../sizing/cache-effect');

// Fewer pages a second are none; heuristic.
const MIN_READS_PER_SEC = 1;

module.exports = defineRule({
  id: 'cache-size',
  area: 'cache',
  title: 'Another cache size would change page reads',
  why:
    'Advice on the size of the cache goes both ways: IBM-Z raised it from half of the memory ' +
    'to three quarters and gained, OPPO lowered it from 110 to 50 GB and gained. What decides ' +
    'is what clients wait for. Readers that wait for pages want a larger cache, as far as ' +
    "there is memory that is not needed for the operating system's. Writers that wait for a " +
    'disk want less dirty data at once, which a smaller cache gives, and so does a lower dirty ' +
    'target without the loss for readers.',
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
    'Information with an estimate of the reads saved when the data does not fit, the cache is ' +
    `near its target, and at least ${MIN_READS_PER_SEC} page a second is read. It is never a ` +
    'warning: whether reads hold anybody back, cache-reads tells.',
  source:
    'IBM-Z step 1 (cache up, read-mostly load), OPPO (cache down, writes that outran a ' +
    'disk); the estimate takes all data to be asked for equally often and was 15% off where ' +
    'it was tried (docs/evidence/cache-size.md)',
  advice: 'Raise the cache where cache-reads says that clients wait for pages and memory is free.',
  whenNot:
    "Where the operating system's cache holds the data, a page read costs 0.1 ms instead of " +
    'nothing: fewer reads are then hardly felt. Where memory is full, what one cache gains ' +
    'the other loses.',
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
    const isLarger = doesDataFit(metrics) === false;
    if (isLarger && readsPerSec < MIN_READS_PER_SEC)
      return { status: 'ok', code: 'fits-what-is-used', values };
    if (isLarger && !fitsAlready(metrics))
      return { status: 'info', code: 'larger-would-read-less', values };
    return { status: 'ok', code: 'fits', values };
  },
  messages: {
    fits: ({ effect }) => effect ?? 'There is no data yet.',
    'fits-what-is-used': (values) =>
      `${bytes(values.dataBytes)} of data, about ${bytes(values.inCacheBytes)} in the cache, are ` +
      `more than ${bytes(values.maxBytes)} hold, but only ${many(values.readsPerSec, 'page')} a ` +
      'second are read: what is used fits.',
    'larger-would-read-less': ({ effect }) => effect ?? 'There is no data yet.',
  },
});
