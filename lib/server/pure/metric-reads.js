'use strict';

const { secondsBetween } = require('./growth');
const { COMPLETED, difference, ratio, sum } = require('./metric-kit');
const { delta, rate, first, last, max, mean } = require('./window');
const { MICROS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { Counter, Counters } from './counters'
 * @import { Read } from './metric-kit'
 * @import { Window } from './window'
 */

/** Metrics that take more than a line. */

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

/**
 * WiredTiger's dirty trigger compares leaf bytes; older servers report leaf and internal pages
 * together.
 * @param {Window} w
 * @returns {Counter}
 */
const dirtyInput = (w) =>
  last(w, 'cache.dirtyLeafBytes') === undefined ? 'cache.dirtyBytes' : 'cache.dirtyLeafBytes';
/**
 * @param {'cleanHard' | 'dirtyHard' | 'updatesHard'} bit
 * @returns {Read} share of the samples in which application threads are made to evict for this reason
 */
const hardShare = (bit) => (w) => {
  const states = w.samples.flatMap((sample) => readEvictionState(sample.counters) ?? []);
  return states.length === 0
    ? undefined
    : states.filter((state) => state[bit]).length / states.length;
};

/**
 * Samples in which application threads had to evict for dirty or update data show where its trigger
 * is; fewer are chance, and older ones may be of another trigger.
 */
const LAST_HARD_SAMPLES = 5;
/**
 * @param {'dirtyHard' | 'updatesHard'} bit
 * @param {(w: Window) => Counter} input
 * @returns {Read} the highest share of the last such samples
 */
const hardLevel = (bit, input) => (w) => {
  const levels = w.samples
    .flatMap(({ counters }) =>
      readEvictionState(counters)?.[bit] ? (counters[input(w)] ?? []) : [],
    )
    .slice(-LAST_HARD_SAMPLES);
  return levels.length < LAST_HARD_SAMPLES
    ? undefined
    : ratio(Math.max(...levels), last(w, 'cache.maxBytes'));
};

/** Memory of the process beside its cache: connections, sorts, index builds. @param {Window} w */
const beyondCache = (w) => {
  const [resident, used] = [last(w, 'process.residentBytes'), last(w, 'cache.usedBytes')];
  return resident === undefined || used === undefined
    ? undefined
    : Math.max(0, resident - used - (last(w, 'process.freeHeapBytes') ?? 0));
};

/** Diagnostic data has the memory where hostInfo is not known. @type {Read} */
const memoryBytes = (w, f) => f.memLimitBytes ?? f.memoryBytes ?? last(w, 'memory.totalBytes');
/** @type {Read} */
const cores = (w, f) => f.cores ?? last(w, 'cpu.allowed') ?? last(w, 'cpu.logical');

/** @type {Read} bytes per second by which the cache filled or emptied */
const usedGrowth = (w) =>
  ratio(difference(last(w, 'cache.usedBytes'), first(w, 'cache.usedBytes')), w.seconds);

/** @param {'read' | 'write'} kind @returns {Read} */
const isSetAtStart =
  (kind) =>
  (w, { ticketsAtStart }) => {
    const total = last(w, `tickets.${kind}Total`);
    if (total === undefined || !ticketsAtStart) return undefined;
    return ticketsAtStart[kind] === total ? 1 : 0;
  };

module.exports = {
  completedPerSec,
  busyClients,
  longestGap,
  slowCalls,
  memberChanged,
  pinnedSeconds,
  slowestEviction,
  cachePressureShare,
  readEvictionState,
  missRatio,
  dirtyInput,
  hardShare,
  hardLevel,
  beyondCache,
  memoryBytes,
  cores,
  usedGrowth,
  isSetAtStart,
};
