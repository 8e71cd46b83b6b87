'use strict';

const { MS_PER_SECOND, MICROS_PER_SECOND } = require('../../../base/pure/units');

/**
 * @import { Counter } from '../../../server/pure/counters'
 * @import { Status } from '../../../server/pure/status'
 */

/**
 * What tune.status() shows, under names that Prometheus' naming rules ask for: base units (seconds,
 * bytes, ratio), `_total` for counters alone, no unit shortened. A rate is exported as the server's own
 * counter, so that rate() computes it over any time.
 *
 * @typedef {{ status: Status, counter(name: Counter): number | null }} Seen `counter`: as the server
 *   told it last
 * @typedef {{
 *   name: string, type: 'gauge' | 'counter', help: string, label?: string,
 *   of: Readonly<Record<string, (seen: Seen) => number | null>>
 * }} Metric
 *   `of`: one value for each value of `label`; without a label the one under the empty name
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
 * @param {readonly Counter[]} counters that are added up
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
 * @returns {(seen: Seen) => number | null} null where one of them is not reported
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
    gauge('cache_max_bytes', 'How large the cache may be.', (s) => s.cache.maxBytes),
    gauge('cache_used_bytes', 'What is in the cache.', (s) => s.cache.usedBytes),
    gauge('cache_dirty_bytes', 'What in the cache is not written yet.', (s) => s.cache.dirtyBytes),
    gauge(
      'cache_updates_bytes',
      'Changes that are kept in memory beside their pages.',
      (s) => s.cache.updatesBytes,
    ),
    gauge(
      'cache_used_ratio',
      'How full the cache is; a busy healthy one stands at its target.',
      (s) => s.cache.usedRatio,
    ),
    gauge('cache_dirty_ratio', 'How much of the cache is dirty.', (s) => s.cache.dirtyRatio),
    gauge('cache_updates_ratio', 'How much of the cache are updates.', (s) => s.cache.updatesRatio),
    gauge(
      'cache_used_target_ratio',
      'Above it eviction threads work (eviction_target in effect).',
      (s) => s.thresholds.targetRatio,
    ),
    gauge(
      'cache_used_trigger_ratio',
      'Above it application threads must evict (eviction_trigger in effect).',
      (s) => s.thresholds.triggerRatio,
    ),
    gauge(
      'cache_dirty_target_ratio',
      'Above it eviction threads write (eviction_dirty_target in effect).',
      (s) => s.thresholds.dirtyTargetRatio,
    ),
    gauge(
      'cache_dirty_trigger_ratio',
      'Above it application threads must evict (eviction_dirty_trigger in effect).',
      (s) => s.thresholds.dirtyTriggerRatio,
    ),
    gauge(
      'cache_updates_target_ratio',
      'Above it eviction threads work (eviction_updates_target in effect).',
      (s) => s.thresholds.updatesTargetRatio,
    ),
    gauge(
      'cache_updates_trigger_ratio',
      'Above it application threads must evict (eviction_updates_trigger in effect).',
      (s) => s.thresholds.updatesTriggerRatio,
    ),
    counter('cache_read_bytes_total', 'Read into the cache since the server started.', [
      'cache.readBytes',
    ]),
    counter('cache_written_bytes_total', 'Written from the cache since the server started.', [
      'cache.writtenBytes',
    ]),
    gauge(
      'eviction_threads_min',
      'The fewest eviction threads (threads_min in effect).',
      (s) => s.eviction.threadsMin,
    ),
    gauge(
      'eviction_threads_max',
      'The most eviction threads (threads_max in effect).',
      (s) => s.eviction.threadsMax,
    ),
    gauge('eviction_threads_active', 'Eviction threads active.', (s) => s.eviction.threadsActive),
    gauge(
      'eviction_client_ratio',
      'Share of the pages that clients had to evict themselves, over the window.',
      (s) => s.eviction.appRatio,
    ),
    gauge(
      'eviction_aggressive_score',
      'How desperate eviction is, 0 to 100.',
      (s) => s.eviction.aggressiveScore,
    ),
    counter('eviction_pages_total', 'Pages evicted since the server started.', [
      'eviction.cleanPages',
      'eviction.modifiedPages',
    ]),
    counter(
      'eviction_client_pages_total',
      'Pages that clients tried to evict since the server started.',
      ['eviction.appPages'],
    ),
    gauge(
      'app_threads_reading',
      'Client threads that read pages, on average over the window.',
      (s) => s.clients.readingThreads,
    ),
    gauge(
      'app_threads_evicting',
      'Client threads that evict pages, on average over the window.',
      (s) => s.clients.evictingThreads,
    ),
    gauge(
      'app_threads_waiting',
      'Client threads that wait for room in the cache, those that evict among them, on ' +
        'average over the window.',
      (s) => s.clients.waitingThreads,
    ),
    counter(
      'app_threads_reading_seconds_total',
      'Time of clients spent reading pages since the server started; its rate is a mean ' +
        'number of threads.',
      ['eviction.appReadMicros'],
      MICROS_PER_SECOND,
    ),
    counter(
      'app_threads_evicting_seconds_total',
      'Time of clients spent evicting since the server started; its rate is a mean number of ' +
        'threads.',
      ['eviction.appMicros'],
      MICROS_PER_SECOND,
    ),
    counter(
      'app_threads_waiting_seconds_total',
      'Time of clients spent waiting for cache space since the server started; its ' +
        'rate is a mean number of threads.',
      ['eviction.waitMicros'],
      MICROS_PER_SECOND,
    ),
    gauge('checkpoint_running', 'Whether a checkpoint runs: 1 or 0.', (s) =>
      s.checkpoint.running === null ? null : Number(s.checkpoint.running),
    ),
    gauge('checkpoint_last_seconds', 'How long the last checkpoint took.', (s) =>
      seconds(s.checkpoint.lastMs),
    ),
    gauge(
      'checkpoint_longest_seconds',
      'How long the longest checkpoint since the server started took.',
      (s) => seconds(s.checkpoint.maxMs),
    ),
    counter('checkpoints_total', 'Checkpoints since the server started.', ['checkpoint.count']),
    readWriteGauge('tickets_in_use', 'Operations inside the storage engine.', (s) => [
      s.tickets.readInUse,
      s.tickets.writeInUse,
    ]),
    readWriteGauge('tickets_limit', 'How many may be inside at once.', (s) => [
      s.tickets.readTotal,
      s.tickets.writeTotal,
    ]),
    readWriteGauge(
      'operation_latency_seconds',
      'Mean time of an operation over the window.',
      (s) => [seconds(s.ops.readLatencyMs), seconds(s.ops.writeLatencyMs)],
    ),
    readWriteCounter(
      'operations_total',
      'Operations of clients since the server started: queries and getmores, inserts, ' +
        'updates and deletes.',
      {
        read: ['ops.queries', 'ops.getmores'],
        write: ['ops.inserts', 'ops.updates', 'ops.deletes'],
      },
    ),
    readWriteCounter('timed_operations_total', 'Operations that operation_seconds_total is of.', {
      read: ['latency.readOps'],
      write: ['latency.writeOps'],
    }),
    readWriteCounter(
      'operation_seconds_total',
      'Time that operations took since the server started.',
      { read: ['latency.readMicros'], write: ['latency.writeMicros'], per: MICROS_PER_SECOND },
    ),
  ]),
);

module.exports = { METRICS };
