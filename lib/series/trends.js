'use strict';

const { DEFAULT_SYNCDELAY_SECONDS } = require('../server/pure/facts');
const { quantile } = require('../base/pure/statistics');
const { GiB, MICROS_PER_MS, MiB, MS_PER_DAY, MS_PER_SECOND } = require('../base/pure/units');
const { toRatio } = require('../config/setting-table');
const { freeSpaceOf } = require('../server/pure/system-counters');

/**
 * @import { Counter, Counters } from '../server/pure/counters'
 * @import { Facts } from '../server/pure/types'
 * @import { Point } from './plot'
 */

/**
 * Finds what grows from day to day in a recording of two days or more. Slopes are taken between
 * times that are whole days apart: in a daily rhythm, the same hours of two days differ only by the
 * growth.
 *
 * @typedef {'memory' | 'connections' | 'space' | 'history' | 'cache' | 'checkpoints' | 'handles' |
 *   'readLatency' | 'writeLatency'} TrendName
 * @typedef {{
 *   name: TrendName, from: number, to: number, perDay: number, days: number, fromMs: number,
 *   toMs: number, limit: number | null, limitMs: number | null
 * }} Trend `from`, `to`: medians of the first day and of the last; `limitMs`: when the limit is met at
 *   this pace, null where no limit is known
 * @typedef {{ now: Counters, before: Counters | null }} Moment `before`: the point that it
 *   follows
 * @typedef {{
 *   least: number, value(moment: Moment, facts: Facts): number | undefined,
 *   limit?(now: Counters, facts: Facts): number | undefined, falls?: boolean
 * }} Watched `least`: a smaller change is of no weight; `falls`: it is trouble when it becomes less
 */

/** A recording of fewer days shows no growth from day to day. */
const MIN_DAYS = 2;
/** Parts of a day; the median of each is what counts. */
const PARTS = 4;
const PART_MS = MS_PER_DAY / PARTS;
/** Share of the pairs of times, whole days apart, that must agree (heuristic). */
const AGREEING = 0.9;
/**
 * A single step with more than this share of the whole change means that the value rose once and
 * does not grow (heuristic).
 */
const ONE_STEP = 0.6;
/** Grown by less it is no trend, unless its limit is near (heuristic). */
const GROWN = 0.2;
/** Days in which a limit is near (heuristic). */
const NEAR_DAYS = 30;
/** WiredTiger's default eviction_target, percent. */
const DEFAULT_TARGET = 80;

/** @param {Counter} name @returns {Watched['value']} */
const gauge =
  (name) =>
  ({ now }) =>
    now[name];

/** @param {Counter} micros @param {Counter} ops @returns {Watched['value']} */
const meanMs =
  (micros, ops) =>
  ({ now, before }) => {
    const grown = (/** @type {Counter} */ name) => (now[name] ?? NaN) - (before?.[name] ?? NaN);
    return grown(micros) / grown(ops) / MICROS_PER_MS;
  };

/** @param {Counters} now @param {Facts} facts */
const memoryOf = (now, { memLimitBytes, memoryBytes }) =>
  memLimitBytes ?? memoryBytes ?? now['memory.totalBytes'];

/** @type {Readonly<Record<TrendName, Watched>>} */
const WATCHED = Object.freeze({
  memory: {
    least: 256 * MiB,
    value: ({ now }) =>
      (now['process.residentBytes'] ?? NaN) -
      (now['cache.usedBytes'] ?? NaN) -
      (now['process.freeHeapBytes'] ?? 0),
    limit: (now, facts) => (memoryOf(now, facts) ?? NaN) - (now['cache.maxBytes'] ?? NaN),
  },
  connections: {
    least: 50,
    value: gauge('connections.current'),
    limit: (now) => (now['connections.current'] ?? NaN) + (now['connections.available'] ?? NaN),
  },
  space: {
    least: GiB,
    value: ({ now }, { dbPath }) => (dbPath === null ? undefined : freeSpaceOf(now, dbPath)),
    limit: () => 0,
    falls: true,
  },
  history: { least: GiB, value: gauge('cache.historyOnDiskBytes') },
  cache: {
    least: 0.05,
    value: ({ now }) => (now['cache.usedBytes'] ?? NaN) / (now['cache.maxBytes'] ?? NaN),
    limit: (now, { config }) =>
      toRatio(config?.evictionTarget.value ?? DEFAULT_TARGET, now['cache.maxBytes'] ?? NaN),
  },
  checkpoints: {
    least: 5000,
    value: gauge('checkpoint.lastMs'),
    limit: (_, { config }) =>
      (config?.syncdelaySeconds.value ?? DEFAULT_SYNCDELAY_SECONDS) * MS_PER_SECOND,
  },
  handles: { least: 1000, value: gauge('handles.active') },
  readLatency: { least: 2, value: meanMs('latency.readMicros', 'latency.readOps') },
  writeLatency: { least: 2, value: meanMs('latency.writeMicros', 'latency.writeOps') },
});

