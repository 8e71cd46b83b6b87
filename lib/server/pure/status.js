'use strict';

const { metricsOf } = require('./metrics');
const { HEALTHY_THREADS, MIN_READING_THREADS, MIN_THREADS } = require('./thread-limits');
const { last, rate } = require('./window');
const { count } = require('../../base/pure/units');

/**
 * @import { Counter } from './counters'
 * @import { Metric, Metrics } from './metrics'
 * @import { Window } from './window'
 * @import { Facts } from './types'
 */

const SECONDS_PER_MINUTE = 60;
/** Seconds. Checkpoints come once a minute: in a shorter window the time since the start counts. */
const CHECKPOINT_WINDOW_SECONDS = 180;

/** @typedef {ReturnType<typeof statusOf>} Status */

/**
 * The figures of one sample, under the names a person reads. Ratios are 0 to 1; what is not known is
 * null.
 * @param {Window} window
 * @param {Facts} facts
 * @param {Metrics} [metrics] of them, where they are worked out already
 */
function statusOf(window, facts, metrics = metricsOf(window, facts)) {
  /** @type {Get} */
  const get = (name) => metrics[name] ?? null;
  return {
    at: window.to,
    host: facts.host,
    version: facts.version,
    role: facts.role,
    engine: facts.engine,
    seconds: window.seconds,
    cache: cacheOf(get, window),
    eviction: evictionOf(get, window),
    checkpoint: checkpointOf(get, window),
    tickets: ticketsOf(window),
    clients: {
      readingThreads: get('clients.readingThreads'),
      evictingThreads: get('clients.evictingThreads'),
      waitingThreads: get('clients.waitingThreads'),
    },
    ops: {
      readsPerSec: get('ops.readsPerSec'),
      writesPerSec: get('ops.writesPerSec'),
      readLatencyMs: get('ops.readLatencyMs'),
      writeLatencyMs: get('ops.writeLatencyMs'),
    },
    thresholds: {
      targetRatio: get('config.targetRatio'),
      triggerRatio: get('config.triggerRatio'),
      dirtyTargetRatio: get('config.dirtyTargetRatio'),
      dirtyTriggerRatio: get('config.dirtyTriggerRatio'),
      updatesTargetRatio: get('config.updatesTargetRatio'),
      updatesTriggerRatio: get('config.updatesTriggerRatio'),
    },
  };
}

/** @typedef {(name: Metric) => number | null} Get */

/**
 * Levels at the end of the window, so that bytes and ratio are of one moment.
 * @param {Get} get
 * @param {Window} window
 */
function cacheOf(get, window) {
  const maxBytes = get('cache.maxBytes');
  const level = (/** @type {Counter} */ name) => last(window, name) ?? null;
  const ratio = (/** @type {number | null} */ bytes) =>
    bytes === null || !maxBytes ? null : bytes / maxBytes;
  const [usedBytes, dirtyBytes, updatesBytes] = [
    level('cache.usedBytes'),
    level('cache.dirtyBytes'),
    level('cache.updatesBytes'),
  ];
  return {
    maxBytes,
    usedBytes,
    usedRatio: ratio(usedBytes),
    dirtyBytes,
    dirtyRatio: ratio(dirtyBytes),
    updatesBytes,
    updatesRatio: ratio(updatesBytes),
    readBytesPerSec: get('cache.readBytesPerSec'),
    writtenBytesPerSec: get('cache.writtenBytesPerSec'),
  };
}

/** @param {Get} get @param {Window} window */
const evictionOf = (get, window) => ({
  threadsMin: get('config.threadsMin'),
  threadsMax: get('config.threadsMax'),
  threadsActive: last(window, 'eviction.threadsActive') ?? null,
  pagesPerSec: get('eviction.pagesPerSec'),
  appPagesPerSec: get('eviction.appPagesPerSec'),
  appRatio: get('eviction.appRatio'),
  appMsPerSec: perThousand(rate(window, 'eviction.appMicros')),
  aggressiveScore: last(window, 'eviction.aggressiveScore') ?? null,
});

/** @param {Get} get @param {Window} window */
const checkpointOf = (get, window) => ({
  running: running(last(window, 'checkpoint.running')),
  lastMs: get('checkpoint.lastMs'),
  maxMs: get('checkpoint.maxMs'),
  perMinute: perMinute(window),
});

/** @param {Window} window */
const ticketsOf = (window) => ({
  readInUse: last(window, 'tickets.readInUse') ?? null,
  readTotal: last(window, 'tickets.readTotal') ?? null,
  writeInUse: last(window, 'tickets.writeInUse') ?? null,
  writeTotal: last(window, 'tickets.writeTotal') ?? null,
});

/** @param {number | undefined} micros */
const perThousand = (micros) => (micros === undefined ? null : micros / 1000);
/** @param {number | undefined} phase */
const running = (phase) => (phase === undefined ? null : phase > 0);

/** Milliseconds: a younger server made most of its checkpoints while it started; project heuristic. */
const SETTLED_MS = 5 * 60_000;

/** @param {Window} window @returns {number | null} null: not known of so short a time */
function perMinute(window) {
  const seen = rate(window, 'checkpoint.count');
  if (seen !== undefined && window.seconds >= CHECKPOINT_WINDOW_SECONDS)
    return seen * SECONDS_PER_MINUTE;
  const { uptimeMs } = window.samples[window.samples.length - 1];
  const sinceStart = last(window, 'checkpoint.count');
  return sinceStart === undefined || uptimeMs === null || uptimeMs < SETTLED_MS
    ? null
    : (sinceStart * 1000 * SECONDS_PER_MINUTE) / uptimeMs;
}

/**
 * Evicting and waiting for the cache are counted by two counters that overlap: the larger counts.
 * @param {Status['clients']} clients
 * @returns {number | null} mean threads; null where none of them is reported
 */
function blockedThreads({ readingThreads, evictingThreads, waitingThreads }) {
  const known = [readingThreads, evictingThreads, waitingThreads].filter((n) => n !== null);
  return known.length === 0
    ? null
    : (readingThreads ?? 0) + Math.max(evictingThreads ?? 0, waitingThreads ?? 0);
}

/**
 * Figures that add up to the blocked threads: of the two that overlap the larger one, and the other
 * as a part of it.
 * @param {Status['clients']} clients
 */
function blockedWords({ readingThreads, evictingThreads, waitingThreads }) {
  const reading = `reading pages ${count(readingThreads)}`;
  const [waiting, evicting] = [
    `waiting for cache space ${count(waitingThreads)}`,
    `evicting pages ${count(evictingThreads)}`,
  ];
  if (evictingThreads === null || (!waitingThreads && !evictingThreads))
    return `${reading}, ${waiting}`;
  if (waitingThreads === null) return `${reading}, ${evicting}`;
  return evictingThreads > waitingThreads
    ? `${reading}, ${evicting}, of which waiting ${count(waitingThreads)}`
    : `${reading}, ${waiting}, of which evicting ${count(evictingThreads)}`;
}

/**
 * Judges as the rules do, but without the share of the clients' time, which a status does not know.
 * @param {Status['clients']} clients
 * @returns {'ok' | 'info' | 'warning' | 'unknown'}
 */
function blockedStatus(clients) {
  const blocked = blockedThreads(clients);
  if (blocked === null) return 'unknown';
  const reading = clients.readingThreads ?? 0;
  if (reading >= MIN_READING_THREADS || blocked - reading >= MIN_THREADS) return 'warning';
  return blocked > HEALTHY_THREADS ? 'info' : 'ok';
}

module.exports = { statusOf, blockedThreads, blockedStatus, blockedWords };
