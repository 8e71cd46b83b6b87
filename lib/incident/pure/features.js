'use strict';

const { MICROS_PER_SECOND, MICROS_PER_MS, MS_PER_SECOND } = require('../../base/pure/units');
const { disksIn } = require('../../server/pure/system-counters');
const { readerAt, secondsBetween } = require('../../series/columns');

/**
 * @import { Counter } from '../../server/pure/counters'
 * @import { MetricOfDisk } from '../../server/pure/system-counters'
 * @import { Columns, Position, ReadCounter } from '../../series/columns'
 * @import { FeatureRows } from '../types'
 */

/**
 * The features by which events are found, a row for each sample. Where there are too many rows, two
 * become one: it keeps the greater value, and the mean of operations.
 *
 * @typedef {(now: ReadCounter, before: ReadCounter, seconds: number) => number} Formula NaN: not known
 */

/** A day of one sample a second is kept whole; the columns of this many rows take 20 MB. */
const MAX_ROWS = 100_000;

/** @param {ReadCounter} now @param {ReadCounter} before @param {Counter} name */
const growth = (now, before, name) => {
  const by = now(name) - before(name);
  return by >= 0 ? by : NaN;
};
/** @param {number} value */
const orZero = (value) => (value > 0 ? value : 0);
/** @param {Counter} name @returns {Formula} */
const perSec = (name) => (now, before, seconds) => growth(now, before, name) / seconds;
/** @param {Counter} name @returns {Formula} */
const ofCache = (name) => (now) => now(name) / now('cache.maxBytes');
/** @param {ReadCounter} now @param {ReadCounter} before */
const operations = (now, before) =>
  growth(now, before, 'latency.readOps') + growth(now, before, 'latency.writeOps');

/** @type {Readonly<Record<string, Formula>>} */
const FEATURES = Object.freeze({
  opsPerSec: (now, before, seconds) => operations(now, before) / seconds,
  latencyMs: (now, before) => {
    const done = operations(now, before);
    const micros =
      growth(now, before, 'latency.readMicros') + growth(now, before, 'latency.writeMicros');
    return done > 0 ? micros / done / MICROS_PER_MS : NaN;
  },
  blockedThreads: (now, before, seconds) => {
    const evicting = Math.max(
      orZero(growth(now, before, 'eviction.appMicros')),
      orZero(growth(now, before, 'eviction.waitMicros')),
    );
    const reading = orZero(growth(now, before, 'eviction.appReadMicros'));
    return (
      (evicting + reading) / MICROS_PER_SECOND / seconds +
      orZero(now('queue.readers') + now('queue.writers'))
    );
  },
  usedRatio: ofCache('cache.usedBytes'),
  dirtyRatio: (now) =>
    (Number.isNaN(now('cache.dirtyLeafBytes'))
      ? now('cache.dirtyBytes')
      : now('cache.dirtyLeafBytes')) / now('cache.maxBytes'),
  connections: (now) => now('connections.current'),
  ttlPerSec: perSec('ttl.deleted'),
  openTransactions: (now) => now('transaction.open'),
  pinnedIds: (now) => now('transaction.pinnedIds'),
  majorityLagSeconds: (now) =>
    orNaN(now('member.state') === PRIMARY) *
    orZero((now('member.appliedAtMs') - now('member.committedAtMs')) / MS_PER_SECOND),
  flowControlled: (now) => now('flowControl.lagged'),
  memoryUsedRatio: (now) => 1 - now('memory.availableBytes') / now('memory.totalBytes'),
  swappedPerSec: perSec('memory.swappedInPages'),
  journalSyncMs: (now, before) =>
    growth(now, before, 'log.syncMicros') / growth(now, before, 'log.syncOps') / MICROS_PER_MS,
  cpuBusyRatio: (now, before) => {
    const busy = cpuMs(now, before, CPU_BUSY);
    return busy / (busy + cpuMs(now, before, CPU_SPARE));
  },
  state: (now) => now('member.state'),
});
const CPU_BUSY = /** @type {const} */ (['cpu.userMs', 'cpu.systemMs', 'cpu.stealMs']);
const CPU_SPARE = /** @type {const} */ (['cpu.idleMs', 'cpu.iowaitMs']);
/** @param {ReadCounter} now @param {ReadCounter} before @param {readonly Counter[]} names */
const cpuMs = (now, before, names) =>
  names.reduce((sum, name) => sum + orZero(growth(now, before, name)), 0);
