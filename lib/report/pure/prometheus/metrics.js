'use strict';

const { MS_PER_SECOND, MICROS_PER_SECOND } = require('../../../base/pure/units');

/**
 * @import { Counter } from '../../../server/pure/counters'
 * @import { Status } from '../../../server/pure/status'
 */

/**
 * Exports what tune.status() shows, under names that follow Prometheus' naming rules: base units
 * (seconds, bytes, ratio), `_total` only for counters, no unit shortened. A rate is exported as the
 * server's own counter, so that rate() can compute it over any time.
 *
 * @typedef {{ status: Status, counter(name: Counter): number | null }} Seen `counter`: the last
 *   value of a counter
 * @typedef {{
 *   name: string, type: 'gauge' | 'counter', help: string, label?: string,
 *   of: Readonly<Record<string, (seen: Seen) => number | null>>
 * }} Metric
 *   `of`: a function for each value of `label`; without a label one under the empty name
 */

/**
 * @param {string} name
 * @param {string} help
 * @param {(status: Status) => number | null} read
 * @returns {Metric}
 */
const gauge = (name, help, read) => ({
  name,
  type: 'gauge',
  help,
  of: { '': ({ status }) => read(status) },
});
/**
 * @param {string} name
 * @param {string} help
 * @param {readonly Counter[]} counters their sum is exported
 * @param {number} [per] the server's units in one unit of Prometheus
 * @returns {Metric}
 */
const counter = (name, help, counters, per = 1) => ({
  name,
  type: 'counter',
  help,
  of: { '': sumOf(counters, per) },
});
/**
 * @param {string} name
 * @param {string} help
 * @param {(status: Status) => [number | null, number | null]} read
 * @returns {Metric}
 */
const readWriteGauge = (name, help, read) => ({
  name,
  type: 'gauge',
  help,
  label: 'kind',
  of: { read: ({ status }) => read(status)[0], write: ({ status }) => read(status)[1] },
});
/**
 * @param {string} name
 * @param {string} help
 * @param {{ read: readonly Counter[], write: readonly Counter[], per?: number }} of
 * @returns {Metric}
 */
const readWriteCounter = (name, help, { read, write, per = 1 }) => ({
  name,
  type: 'counter',
  help,
  label: 'kind',
  of: { read: sumOf(read, per), write: sumOf(write, per) },
});

/**
 * @param {readonly Counter[]} counters
 * @param {number} per
 * @returns {(seen: Seen) => number | null} null where the server does not report one of them
 */
const sumOf =
  (counters, per) =>
  ({ counter: reported }) => {
    const values = counters.map(reported);
    return values.includes(null)
      ? null
      : values.reduce((/** @type {number} */ sum, value) => sum + Number(value), 0) / per;
  };

/** @param {number | null} ms */
const seconds = (ms) => (ms === null ? null : ms / MS_PER_SECOND);

