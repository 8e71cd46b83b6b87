'use strict';

const { MICROS_PER_SECOND, MICROS_PER_MS } = require('../base/pure/units');

/**
 * @import { Counter } from '../server/pure/counters'
 * @import { Metric } from '../server/pure/metrics'
 * @import { ReadCounter } from './columns'
 */

/**
 * The time series of a server, one row each. A chart computes them by `formula`, straight from
 * columns, so that a recording of days passes by without an object for each second. The timeline of
 * a recording (a few hundred points) takes the `metric` of the same number.
 *
 * @typedef {(now: ReadCounter, before: ReadCounter, seconds: number) => number} Formula `seconds`:
 *   between the two samples; NaN: not known
 * @typedef {{ formula?: Formula, metric?: Metric }} Definition
 * @typedef {keyof typeof SERIES} SeriesName
 */

/** A share of the cache. @param {Counter} name @returns {Formula} */
const share = (name) => (now) => now(name) / now('cache.maxBytes');

/**
 * Growth of a counter; one that shrank was reset, so its growth is not known.
 * @param {ReadCounter} now
 * @param {ReadCounter} before
 * @param {Counter} name
 */
const growth = (now, before, name) => {
  const by = now(name) - before(name);
  return by >= 0 ? by : NaN;
};

/**
 * Growth per second of those counters that are known. Written for speed: it runs for each second of
 * days.
 * @param {...Counter} names
 * @returns {Formula}
 */
const perSec =
  (...names) =>
  (now, before, seconds) => {
    let all = NaN;
    for (const name of names) {
      const by = growth(now, before, name);
      if (by >= 0) all = all >= 0 ? all + by : by;
    }
    return all / seconds;
  };

/** Mean number of application threads in that state. @param {Counter} name @returns {Formula} */
const threads = (name) => (now, before, seconds) =>
  growth(now, before, name) / MICROS_PER_SECOND / seconds;

/**
 * Mean time of one operation, in ms; without operations there is none.
 * @param {Counter} micros
 * @param {Counter} ops
 * @returns {Formula}
 */
const meanMs = (micros, ops) => (now, before) => {
  const done = growth(now, before, ops);
  return done > 0 ? growth(now, before, micros) / done / MICROS_PER_MS : NaN;
};

/**
 * Completed operations per second. opcounters miss aggregations, and opLatencies count a batch of
 * inserts once, so the larger of the two is taken.
 * @param {Counter[]} names
 * @param {Counter} other
 * @returns {Formula}
 */
const completed = (names, other) => {
  const [counts, times] = [perSec(...names), perSec(other)];
  return (now, before, seconds) => {
    const [counted, timed] = [counts(now, before, seconds), times(now, before, seconds)];
    return Number.isNaN(timed) || counted >= timed ? counted : timed;
  };
};

/**
 * WiredTiger's dirty trigger compares leaf pages; older servers report only all dirty pages.
 * @type {Formula}
 */
const dirty = (now) =>
  (Number.isNaN(now('cache.dirtyLeafBytes'))
    ? now('cache.dirtyBytes')
    : now('cache.dirtyLeafBytes')) / now('cache.maxBytes');

const cpuMicros = perSec('process.userMicros', 'process.systemMicros');

const SERIES = Object.freeze(
  /** @satisfies {Record<string, Definition>} */ ({
    opsPerSec: { metric: 'ops.perSec' },
    readsPerSec: { formula: completed(['ops.queries', 'ops.getmores'], 'latency.readOps') },
    writesPerSec: {
      formula: completed(['ops.inserts', 'ops.updates', 'ops.deletes'], 'latency.writeOps'),
    },
    readLatencyMs: {
      formula: meanMs('latency.readMicros', 'latency.readOps'),
      metric: 'ops.readLatencyMs',
    },
    writeLatencyMs: {
      formula: meanMs('latency.writeMicros', 'latency.writeOps'),
      metric: 'ops.writeLatencyMs',
    },
    readingThreads: {
      formula: threads('eviction.appReadMicros'),
      metric: 'clients.readingThreads',
    },
    evictingThreads: { formula: threads('eviction.appMicros'), metric: 'clients.evictingThreads' },
    waitingThreads: { formula: threads('eviction.waitMicros'), metric: 'clients.waitingThreads' },
    queued: {
      formula: (now) => now('queue.readers') + now('queue.writers'),
      metric: 'clients.queued',
    },
    usedRatio: { formula: share('cache.usedBytes'), metric: 'cache.usedRatio' },
    dirtyRatio: { formula: dirty, metric: 'cache.dirtyRatioMax' },
    updatesRatio: { formula: share('cache.updatesBytes') },
    workerPagesPerSec: { formula: perSec('eviction.workerPages', 'eviction.serverPages') },
    appPagesPerSec: { formula: perSec('eviction.appPages') },
    checkpointMs: { metric: 'checkpoint.lastMs' },
    readBytesPerSec: { formula: perSec('cache.readBytes'), metric: 'cache.readBytesPerSec' },
    writtenBytesPerSec: {
      formula: perSec('cache.writtenBytes'),
      metric: 'cache.writtenBytesPerSec',
    },
    readTickets: { formula: (now) => now('tickets.readInUse') },
    writeTickets: { formula: (now) => now('tickets.writeInUse') },
    residentBytes: {
      formula: (now) => now('process.residentBytes'),
      metric: 'process.residentBytes',
    },
    cacheBytes: { formula: (now) => now('cache.usedBytes') },
    cpuCores: {
      formula: (now, before, seconds) => cpuMicros(now, before, seconds) / MICROS_PER_SECOND,
      metric: 'process.cpuCores',
    },
  }),
);

const all = Object.entries(/** @type {Record<SeriesName, Definition>} */ (SERIES));
/** The series that charts draw. */
const FORMULAS = Object.freeze(
  all.flatMap(([name, { formula }]) => (formula === undefined ? [] : [{ name, formula }])),
);
/** The series in the timeline of a recording. */
const METRICS_OF_SERIES = Object.freeze(
  all.flatMap(([name, { metric }]) => (metric === undefined ? [] : [{ name, metric }])),
);

module.exports = { FORMULAS, METRICS_OF_SERIES };
