'use strict';

const { METRICS } = require('./metrics');
const { SYSTEM_METRICS, valuesAt } = require('./system-metrics');

/**
 * One look at a server. `atMs`: the server's wall clock, ms since 1970; `uptimeMs`: its own monotonic clock.
 * @typedef {{ atMs: number, uptimeMs: number | null, metrics: import('./metrics').Metrics }} Sample
 */

/**
 * 64-bit values become numbers at the door, in every form they come in: a driver's Long, extended JSON, and what
 * JSON.stringify makes of a Long. Beyond 2^53 the last digits are lost, which no rate can notice.
 * @param {unknown} value
 * @returns {number | undefined} undefined for what is not a number
 */
function toNumber(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'boolean' || typeof value === 'bigint') return Number(value);
  return value === null || typeof value !== 'object' ? undefined : unwrap(/** @type {Record<string, any>} */ (value));
}

const TAGS = ['$numberLong', '$numberInt', '$numberDouble', '$numberDecimal'];

/** @param {Record<string, any>} wrapped @returns {number | undefined} */
function unwrap(wrapped) {
  const tag = TAGS.find((name) => name in wrapped);
  if (tag) return toNumber(Number(wrapped[tag]));
  if (Number.isInteger(wrapped.high) && Number.isInteger(wrapped.low)) return joinHalves(wrapped);
  return wrapped._bsontype ? toNumber(Number(wrapped.valueOf())) : undefined;
}

/** A Long, or what JSON.stringify made of one. @param {Record<string, any>} long */
const joinHalves = ({ high, low, unsigned }) => (unsigned ? high >>> 0 : high) * 2 ** 32 + (low >>> 0);

/**
 * A date as ms since 1970: a Date, extended JSON, ISO text, or epoch seconds (what `t` holds in plain recordings).
 * @param {any} value
 * @returns {number | undefined}
 */
function toMs(value) {
  if (value instanceof Date || Object.prototype.toString.call(value) === '[object Date]') return toNumber(value.getTime());
  if (typeof value === 'string') return toNumber(Date.parse(value));
  if (value && typeof value === 'object' && '$date' in value) return typeof value.$date === 'string' ? toMs(value.$date) : toNumber(value.$date);
  const seconds = toNumber(value);
  return seconds === undefined ? undefined : seconds * 1000;
}

/**
 * serverStatus → Sample. Works on a driver's document, extended JSON and JSON.stringify output alike.
 * @param {any} status
 * @param {number} [atMs] when the document does not tell its time
 * @returns {Sample}
 */
function readSample(status, atMs = NaN) {
  const metrics = /** @type {Record<string, number>} */ ({});
  for (const [name, { spellings }] of Object.entries(METRICS)) {
    const value = firstPresent(status, spellings);
    if (value !== undefined) metrics[name] = value;
  }
  if (status.systemMetrics) Object.assign(metrics, readSystem(status));
  return { atMs: toMs(status.localTime ?? status.t) ?? atMs, uptimeMs: uptime(status), metrics };
}

/** @param {any} doc with the section that diagnostic data has beside serverStatus */
function readSystem(doc) {
  return Object.fromEntries(Object.entries(SYSTEM_METRICS).flatMap(([name, { terms }]) => {
    const parts = terms.flatMap((spellings) => firstSum(doc, spellings) ?? []);
    return parts.length === 0 ? [] : [[name, parts.reduce((sum, part) => sum + part)]];
  }));
}

/** @param {any} doc @param {readonly import('./metrics').Spelling[]} spellings @returns {number | undefined} of the first spelling that is present */
function firstSum(doc, spellings) {
  for (const { path, scale = 1 } of spellings) {
    const found = valuesAt(doc, path).flatMap((value) => toNumber(value) ?? []);
    if (found.length > 0) return found.reduce((sum, value) => sum + value) * scale;
  }
  return undefined;
}

/** @param {any} status @returns {number | null} ms since the server started */
function uptime(status) {
  const seconds = toNumber(status.uptime);
  return toNumber(status.uptimeMillis) ?? (seconds === undefined ? null : seconds * 1000);
}

/** @param {any} doc @param {readonly import('./metrics').Spelling[]} spellings @returns {number | undefined} */
function firstPresent(doc, spellings) {
  for (const { path, scale = 1 } of spellings) {
    const value = toNumber(path.reduce((node, key) => node?.[key], doc));
    if (value !== undefined) return value * scale;
  }
  return undefined;
}

module.exports = { readSample, toNumber, toMs };
