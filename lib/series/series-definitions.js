'use strict';

/**
 * @import { Counter } from '../server/pure/counters'
 */

/**
 * What the course of a server is drawn of: one number from a sample and the one before it, or NaN
 * where that is not known. They are reckoned from columns, so that a recording of days passes by
 * without an object for each second.
 *
 * @typedef {(name: Counter) => number} Get NaN: not told
 * @typedef {(now: Get, before: Get, seconds: number) => number} Read `seconds`: between the two
 * @typedef {keyof typeof CHART_SERIES} Track
 */

const MICROS_PER_SECOND = 1e6;
const MICROS_PER_MS = 1000;

/** @param {Counter} name @returns {Read} share of the cache */
const share = (name) => (now) => now(name) / now('cache.maxBytes');

/**
 * What shrank began anew, and says nothing.
 * @param {Get} now
 * @param {Get} before
 * @param {Counter} name
 */
const grown = (now, before, name) => {
  const by = now(name) - before(name);
  return by >= 0 ? by : NaN;
};

/**
 * Growth of those that are known. Written for speed: it is asked for each second of days.
 * @param {...Counter} names
 * @returns {Read}
 */
const perSec =
  (...names) =>
  (now, before, seconds) => {
    let all = NaN;
    for (const name of names) {
      const by = grown(now, before, name);
      if (by >= 0) all = all >= 0 ? all + by : by;
    }
    return all / seconds;
  };

/** Mean number of client threads so busy. @param {Counter} name @returns {Read} */
const threads = (name) => (now, before, seconds) =>
  grown(now, before, name) / MICROS_PER_SECOND / seconds;

/**
 * Mean time of one; without operations there is none.
 * @param {Counter} micros
 * @param {Counter} ops
 * @returns {Read}
 */
const each = (micros, ops) => (now, before) => {
  const done = grown(now, before, ops);
  return done > 0 ? grown(now, before, micros) / done / MICROS_PER_MS : NaN;
};

/**
 * The counters of operations miss aggregations, opLatencies counts a batch of inserts once: the
 * larger is what was asked.
 * @param {Counter[]} names
 * @param {Counter} other
 * @returns {Read}
 */
const completed = (names, other) => {
  const [counts, times] = [perSec(...names), perSec(other)];
  return (now, before, seconds) => {
    const [counted, timed] = [counts(now, before, seconds), times(now, before, seconds)];
    return Number.isNaN(timed) || counted >= timed ? counted : timed;
  };
};

/**
 * WiredTiger's dirty trigger compares leaf pages; older servers tell only all dirty pages.
 * @type {Read}
 */
const dirty = (now) =>
  (Number.isNaN(now('cache.dirtyLeafBytes'))
    ? now('cache.dirtyBytes')
    : now('cache.dirtyLeafBytes')) / now('cache.maxBytes');

const cpuMicros = perSec('process.userMicros', 'process.systemMicros');

const CHART_SERIES = Object.freeze(
  /** @satisfies {Record<string, Read>} */ ({
    readsPerSec: completed(['ops.queries', 'ops.getmores'], 'latency.readOps'),
    writesPerSec: completed(['ops.inserts', 'ops.updates', 'ops.deletes'], 'latency.writeOps'),
    readLatencyMs: each('latency.readMicros', 'latency.readOps'),
    writeLatencyMs: each('latency.writeMicros', 'latency.writeOps'),
    readingThreads: threads('eviction.appReadMicros'),
    evictingThreads: threads('eviction.appMicros'),
    waitingThreads: threads('eviction.waitMicros'),
    queued: (now) => now('queue.readers') + now('queue.writers'),
    usedRatio: share('cache.usedBytes'),
    dirtyRatio: dirty,
    updatesRatio: share('cache.updatesBytes'),
    workerPagesPerSec: perSec('eviction.workerPages', 'eviction.serverPages'),
    appPagesPerSec: perSec('eviction.appPages'),
    readBytesPerSec: perSec('cache.readBytes'),
    writtenBytesPerSec: perSec('cache.writtenBytes'),
    readTickets: (now) => now('tickets.readOut'),
    writeTickets: (now) => now('tickets.writeOut'),
    cpuCores: (now, before, seconds) => cpuMicros(now, before, seconds) / MICROS_PER_SECOND,
  }),
);
const CHART_SERIES_NAMES = Object.freeze(/** @type {Track[]} */ (Object.keys(CHART_SERIES)));

module.exports = { CHART_SERIES, CHART_SERIES_NAMES };