const METRICS = Object.freeze(
  /** @type {Metric[]} */ ([
    gauge('cache_max_bytes', 'Configured size of the cache.', (s) => s.cache.maxBytes),
    gauge('cache_used_bytes', 'Cache used.', (s) => s.cache.usedBytes),
    gauge(
      'cache_dirty_bytes',
      'Dirty data in the cache: changed, not yet written to disk.',
      (s) => s.cache.dirtyBytes,
    ),
    gauge(
      'cache_updates_bytes',
      'Updates in the cache, kept in memory beside their pages.',
      (s) => s.cache.updatesBytes,
    ),
    gauge(
      'cache_used_ratio',
      'Cache used, as a ratio; a busy healthy server stays near the target.',
      (s) => s.cache.usedRatio,
    ),
    gauge('cache_dirty_ratio', 'Dirty data as a ratio of the cache.', (s) => s.cache.dirtyRatio),
    gauge('cache_updates_ratio', 'Updates as a ratio of the cache.', (s) => s.cache.updatesRatio),
    gauge(
      'cache_used_target_ratio',
      'Eviction threads start above this ratio (effective eviction_target).',
      (s) => s.thresholds.targetRatio,
    ),
    gauge(
      'cache_used_trigger_ratio',
      'Application threads evict above this ratio (effective eviction_trigger).',
      (s) => s.thresholds.triggerRatio,
    ),
    gauge(
      'cache_dirty_target_ratio',
      'Eviction threads start above this ratio (effective eviction_dirty_target).',
      (s) => s.thresholds.dirtyTargetRatio,
    ),
    gauge(
      'cache_dirty_trigger_ratio',
      'Application threads evict above this ratio (effective eviction_dirty_trigger).',
      (s) => s.thresholds.dirtyTriggerRatio,
    ),
    gauge(
      'cache_updates_target_ratio',
      'Eviction threads start above this ratio (effective eviction_updates_target).',
      (s) => s.thresholds.updatesTargetRatio,
    ),
    gauge(
      'cache_updates_trigger_ratio',
      'Application threads evict above this ratio (effective eviction_updates_trigger).',
      (s) => s.thresholds.updatesTriggerRatio,
    ),
    counter('cache_read_bytes_total', 'Bytes read into the cache since the server started.', [
      'cache.readBytes',
    ]),
    counter('cache_written_bytes_total', 'Bytes written from the cache since the server started.', [
      'cache.writtenBytes',
    ]),
    gauge(
      'eviction_threads_min',
      'Minimum number of eviction threads (effective threads_min).',
      (s) => s.eviction.threadsMin,
    ),
    gauge(
      'eviction_threads_max',
      'Maximum number of eviction threads (effective threads_max).',
      (s) => s.eviction.threadsMax,
    ),
    gauge(
      'eviction_threads_active',
      'Eviction threads that are active.',
      (s) => s.eviction.threadsActive,
    ),
    gauge(
      'eviction_client_ratio',
      'Share of evicted pages that application threads evicted, over the sample.',
      (s) => s.eviction.appRatio,
    ),
    gauge(
      'eviction_aggressive_score',
      'WiredTiger aggressive eviction score, 0 to 100.',
      (s) => s.eviction.aggressiveScore,
    ),
    counter('eviction_pages_total', 'Pages evicted since the server started.', [
      'eviction.cleanPages',
      'eviction.modifiedPages',
    ]),
    counter(
      'eviction_client_pages_total',
      'Pages that application threads tried to evict since the server started.',
      ['eviction.appPages'],
    ),
    gauge(
      'app_threads_reading',
      'Application threads reading pages, mean number over the sample.',
      (s) => s.clients.readingThreads,
    ),
    gauge(
      'app_threads_evicting',
      'Application threads evicting pages, mean number over the sample.',
      (s) => s.clients.evictingThreads,
    ),
    gauge(
      'app_threads_waiting',
      'Application threads waiting for cache space, including those that evict, mean ' +
        'number over the sample.',
      (s) => s.clients.waitingThreads,
    ),
    counter(
      'app_threads_reading_seconds_total',
      'Time that application threads spent reading pages since the server started; its ' +
        'rate is the mean number of threads.',
      ['eviction.appReadMicros'],
      MICROS_PER_SECOND,
    ),
    counter(
      'app_threads_evicting_seconds_total',
      'Time that application threads spent evicting since the server started; its rate is ' +
        'the mean number of threads.',
      ['eviction.appMicros'],
      MICROS_PER_SECOND,
    ),
    counter(
      'app_threads_waiting_seconds_total',
      'Time that application threads spent waiting for cache space since the server ' +
        'started; its rate is the mean number of threads.',
      ['eviction.waitMicros'],
      MICROS_PER_SECOND,
    ),
    gauge('checkpoint_running', 'Whether a checkpoint is running: 1 or 0.', (s) =>
      s.checkpoint.running === null ? null : Number(s.checkpoint.running),
    ),
    gauge('checkpoint_last_seconds', 'Duration of the last checkpoint.', (s) =>
      seconds(s.checkpoint.lastMs),
    ),
    gauge(
      'checkpoint_longest_seconds',
      'Duration of the longest checkpoint since the server started.',
      (s) => seconds(s.checkpoint.maxMs),
    ),
    counter('checkpoints_total', 'Checkpoints since the server started.', ['checkpoint.count']),
    readWriteGauge('tickets_in_use', 'Tickets in use: operations in the storage engine.', (s) => [
      s.tickets.readInUse,
      s.tickets.writeInUse,
    ]),
    readWriteGauge('tickets_limit', 'Total number of tickets.', (s) => [
      s.tickets.readTotal,
      s.tickets.writeTotal,
    ]),
    readWriteGauge(
      'operation_latency_seconds',
      'Mean latency of an operation over the sample.',
      (s) => [seconds(s.ops.readLatencyMs), seconds(s.ops.writeLatencyMs)],
    ),
    readWriteCounter(
      'operations_total',
      'Client operations since the server started: queries and getmores (read); inserts, ' +
        'updates and deletes (write).',
      {
        read: ['ops.queries', 'ops.getmores'],
        write: ['ops.inserts', 'ops.updates', 'ops.deletes'],
      },
    ),
    readWriteCounter('timed_operations_total', 'Operations counted in operation_seconds_total.', {
      read: ['latency.readOps'],
      write: ['latency.writeOps'],
    }),
    readWriteCounter(
      'operation_seconds_total',
      'Total latency of operations since the server started.',
      { read: ['latency.readMicros'], write: ['latency.writeMicros'], per: MICROS_PER_SECOND },
    ),
  ]),
);

module.exports = { METRICS };
