'use strict';

const { bytes, duration, percent, roughly, MiB } = require('../../../base/pure/units');

/**
 * @import { Counter, Counters } from '../../../server/pure/counters'
 * @import { Metric, Metrics } from '../../../server/pure/metrics'
 * @import { Chart } from './types'
 */

/** A chart of the live screen. Its label has at most eleven columns, its value eight. */

/** @param {Metric} name @returns {Chart['of']} */
const reading = (name) => (metrics) => metrics[name];
/**
 * @param {Counter} name
 * @returns {Chart['of']} the value at the last sample
 */
const gauge = (name) => (_, counters) => counters[name];
/** @param {number | undefined} a @param {number | undefined} b */
const ratio = (a, b) => (a === undefined || !b ? undefined : a / b);
/**
 * @param {Counter} part
 * @param {Counter} whole
 * @returns {Chart['of']}
 */
const share = (part, whole) => (_, counters) => ratio(counters[part], counters[whole]);
/** @param {number | undefined} phase */
const isRunning = (phase) => (phase === undefined ? undefined : Number(phase > 0));
/**
 * Says in a word whether a checkpoint runs.
 * @param {number | undefined} running
 */
function runs(running) {
  if (running === undefined) return '?';
  return running > 0 ? 'runs' : '·';
}

/** A full bar means at least this value, so that noise does not fill the screen (heuristic). */
const MIN = Object.freeze({
  bytes: MiB,
  pages: 100,
  threads: 1,
  ops: 100,
  ms: 10,
  tickets: 8,
  ratio: 0.05,
});

const CHARTS = Object.freeze(
  /** @satisfies {Record<string, Chart>} */ ({
    readIn: {
      label: 'read in/s',
      of: reading('cache.readBytesPerSec'),
      show: bytes,
      min: MIN.bytes,
      help: 'bytes read from disk into the cache',
    },
    written: {
      label: 'written/s',
      of: reading('cache.writtenBytesPerSec'),
      show: bytes,
      min: MIN.bytes,
      help: 'bytes written from the cache',
    },
    workers: {
      label: 'workers/s',
      of: reading('eviction.workerPagesPerSec'),
      show: roughly,
      min: MIN.pages,
      help: 'pages evicted by eviction threads',
    },
    appPages: {
      label: 'clients/s',
      of: reading('eviction.appPagesPerSec'),
      show: roughly,
      min: MIN.pages,
      isLoss: true,
      help: 'pages that application threads had to evict',
    },
    reading: {
      label: 'reading',
      of: reading('clients.readingThreads'),
      show: roughly,
      min: MIN.threads,
      isLoss: true,
      help: 'application threads reading pages in, on average',
    },
    evicting: {
      label: 'evicting',
      of: reading('clients.evictingThreads'),
      show: roughly,
      min: MIN.threads,
      isLoss: true,
      help: 'application threads evicting, on average',
    },
    waiting: {
      label: 'waiting',
      of: reading('clients.waitingThreads'),
      show: roughly,
      min: MIN.threads,
      isLoss: true,
      help: 'application threads waiting for the cache',
    },
    tickets: {
      label: 'tickets',
      of: (_, m) => sum(m['tickets.readInUse'], m['tickets.writeInUse']),
      show: roughly,
      min: MIN.tickets,
      help: 'read and write tickets in use',
    },
    checkpoint: {
      label: 'checkpoint',
      of: (_, m) => isRunning(m['checkpoint.running']),
      show: runs,
      isMark: true,
      help: 'marked while a checkpoint runs',
    },
    reads: {
      label: 'reads/s',
      of: reading('ops.readsPerSec'),
      show: roughly,
      min: MIN.ops,
      help: 'reads completed',
    },
    writes: {
      label: 'writes/s',
      of: reading('ops.writesPerSec'),
      show: roughly,
      min: MIN.ops,
      help: 'writes completed',
    },
    readTakes: {
      label: 'read takes',
      of: reading('ops.readLatencyMs'),
      show: duration,
      min: MIN.ms,
      help: 'mean time of a read in the server',
    },
    writeTakes: {
      label: 'write takes',
      of: reading('ops.writeLatencyMs'),
      show: duration,
      min: MIN.ms,
      help: 'mean time of a write in the server',
    },

    fill: {
      label: 'fill',
      of: share('cache.usedBytes', 'cache.maxBytes'),
      show: percent,
      top: 1,
      help: 'how full the cache is',
    },
    dirty: {
      label: 'dirty',
      of: share('cache.dirtyBytes', 'cache.maxBytes'),
      show: percent,
      min: MIN.ratio,
      help: 'changed and not yet written',
    },
    updates: {
      label: 'updates',
      of: share('cache.updatesBytes', 'cache.maxBytes'),
      show: percent,
      min: MIN.ratio,
      help: 'changes not yet put into pages',
    },
    miss: {
      label: 'misses',
      of: reading('cache.missRatio'),
      show: percent,
      min: MIN.ratio,
      help: 'pages asked for that were not in the cache',
    },
    threads: {
      label: 'threads',
      of: gauge('eviction.threadsActive'),
      show: roughly,
      min: MIN.threads,
      help: 'eviction threads active',
    },
    dirtyBytes: {
      label: 'dirty',
      of: gauge('cache.dirtyBytes'),
      show: bytes,
      min: MIN.bytes,
      help: 'what a checkpoint has to write',
    },
    readTickets: {
      label: 'read tick.',
      of: gauge('tickets.readInUse'),
      show: roughly,
      min: MIN.tickets,
      help: 'read tickets in use',
    },
    writeTickets: {
      label: 'write tick.',
      of: gauge('tickets.writeInUse'),
      show: roughly,
      min: MIN.tickets,
      help: 'write tickets in use',
    },
    queued: {
      label: 'queued',
      of: reading('clients.queued'),
      show: roughly,
      min: MIN.threads,
      isLoss: true,
      help: 'operations that wait for a ticket or a lock',
    },
    busy: {
      label: 'busy',
      of: reading('clients.busyThreads'),
      show: roughly,
      min: MIN.threads,
      help: 'application threads in the server, on average',
    },
  }),
);

/** @param {number | undefined} a @param {number | undefined} b */
function sum(a, b) {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}

/** @typedef {keyof typeof CHARTS} ChartName @typedef {{ [name in ChartName]?: number }} Values */
/**
 * @typedef {{ atMs: number, values: Values }} Point one sample; without values it marks a gap
 *   before the next
 */

const NAMES = /** @type {ChartName[]} */ (Object.keys(CHARTS));

/**
 * @param {number} atMs
 * @param {Metrics} metrics over the time since the sample before
 * @param {Counters} counters
 * @returns {Point}
 */
function pointOf(atMs, metrics, counters) {
  const values = /** @type {Record<string, number>} */ ({});
  for (const name of NAMES) {
    const value = /** @type {Chart} */ (CHARTS[name]).of(metrics, counters);
    if (value !== undefined) values[name] = value;
  }
  return { atMs, values };
}

module.exports = { CHARTS, pointOf };
