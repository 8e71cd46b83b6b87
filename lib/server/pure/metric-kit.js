'use strict';

const { secondsBetween } = require('./growth');
const { delta, rate, rates, first, last, max, mean } = require('./window');
const { toRatio } = require('../../config/setting-table');
const { MICROS_PER_SECOND, MICROS_PER_MS } = require('../../base/pure/units');

/**
 * @import { SettingName } from '../../base/types'
 * @import { Counter, Counters } from './counters'
 * @import { Window } from './window'
 * @import { Facts } from './types'
 */

/**
 * Small parts that metrics are made of. A metric is read by a function of a window and the facts that
 * answers one number, or nothing where its inputs are not known.
 * @typedef {(window: Window, facts: Facts) => number | null | undefined} Read
 */

const COMPLETED = /** @type {const} */ ([
  'ops.inserts',
  'ops.queries',
  'ops.updates',
  'ops.deletes',
  'ops.getmores',
  'ops.aggregates',
]);

/**
 * @param {number | null | undefined} a
 * @param {number | null | undefined} b
 * @returns {number | undefined} a ÷ b, where that says anything
 */
const ratio = (a, b) => (a === undefined || a === null || !b ? undefined : a / b);

/**
 * @param {(number | undefined)[]} terms
 * @returns {number | undefined} sum of what is known; unknown when nothing is
 */
const sum = (...terms) =>
  terms.reduce((total, term) => (term === undefined ? total : (total ?? 0) + term), undefined);

/** @param {Counter[]} names @returns {Read} growth per second of all together */
const perSec =
  (...names) =>
  (w) =>
    sum(...names.map((name) => rate(w, name)));

/**
 * Mean number of application threads so busy: microseconds spent per second ÷ 1e6.
 * @param {Counter} name
 * @returns {Read}
 */
const threads = (name) => (w) => ratio(rate(w, name), MICROS_PER_SECOND);

/**
 * Mean ms of one, over the window.
 * @param {Counter} micros
 * @param {Counter} number
 * @returns {Read}
 */
const msEach = (micros, number) => (w) =>
  ratio(ratio(delta(w, micros), delta(w, number)), MICROS_PER_MS);

/**
 * Reads a counter as a share of the cache.
 * @param {Counter} name
 * @param {(w: Window, name: Counter) => number | undefined} how
 * @returns {Read}
 */
const ofCache = (name, how) => (w) => ratio(how(w, name), last(w, 'cache.maxBytes'));

/**
 * An effective threshold, as a share of the cache: live where the server reports it (9.0), else
 * computed from defaults, start-up options, log and journal.
 * @param {Counter} live
 * @param {SettingName} setting
 * @returns {Read}
 */
const threshold =
  (live, setting) =>
  (w, { config }) => {
    const value = last(w, live) ?? config?.[setting].value ?? undefined;
    const maxBytes = last(w, 'cache.maxBytes');
    return value === undefined || maxBytes === undefined ? undefined : toRatio(value, maxBytes);
  };

/**
 * 0 means half of the dirty one (WiredTiger, src/conn/conn_cache.c).
 * @param {Read} own
 * @param {Read} dirty
 * @returns {Read}
 */
const orHalf = (own, dirty) => (w, f) => own(w, f) || ratio(dirty(w, f), 2);

/**
 * Operations completed in each second or interval.
 * @param {Window} w
 * @returns {number[]} per second
 */
function completedSeries(w) {
  const series = COMPLETED.map((name) => rates(w, name)).filter((list) => list.length > 0);
  const length = Math.min(...series.map((list) => list.length));
  return series.length === 0
    ? []
    : Array.from({ length }, (_, i) => series.reduce((total, list) => total + list[i], 0));
}

/**
 * Counts the operations that the server was asked for, as the larger of two counts. Before 9.0 an
 * aggregation counts as a command, so that the counters of operations miss it; opLatencies counts
 * it, but a batch of inserts once.
 * @type {Read}
 */
const completedPerSec = (w) => {
  const known = [
    sum(...COMPLETED.map((name) => rate(w, name))),
    sum(rate(w, 'latency.readOps'), rate(w, 'latency.writeOps')),
  ].flatMap((n) => n ?? []);
  return known.length === 0 ? undefined : Math.max(...known);
};

/**
 * Client threads active in the server. By Little's law the time that operations took, per second,
 * is the mean number of operations in the server; those that only wait for news (change streams,
 * replication) do not count on 4.4, 5.0 and 6.0 (measured). The gauge of active clients is only the
 * second best: it sees none of the short operations between two samples.
 * @type {Read}
 */
const busyClients = (w) =>
  ratio(sum(rate(w, 'latency.readMicros'), rate(w, 'latency.writeMicros')), MICROS_PER_SECOND) ??
  mean(w, 'clients.active');

/** @type {Read} longest time without a sample, seconds */
const longestGap = (w) =>
  w.samples
    .slice(1)
    .reduce((longest, sample, i) => Math.max(longest, secondsBetween(w.samples[i], sample)), 0);

const COUNTED_MS = /** @type {const} */ (['50Ms', '100Ms', '250Ms', '500Ms', '1000Ms']);
/**
 * Calls into the file system that took 50 ms and more.
 * @param {'reads' | 'writes'} side
 * @returns {Read}
 */
