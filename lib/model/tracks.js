'use strict';

/**
 * What the course of a server is drawn of: one number from a sample and the one before it, or NaN where that is not known. They are
 * reckoned from columns, so that a recording of days passes by without an object for each second.
 *
 * @typedef {(name: import('./metrics').Metric) => number} Get NaN: not told
 * @typedef {(now: Get, before: Get, seconds: number) => number} Read `seconds`: between the two
 * @typedef {keyof typeof TRACKS} Track
 */

const MICROS_PER_SECOND = 1e6;
const MICROS_PER_MS = 1000;

/** @typedef {import('./metrics').Metric} Metric */

/** @param {Metric} name @returns {Read} share of the cache */
const share = (name) => (now) => now(name) / now('cache.maxBytes');

/** What shrank began anew, and says nothing. @param {Get} now @param {Get} before @param {Metric} name */
const grown = (now, before, name) => {
  const by = now(name) - before(name);
  return by >= 0 ? by : NaN;
};

/** @param {readonly number[]} terms @returns {number} of those that are known */
const sum = (terms) => terms.reduce((all, term) => (Number.isNaN(term) ? all : Number.isNaN(all) ? term : all + term), NaN);

/** @param {...Metric} names @returns {Read} */
const perSec = (...names) => (now, before, seconds) => sum(names.map((name) => grown(now, before, name))) / seconds;

/** Mean number of client threads so busy. @param {Metric} name @returns {Read} */
const threads = (name) => (now, before, seconds) => grown(now, before, name) / MICROS_PER_SECOND / seconds;

/** Mean time of one; without operations there is none. @param {Metric} micros @param {Metric} ops @returns {Read} */
const each = (micros, ops) => (now, before) => {
  const done = grown(now, before, ops);
  return done > 0 ? grown(now, before, micros) / done / MICROS_PER_MS : NaN;
};

/** The counters of operations miss aggregations, opLatencies counts a batch of inserts once: the larger is what was asked. @param {Metric[]} names @param {Metric} other @returns {Read} */
const completed = (names, other) => (now, before, seconds) => {
  const [counted, timed] = [perSec(...names)(now, before, seconds), perSec(other)(now, before, seconds)];
  return Number.isNaN(timed) || counted >= timed ? counted : timed;
};

/** WiredTiger's dirty trigger compares leaf pages; older servers tell only all dirty pages. @type {Read} */
const dirty = (now) => (Number.isNaN(now('cache.dirtyLeafBytes')) ? now('cache.dirtyBytes') : now('cache.dirtyLeafBytes')) / now('cache.maxBytes');

const TRACKS = Object.freeze(/** @satisfies {Record<string, Read>} */ ({
  readsPerSec: completed(['ops.queries', 'ops.getmores'], 'latency.readOps'),
  writesPerSec: completed(['ops.inserts', 'ops.updates', 'ops.deletes'], 'latency.writeOps'),
  readLatencyMs: each('latency.readMicros', 'latency.readOps'),
  writeLatencyMs: each('latency.writeMicros', 'latency.writeOps'),
  readingThreads: threads('eviction.appReadMicros'),
  evictingThreads: threads('eviction.appMicros'),
  waitingThreads: threads('eviction.waitMicros'),
  queued: (now) => sum([now('queue.readers'), now('queue.writers')]),
  usedRatio: share('cache.usedBytes'),
  dirtyRatio: dirty,
  updatesRatio: share('cache.updatesBytes'),
  workerPagesPerSec: perSec('eviction.workerPages', 'eviction.serverPages'),
  appPagesPerSec: perSec('eviction.appPages'),
  readBytesPerSec: perSec('cache.readBytes'),
  writtenBytesPerSec: perSec('cache.writtenBytes'),
  readTickets: (now) => now('tickets.readOut'),
  writeTickets: (now) => now('tickets.writeOut'),
  cpuCores: (now, before, seconds) => sum([grown(now, before, 'process.userMicros'), grown(now, before, 'process.systemMicros')]) / MICROS_PER_SECOND / seconds,
}));
const TRACK_NAMES = Object.freeze(/** @type {Track[]} */ (Object.keys(TRACKS)));

module.exports = { TRACKS, TRACK_NAMES };