const PRIMARY = 1;
/** @param {boolean} isKnown */
const orNaN = (isKnown) => (isKnown ? 1 : NaN);

const NAMES = Object.keys(FEATURES);
const FORMULAS = Object.values(FEATURES);
const DISK = 'disk.';
/** Disks of one machine that are watched. */
const MAX_DISKS = 16;

class Features {
  constructor() {
    this.length = 0;
    this.everyMs = 0;
    this.atMs = new Float64Array(1024);
    /** @type {Record<string, Float64Array>} */
    this.columns = Object.fromEntries(NAMES.map((name) => [name, new Float64Array(1024)]));
  }

  /**
   * @param {Columns} block
   * @param {number} i
   * @param {Position | null} before the sample that it continues
   */
  add(block, i, before) {
    const now = readerAt(block, i);
    const then = before === null ? NOT_KNOWN : readerAt(before.block, before.i);
    const seconds = before === null ? NaN : secondsBetween(before, { block, i });
    const row = this.rowFor(block.atMs[i]);
    for (let k = 0; k < FORMULAS.length; k++) {
      const value = FORMULAS[k](now, then, seconds);
      this.put(NAMES[k], row, Number.isFinite(value) ? value : NaN);
    }
    for (const disk of this.disksOf(block)) {
      const busy = growth(now, then, /** @type {MetricOfDisk} */ (`disk.busyMs@${disk}`));
      this.put(`${DISK}${disk}`, row, busy / MS_PER_SECOND / seconds);
    }
  }

  /** @param {Columns} block @returns {readonly string[]} */
  disksOf(block) {
    if (this.lastColumns !== block.columns) {
      this.lastColumns = block.columns;
      this.disks = disksIn(block.columns).slice(0, MAX_DISKS);
      for (const disk of this.disks)
        this.columns[`${DISK}${disk}`] ??= new Float64Array(this.atMs.length).fill(NaN);
    }
    return this.disks ?? [];
  }

  /** @type {Columns['columns'] | undefined} */
  lastColumns = undefined;
  /** @type {readonly string[] | undefined} */
  disks = undefined;

  /** @param {number} atMs @returns {number} row for this time */
  rowFor(atMs) {
    if (
      this.length > 0 &&
      atMs - this.atMs[this.length - 1] < this.everyMs &&
      atMs >= this.atMs[this.length - 1]
    )
      return this.length - 1;
    if (this.length === MAX_ROWS) this.merge();
    if (this.length === this.atMs.length) this.grow();
    this.atMs[this.length] = atMs;
    for (const column of Object.values(this.columns)) column[this.length] = NaN;
    return this.length++;
  }

  /** @param {string} name @param {number} row @param {number} value */
  put(name, row, value) {
    const column = this.columns[name];
    if (!(column[row] >= value) && !Number.isNaN(value)) column[row] = value;
  }

  grow() {
    const wider = (/** @type {Float64Array} */ column) => {
      const made = new Float64Array(Math.min(MAX_ROWS, column.length * 2)).fill(NaN);
      made.set(column);
      return made;
    };
    this.atMs = wider(this.atMs);
    for (const [name, column] of Object.entries(this.columns)) this.columns[name] = wider(column);
  }

  /** Rows by twos. */
  merge() {
    const half = this.length >> 1;
    for (const column of Object.values(this.columns))
      for (let i = 0; i < half; i++) column[i] = greater(column[2 * i], column[2 * i + 1]);
    for (let i = 0; i < half; i++) this.atMs[i] = this.atMs[2 * i];
    this.length = half;
    this.everyMs = Math.max(2 * this.everyMs, (this.atMs[half - 1] - this.atMs[0]) / half);
  }

  /** @returns {FeatureRows} */
  rows() {
    const { length, everyMs } = this;
    const part = (/** @type {Float64Array} */ column) => column.subarray(0, length);
    return {
      everyMs,
      length,
      atMs: part(this.atMs),
      columns: Object.fromEntries(
        Object.entries(this.columns).map(([name, column]) => [name, part(column)]),
      ),
    };
  }
}

/** @returns {number} */
const NOT_KNOWN = () => NaN;
/** @param {number} a @param {number} b */
const greater = (a, b) => (a >= b || Number.isNaN(b) ? a : b);

module.exports = { Features, DISK };
