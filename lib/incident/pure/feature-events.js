'use strict';

const { DISK } = require('./features');
const { quantile } = require('../../base/pure/statistics');
const { MS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { EventValues, FeatureRows, RawEvent } from '../types'
 */

/**
 * Events in the figures of a server: times in which one is far from usual. What is usual is the
 * third decile of the whole time, so that an incident may fill two thirds of it.
 *
 * @typedef {Omit<RawEvent, 'host' | 'evidence'>} Found
 * @typedef {{ usual: number, limit: number }} Level
 * @typedef {{
 *   feature: string, code: string, level(usual: number): number, seconds: number,
 *   values(peak: number, usual: number): EventValues, isLess?: true, isChange?: true,
 *   lastedMs?(first: number): number
 * }} Watch `level`: above it (with `isLess`, below it) is an event; `seconds`: for as long at least;
 *   `isChange`: what begins with the first samples is no event, since nothing shows what was before;
 *   `lastedMs`: by its first value, how long it had lasted when that was sampled
 */

const USUAL = 0.3;
/** Rows that are above, with a pause no longer than this between them, are one event (heuristic). */
const PAUSE_MS = 15_000;
/** Fewer rows show no usual value. */
const MIN_ROWS = 10;

/**
 * Thresholds of the project's own (heuristics), chosen so that quiet nights of a loaded test machine
 * have none of these events: what must be exceeded is a multiple of usual and a floor.
 */
const LIMITS = Object.freeze({
  /** Application threads blocked, on average over a second. */
  BLOCKED_THREADS: 1.5,
  BLOCKED_TIMES: 4,
  /** A second in which an operation takes this long on average is felt by people. */
  LATENCY_MS: 100,
  LATENCY_TIMES: 5,
  CONNECTIONS_MORE: 50,
  CONNECTIONS_TIMES: 2.5,
  TTL_PER_SEC: 500,
  TTL_TIMES: 5,
  LOAD_TIMES: 4,
  LOAD_PER_SEC: 200,
  /** Below this share of the usual load, the load is gone. */
  LOAD_GONE: 0.1,
  /** The server's own defaults, in which application threads help to evict. */
  DIRTY_TRIGGER: 0.2,
  CACHE_TRIGGER: 0.95,
  /** The default of flowControlTargetLagSeconds. */
  LAG_SECONDS: 10,
  MEMORY_LEFT: 0.03,
  SWAPPED_PER_SEC: 100,
  DISK_BUSY: 0.9,
  /**
   * All CPUs of the machine are this busy, whatever runs on it: then threads wait for their turn.
   */
  CPU_BUSY: 0.95,
  CPU_TIMES: 1.3,
  /** The time of one write of the journal to the disk: an HDD takes tens of ms, a busy one 200. */
  JOURNAL_SYNC_MS: 300,
  JOURNAL_SYNC_TIMES: 10,
  /** IDs pinned in one snapshot while others go on. */
  PINNED_IDS: 10_000,
});

/** @type {readonly Watch[]} */
const WATCHES = Object.freeze([
  {
    feature: 'blockedThreads',
    code: 'clients-blocked',
    seconds: 3,
    level: (usual) => Math.max(LIMITS.BLOCKED_THREADS, usual * LIMITS.BLOCKED_TIMES),
    values: (threads, usual) => ({ threads, usual }),
  },
  {
    feature: 'latencyMs',
    code: 'latency-up',
    seconds: 3,
    level: (usual) => Math.max(LIMITS.LATENCY_MS, usual * LIMITS.LATENCY_TIMES),
    values: (latencyMs, usualMs) => ({ latencyMs, usualMs }),
  },
  {
    feature: 'connections',
    code: 'connections-up',
    seconds: 0,
    level: (usual) => Math.max(usual + LIMITS.CONNECTIONS_MORE, usual * LIMITS.CONNECTIONS_TIMES),
    values: (connections, usual) => ({ connections, usual, perSec: null }),
  },
  {
    feature: 'ttlPerSec',
    code: 'ttl-burst',
    seconds: 0,
    level: (usual) => Math.max(LIMITS.TTL_PER_SEC, usual * LIMITS.TTL_TIMES),
    values: (perSec, usual) => ({ perSec, usual }),
  },
  {
    feature: 'opsPerSec',
    code: 'load-up',
    seconds: 5,
    isChange: true,
    level: (usual) => Math.max(LIMITS.LOAD_PER_SEC, usual * LIMITS.LOAD_TIMES),
    values: (perSec, usual) => ({ perSec, usual }),
  },
  {
    feature: 'opsPerSec',
    code: 'load-down',
    seconds: 5,
    isLess: true,
    isChange: true,
    level: (usual) => (usual >= LIMITS.LOAD_PER_SEC / 4 ? usual * LIMITS.LOAD_GONE : -1),
    values: (perSec, usual) => ({ perSec, usual }),
  },
  {
    feature: 'dirtyRatio',
    code: 'dirty-high',
    seconds: 2,
    level: () => LIMITS.DIRTY_TRIGGER * 0.98,
    values: (ratio) => ({ ratio, triggerRatio: LIMITS.DIRTY_TRIGGER }),
  },
  {
    feature: 'usedRatio',
    code: 'cache-full',
    seconds: 2,
    level: () => LIMITS.CACHE_TRIGGER * 0.99,
    values: (ratio) => ({ ratio, triggerRatio: LIMITS.CACHE_TRIGGER }),
  },
  {
    feature: 'majorityLagSeconds',
    code: 'majority-lag',
    seconds: 2,
    level: () => LIMITS.LAG_SECONDS,
    lastedMs: (seconds) => seconds * MS_PER_SECOND,
    values: (seconds) => ({ seconds }),
  },
  {
    feature: 'flowControlled',
    code: 'flow-control',
    seconds: 0,
    level: () => 0.5,
    values: () => ({}),
  },
  {
    feature: 'swappedPerSec',
    code: 'swapping',
    seconds: 3,
    level: (usual) => Math.max(LIMITS.SWAPPED_PER_SEC, usual * 5),
    values: (perSec) => ({ perSec }),
  },
  {
    feature: 'journalSyncMs',
    code: 'journal-slow',
    seconds: 2,
    level: (usual) => Math.max(LIMITS.JOURNAL_SYNC_MS, usual * LIMITS.JOURNAL_SYNC_TIMES),
    // Counted when it is over.
    lastedMs: (syncMs) => syncMs,
    values: (syncMs, usualMs) => ({ syncMs, usualMs }),
  },
  {
    feature: 'cpuBusyRatio',
    code: 'cpu-saturated',
    seconds: 5,
    // A machine that is always busy is no event of this night.
    level: (usual) => Math.max(LIMITS.CPU_BUSY, usual * LIMITS.CPU_TIMES),
    values: (busyRatio, usualRatio) => ({ busyRatio, usualRatio }),
  },
  {
    feature: 'memoryUsedRatio',
    code: 'memory-low',
    seconds: 3,
    level: () => 1 - LIMITS.MEMORY_LEFT,
    values: (ratio) => ({ ratio: 1 - ratio }),
  },
]);

/**
 * @param {FeatureRows} rows
 * @returns {Found[]}
 */
function featureEvents(rows) {
  if (rows.length < MIN_ROWS) return [];
  const disks = Object.keys(rows.columns).filter((name) => name.startsWith(DISK));
  return [
    ...WATCHES.flatMap((watch) => watched(rows, watch)),
    ...disks.flatMap((disk) => watched(rows, diskWatch(disk))),
    ...pinned(rows),
  ];
}

/** @param {string} feature @returns {Watch} */
const diskWatch = (feature) => ({
  feature,
  code: 'disk-saturated',
  seconds: 5,
  // A disk that is always busy is no event of this night.
  level: (usual) => Math.max(LIMITS.DISK_BUSY, Math.min(2, usual * 2)),
  values: (busyRatio, usualRatio) => ({
    device: feature.slice(DISK.length),
    busyRatio: Math.min(1, busyRatio),
    usualRatio,
  }),
});

/** @param {FeatureRows} rows @param {Watch} watch @returns {Found[]} */
function watched(rows, watch) {
  const { feature, code, seconds, level, values, isLess, isChange, lastedMs } = watch;
  const column = rows.columns[feature];
  if (column === undefined) return [];
  const usual = quantile(column, isLess ? 1 - USUAL : USUAL);
  if (Number.isNaN(usual)) return [];
  const limit = level(usual);
  const sign = isLess ? -1 : 1;
  const isOver = (/** @type {number} */ i) => sign * column[i] >= sign * limit;
  return runsOf(rows, isOver)
    .filter(
      ({ heldMs, from }) => heldMs >= seconds * MS_PER_SECOND && (!isChange || from >= MIN_ROWS),
    )
    .map(({ from, to, fromMs, toMs }) => {
      let peak = column[from];
      for (let i = from; i <= to; i++) if (sign * column[i] > sign * peak) peak = column[i];
      const began = Math.min(fromMs, rows.atMs[from] - (lastedMs?.(column[from]) ?? 0));
      return { code, fromMs: began, toMs, count: 1, values: values(peak, usual) };
    });
}

/**
 * Rows that fulfil a condition, as runs.
 * @param {FeatureRows} rows
 * @param {(i: number) => boolean} isIn
 * @returns {{ from: number, to: number, fromMs: number, toMs: number, heldMs: number }[]} `heldMs`: in
 *   all the rows that fulfil it
 */
function runsOf({ atMs, length, everyMs }, isIn) {
  /** @type {{ from: number, to: number, fromMs: number, toMs: number, heldMs: number }[]} */
  const found = [];
  for (let i = 0; i < length; i++) {
    if (!isIn(i)) continue;
    const last = found.at(-1);
    const stepMs = Math.min(i === 0 ? everyMs : atMs[i] - atMs[i - 1], PAUSE_MS);
    if (last !== undefined && atMs[i] - last.toMs <= PAUSE_MS)
      Object.assign(last, { to: i, toMs: atMs[i], heldMs: last.heldMs + stepMs });
    // A row says what was since the one before.
    else found.push({ from: i, to: i, fromMs: atMs[i] - stepMs, toMs: atMs[i], heldMs: stepMs });
  }
  return found;
}

/** A snapshot that stays open counts when history was kept for it for so long (heuristic). */
const PINNED_SECONDS = 10;

/**
 * An old snapshot: IDs are pinned without a pause, and a transaction is open.
 * @param {FeatureRows} rows
 * @returns {Found[]}
 */
function pinned(rows) {
  const { pinnedIds, openTransactions } = rows.columns;
  const usual = quantile(pinnedIds, USUAL);
  const limit = Math.max(LIMITS.PINNED_IDS, 5 * usual);
  return runsOf(rows, (i) => pinnedIds[i] >= limit && openTransactions[i] > 0)
    .filter(({ heldMs }) => heldMs >= PINNED_SECONDS * MS_PER_SECOND)
    .map(({ from, fromMs, toMs }) => ({
      code: 'history-pinned',
      fromMs,
      toMs,
      count: 1,
      values: { seconds: (toMs - fromMs) / MS_PER_SECOND, transactions: openTransactions[from] },
    }));
}

module.exports = { featureEvents };
