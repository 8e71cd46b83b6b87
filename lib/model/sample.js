'use strict';

const { METRICS } = require('./metrics');
const { SYSTEM_METRICS, DISK_METRICS, ofDisk } = require('./system-metrics');

/**
 * One look at a server. `atMs`: the server's wall clock, ms since 1970; `uptimeMs`: its own
 * monotonic clock.
 * @typedef {{ atMs: number, uptimeMs: number | null, metrics: import('./metrics').Metrics }} Sample
 */

/**
 * 64-bit values become numbers at the door, in every form they come in: a driver's Long, extended
 * JSON, and what JSON.stringify makes of a Long. Beyond 2^53 the last digits are lost, which no
 * rate can notice.
 * @param {unknown} value
 * @returns {number | undefined} undefined for what is not a number
 */
function toNumber(value) {
  // A nothing with a sign is a nothing.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value === 'boolean' || typeof value === 'bigint') return Number(value);
  return value === null || typeof value !== 'object'
    ? undefined
    : unwrap(/** @type {Record<string, any>} */ (value));
}

const TAGS = ['$numberLong', '$numberInt', '$numberDouble', '$numberDecimal'];

/** @param {Record<string, any>} wrapped @returns {number | undefined} */
function unwrap(wrapped) {
  const tag = TAGS.find((name) => name in wrapped);
  if (tag) return textToNumber(wrapped[tag]);
  if (Number.isInteger(wrapped.high) && Number.isInteger(wrapped.low)) return joinHalves(wrapped);
  return wrapped._bsontype
    ? textToNumber(String(Object.getPrototypeOf(wrapped) === Object.prototype ? '' : wrapped))
    : undefined;
}

/**
 * An empty text is no zero, and what a stranger's JSON puts here may be anything.
 * @param {unknown} text
 * @returns {number | undefined}
 */
const textToNumber = (text) =>
  typeof text === 'number' || (typeof text === 'string' && text.trim() !== '')
    ? toNumber(Number(text))
    : undefined;

/** A Long, or what JSON.stringify made of one. @param {Record<string, any>} long */
const joinHalves = ({ high, low, unsigned }) =>
  (unsigned ? high >>> 0 : high) * 2 ** 32 + (low >>> 0);

/**
 * A date as ms since 1970: a Date, extended JSON, ISO text, or epoch seconds (what `t` holds in
 * plain recordings).
 * @param {any} value
 * @returns {number | undefined}
 */
function toMs(value) {
  if (value instanceof Date || Object.prototype.toString.call(value) === '[object Date]')
    return toNumber(value.getTime());
  if (typeof value === 'string') return toNumber(Date.parse(value));
  if (value && typeof value === 'object' && '$date' in value)
    return typeof value.$date === 'string' ? toMs(value.$date) : toNumber(value.$date);
  const seconds = toNumber(value);
  return seconds === undefined ? undefined : seconds * 1000;
}

/**
 * serverStatus → Sample. Works on a driver's document, extended JSON and JSON.stringify output
 * alike.
 * @param {any} status
 * @param {number} [atMs] when the document does not tell its time
 * @returns {Sample}
 */
function readSample(status, atMs = NaN) {
  const metrics = /** @type {Record<string, number>} */ ({});
  for (const [name, { spellings }] of Object.entries(METRICS)) {
    const value = firstPresent(status, spellings);
    // None of them can be below nothing: a race of the server's own adding up, or damage.
    if (value !== undefined && value >= 0) metrics[name] = value;
  }
  const moment = toMs(status.localTime ?? status.t) ?? atMs;
  if (status.systemMetrics) Object.assign(metrics, readSystem(status, moment));
  return { atMs: moment, uptimeMs: uptime(status), metrics };
}

/**
 * Diagnostic data is a second old at most, unless its collection is slowed down, hangs, or is
 * switched off: then it tells nothing of now.
 */
const STALE_MS = 5000;

/**
 * @param {any} doc with the section that diagnostic data has beside serverStatus
 * @param {number} nowMs
 */
function readSystem(doc, nowMs) {
  const metrics = /** @type {Record<string, number>} */ ({});
  for (const [name, { kind, terms }] of Object.entries(SYSTEM_METRICS)) {
    const read = kind === 'moment' ? toMs : toNumber;
    const parts = terms.flatMap((spellings) => firstPresent(doc, spellings, read) ?? []);
    const sum =
      parts.length > 0 ? toNumber(parts.reduce((total, part) => total + part)) : undefined;
    if (sum !== undefined) metrics[name] = sum;
  }
  if (Math.abs(metrics['system.atMs'] - nowMs) > STALE_MS) return {};
  return Object.assign(
    metrics,
    ...Object.entries(doc.systemMetrics.disks ?? {}).map(([disk, counters]) =>
      readDisk(disk, counters),
    ),
  );
}

/** @param {string} disk @param {any} counters @returns {import('./metrics').Metrics} */
const readDisk = (disk, counters) =>
  Object.fromEntries(
    Object.entries(DISK_METRICS).flatMap(([name, { field, scale }]) => {
      const value = toNumber(counters?.[field]);
      const scaled = value === undefined ? undefined : toNumber(value * scale);
      return scaled === undefined
        ? []
        : [[ofDisk(/** @type {import('./system-metrics').DiskMetric} */ (name), disk), scaled]];
    }),
  );

/** @param {any} status @returns {number | null} ms since the server started */
function uptime(status) {
  const seconds = toNumber(status.uptime);
  const ms = toNumber(status.uptimeMillis) ?? (seconds === undefined ? null : seconds * 1000);
  return ms === null || ms < 0 ? null : ms;
}

/**
 * @param {any} doc
 * @param {readonly import('./metrics').Spelling[]} spellings
 * @param {(value: unknown) => number | undefined} [read]
 * @returns {number | undefined}
 */
function firstPresent(doc, spellings, read = toNumber) {
  for (const { path, scale = 1 } of spellings) {
    const value = read(path.reduce((node, key) => node?.[key], doc));
    if (value !== undefined) return toNumber(value * scale);
  }
  return undefined;
}

/**
 * @param {Sample & { systemMetrics?: unknown }} sample with a section of diagnostic data beside it
 * @returns {Sample} with what that tells of the machine
 */
const withSystem = ({ systemMetrics, ...sample }) =>
  systemMetrics
    ? { ...sample, metrics: { ...sample.metrics, ...readSystem({ systemMetrics }, sample.atMs) } }
    : sample;

module.exports = { readSample, withSystem, toNumber, toMs };