const slowCalls = (side) => (w) => {
  const calls = sum(...COUNTED_MS.map((from) => delta(w, `fileSystem.${side}${from}`)));
  const blocks =
    side === 'reads' ? sum(...COUNTED_MS.map((from) => delta(w, `blockReads.${from}`))) : undefined;
  return blocks === undefined ? calls : Math.max(calls ?? 0, blocks);
};

/** @type {Read} 1: the member, or its set, is another than before; 0: it is not */
const memberChanged = (w) => {
  const parts = /** @type {const} */ (['member.isPrimary', 'member.isSecondary']).map((name) =>
    w.samples.flatMap(({ counters }) => counters[name] ?? []),
  );
  const initiated = delta(w, 'member.initiated');
  if (initiated) return 1;
  if (parts.some((values) => values.length === 0)) return undefined;
  const isNeither = parts.every((values) => !values.at(-1));
  const isOther = parts.some((values) => new Set(values).size > 1);
  if (isNeither || isOther) return 1;
  return initiated === undefined ? undefined : 0;
};

/** A timestamp has its seconds in the upper half. */
const TIMESTAMPS_PER_SECOND = 2 ** 32;
/** Without a stable timestamp the oldest counts as 0, so that the range begins in 1970. */
const LONGEST_PINNED_SECONDS = 10 * 365 * 86_400;
/** @param {Window} w @param {typeof last} which @returns {number | undefined} */
const pinnedSeconds = (w, which) => {
  const seconds = ratio(which(w, 'transaction.pinnedTimestamps'), TIMESTAMPS_PER_SECOND);
  return seconds === undefined || seconds > LONGEST_PINNED_SECONDS ? undefined : seconds;
};

/**
 * Finds the slowest eviction of a page. The gauge since the start describes the window only where
 * it grew.
 * @type {Read}
 */
function slowestEviction(w) {
  const inCheckpoints = max(w, 'eviction.slowestMs');
  if (inCheckpoints !== undefined) return inCheckpoints;
  const [before, after] = [
    first(w, 'eviction.slowestSinceStartMs'),
    last(w, 'eviction.slowestSinceStartMs'),
  ];
  if (before === undefined || after === undefined) return undefined;
  return after > before ? after : 0;
}

/**
 * Share of the samples in which mongod's monitor sees clients wait and too much dirty or update data:
 * what it aborts transactions for (wiredtiger_cache_pressure_monitor.cpp).
 * @type {Read}
 */
function cachePressureShare(w) {
  const seen = w.samples.filter(({ counters }) => counters['cachePressure.waits'] !== undefined);
  const under = seen.filter(
    ({ counters: c }) =>
      c['cachePressure.waits'] && (c['cachePressure.dirty'] || c['cachePressure.updates']),
  );
  return ratio(under.length, seen.length);
}

/** @param {number | undefined} end @param {number | undefined} start */
const difference = (end, start) =>
  end === undefined || start === undefined ? undefined : end - start;

// Bits of "eviction state" (WiredTiger src/include/cache.h). 7.0 dropped DEBUG (4), so all later
// bits moved down by one place.
const UNTIL_6 = Object.freeze({
  CLEAN: 1,
  CLEAN_HARD: 2,
  DIRTY: 8,
  DIRTY_HARD: 16,
  UPDATES: 128,
  UPDATES_HARD: 256,
});
const SINCE_7 = Object.freeze({
  CLEAN: 1,
  CLEAN_HARD: 2,
  DIRTY: 4,
  DIRTY_HARD: 8,
  UPDATES: 64,
  UPDATES_HARD: 128,
});

/**
 * Decodes what eviction works on; `…Hard`: application threads have to evict right now.
 * @param {Counters} counters the mark, not the version, decides the meaning of the bits; before 4.4
 *   they are not read, since 3.4, 3.6, 4.0 and 4.2 all differ
 * @returns {{
 *   clean: boolean, cleanHard: boolean, dirty: boolean, dirtyHard: boolean, updates: boolean,
 *   updatesHard: boolean
 * } | null}
 */
function readEvictionState(counters) {
  const state = counters['eviction.state'];
  if (state === undefined || counters['eviction.oldStateMark'] !== undefined) return null;
  const bits = counters['eviction.stateMark'] === undefined ? UNTIL_6 : SINCE_7;
  const has = (/** @type {number} */ bit) => (state & bit) !== 0;
  return {
    clean: has(bits.CLEAN),
    cleanHard: has(bits.CLEAN_HARD),
    dirty: has(bits.DIRTY),
    dirtyHard: has(bits.DIRTY_HARD),
    updates: has(bits.UPDATES),
    updatesHard: has(bits.UPDATES_HARD),
  };
}

/**
 * Pages that are read without a request of their own, such as by compact, are no misses.
 * @type {Read}
 */
const missRatio = (w) => {
  const share = ratio(delta(w, 'cache.pagesRead'), delta(w, 'cache.pagesRequested'));
  return share === undefined || share > 1 ? undefined : share;
};

module.exports = {
  missRatio,
  slowCalls,
  memberChanged,
  pinnedSeconds,
  difference,
  busyClients,
  longestGap,
  slowestEviction,
  cachePressureShare,
  ratio,
  sum,
  perSec,
  threads,
  msEach,
  ofCache,
  threshold,
  orHalf,
  COMPLETED,
  completedSeries,
  completedPerSec,
  readEvictionState,
};