/**
 * @param {readonly Point[]} points of the whole recording
 * @param {Facts} facts
 * @returns {Trend[] | null} null: shorter than two days
 */
function trendsOf(points, facts) {
  const first = points.at(0)?.sample.atMs ?? NaN;
  const last = points.at(-1)?.sample.atMs ?? NaN;
  if (!(last - first >= MIN_DAYS * MS_PER_DAY)) return null;
  return Object.entries(WATCHED).flatMap(([name, watched]) => {
    const parts = partsOf(points, (moment) => watched.value(moment, facts));
    const grown = growthOf(parts, watched);
    if (grown === null) return [];
    const limit = known(watched.limit?.(points[points.length - 1].sample.counters, facts));
    const limitMs = momentOfLimit(grown, limit, last);
    const isNear = limitMs !== null && limitMs - last <= NEAR_DAYS * MS_PER_DAY;
    if (!isNear && Math.abs(grown.to - grown.from) < GROWN * Math.abs(grown.from)) return [];
    return [
      {
        name: /** @type {TrendName} */ (name),
        ...grown,
        fromMs: first,
        toMs: last,
        days: (last - first) / MS_PER_DAY,
        limit,
        limitMs,
      },
    ];
  });
}

/**
 * The median of each quarter of a day.
 * @param {readonly Point[]} points
 * @param {(moment: Moment) => number | undefined} value
 * @returns {number[]} NaN where nothing is known
 */
function partsOf(points, value) {
  const fromMs = points[0].sample.atMs;
  /** @type {number[][]} */
  const parts = [];
  points.forEach(({ sample, follows }, i) => {
    const before = follows ? points[i - 1].sample.counters : null;
    const found = value({ now: sample.counters, before });
    const n = Math.max(0, Math.floor((sample.atMs - fromMs) / PART_MS));
    if (found !== undefined && Number.isFinite(found)) (parts[n] ??= []).push(found);
  });
  return Array.from(parts, (values) => quantile(values ?? [], 0.5));
}

/**
 * @param {readonly number[]} parts
 * @param {Watched} watched
 * @returns {{ from: number, to: number, perDay: number } | null} null: it does not grow steadily
 */
function growthOf(parts, { least, falls = false }) {
  const sign = falls ? -1 : 1;
  const slopes = parts.flatMap((then, i) =>
    parts.flatMap((now, j) =>
      j > i && (j - i) % PARTS === 0 && !Number.isNaN(now - then)
        ? [(now - then) / ((j - i) / PARTS)]
        : [],
    ),
  );
  const agreeing = slopes.filter((slope) => slope * sign > 0).length;
  if (slopes.length < PARTS || agreeing < AGREEING * slopes.length || isOneStep(parts)) return null;
  const [from, to] = [parts.slice(0, PARTS), parts.slice(-PARTS)].map((day) => quantile(day, 0.5));
  if (!((to - from) * sign >= least)) return null;
  return { from, to, perDay: quantile(slopes, 0.5) };
}

/** Whether a value rose once, which is no growth. @param {readonly number[]} parts */
function isOneStep(parts) {
  const seen = parts.filter((value) => !Number.isNaN(value));
  const steps = seen.slice(1).map((value, i) => Math.abs(value - seen[i]));
  return Math.max(...steps) > ONE_STEP * steps.reduce((sum, step) => sum + step, 0);
}

/**
 * @param {{ to: number, perDay: number }} grown
 * @param {number | null} limit
 * @param {number} lastMs
 * @returns {number | null} null: not known
 */
function momentOfLimit({ to, perDay }, limit, lastMs) {
  if (limit === null) return null;
  const days = (limit - to) / perDay;
  return lastMs + Math.max(0, days) * MS_PER_DAY;
}

/** @param {number | undefined} value */
const known = (value) => (value !== undefined && Number.isFinite(value) ? value : null);

module.exports = { trendsOf, GROWN, NEAR_DAYS };
