'use strict';

const { COUNTERS } = require('./counters');
const { toMs, toNumber } = require('../../base/pure/numbers');
const { SYSTEM_COUNTERS, DISK_COUNTERS, ofDisk } = require('./system-counters');

/**
 * @import { Counters } from './counters'
 * @import { Spelling } from './counter-parts'
 * @import { DiskCounter } from './system-counters'
 */

/**
 * One sample of a server. `atMs`: the server's wall clock, ms since 1970; `uptimeMs`: its own
 * monotonic clock.
 * @typedef {{ atMs: number, uptimeMs: number | null, counters: Counters }} Sample
 */

/**
 * Makes a Sample of a serverStatus. It works on a driver's document, extended JSON and
 * JSON.stringify output alike.
 * @param {any} status
 * @param {number} [atMs] the time, where the document does not report it
 * @returns {Sample}
 */
function readSample(status, atMs = NaN) {
  const counters = /** @type {Record<string, number>} */ ({});
  for (const [name, { spellings }] of Object.entries(COUNTERS)) {
    const value = firstPresent(status, spellings);
    // None of them can be negative: that is a race in the server's own sums, or damage.
    if (value !== undefined && value >= 0) counters[name] = value;
  }
  const moment = toMs(status.localTime ?? status.t) ?? atMs;
  if (status.systemMetrics) Object.assign(counters, readSystem(status, moment));
  return { atMs: moment, uptimeMs: uptimeMs(status), counters };
}

/**
 * Milliseconds. Diagnostic data is a second old at most, unless its collection is slow, hangs, or
 * is off: then it says nothing of now.
 */
const STALE_MS = 5000;

/**
 * Reads what is of now: older diagnostic data is left out.
 * @param {any} doc with the section that diagnostic data has beside serverStatus
 * @param {number} nowMs
 * @returns {Counters}
 */
function readSystem(doc, nowMs) {
  const { atMs, counters } = readMachine(doc.systemMetrics);
  return Math.abs(atMs - nowMs) > STALE_MS ? {} : counters;
}

/**
 * Diagnostic data of the machine → Sample, at mongod's own time.
 * @param {any} systemMetrics
 * @returns {Sample}
 */
function readMachine(systemMetrics) {
  const counters = /** @type {Record<string, number>} */ ({});
  for (const [name, { kind, terms }] of Object.entries(SYSTEM_COUNTERS)) {
    const read = kind === 'moment' ? toMs : toNumber;
    const parts = terms.flatMap(
      (spellings) => firstPresent({ systemMetrics }, spellings, read) ?? [],
    );
    const sum =
      parts.length > 0 ? toNumber(parts.reduce((total, part) => total + part)) : undefined;
    if (sum !== undefined) counters[name] = sum;
  }
  for (const [disk, fields] of Object.entries(systemMetrics.disks ?? {}))
    Object.assign(counters, readDisk(disk, fields));
  return { atMs: counters['diagnostics.atMs'], uptimeMs: null, counters };
}

/** @param {string} disk @param {any} counters @returns {Counters} */
const readDisk = (disk, counters) =>
  Object.fromEntries(
    Object.entries(DISK_COUNTERS).flatMap(([name, { field, scale }]) => {
      const value = toNumber(counters?.[field]);
      const scaled = value === undefined ? undefined : toNumber(value * scale);
      return scaled === undefined
        ? []
        : [[ofDisk(/** @type {DiskCounter} */ (name), disk), scaled]];
    }),
  );

/** @param {any} status @returns {number | null} ms since the server started */
function uptimeMs(status) {
  const seconds = toNumber(status.uptime);
  const ms = toNumber(status.uptimeMillis) ?? (seconds === undefined ? null : seconds * 1000);
  return ms === null || ms < 0 ? null : ms;
}

/**
 * @param {any} doc
 * @param {readonly Spelling[]} spellings
 * @param {(value: unknown) => number | undefined} [read]
 * @returns {number | undefined}
 */
function firstPresent(doc, spellings, read = toNumber) {
  for (const { path, plus = [], scale = 1 } of spellings) {
    const parts = [path, ...plus].map((one) => read(one.reduce((node, key) => node?.[key], doc)));
    const value = parts.reduce(addKnown);
    if (value !== undefined) return toNumber(value * scale);
  }
  return undefined;
}

/** @param {number | undefined} a @param {number | undefined} b */
const addKnown = (a, b) => (a === undefined || b === undefined ? undefined : a + b);

/**
 * @param {Sample & { systemMetrics?: unknown }} sample a sample beside a section of diagnostic data
 * @returns {Sample} the sample with the counters of the machine
 */
const withSystem = ({ systemMetrics, ...sample }) =>
  systemMetrics
    ? { ...sample, counters: { ...sample.counters, ...readSystem({ systemMetrics }, sample.atMs) } }
    : sample;

module.exports = { readSample, readMachine, withSystem, uptimeMs };
