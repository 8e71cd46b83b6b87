'use strict';

const { toNumber } = require('./sample');

/**
 * What TTL indexes will delete, and when, from a sample of their documents.
 *
 * @typedef {{
 *   ns: string, database: string, collection: string, kind: 'index' | 'clustered' | 'timeseries', index: string | null, field: string | null,
 *   expireAfterSeconds: number, partial: Record<string, any> | null,
 * }} TtlIndex `clustered`: a collection clustered by its _id; `timeseries`: deleted by whole buckets
 * @typedef {{ sampled: number, overdue: number, nextDay: number, hours: number[], later: number, never: number }} Expiry estimates in
 *   documents: past their time and still there, due in the next 24 hours, these by hour of day (UTC), due later, without a date
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BUCKETS = 'system.buckets.';

/**
 * @param {{ database: string, name: string, ns: string, type: string, options: Record<string, any> | null }} namespace
 * @param {readonly Record<string, any>[]} specs as listIndexes tells them
 * @returns {TtlIndex[]}
 */
function ttlIndexesOf({ database, name, ns, type, options }, specs) {
  const where = { ns, database, collection: name };
  const own = toNumber(options?.expireAfterSeconds);
  const kind = type === 'timeseries' || name.startsWith(BUCKETS) ? /** @type {const} */ ('timeseries') : /** @type {const} */ ('clustered');
  const whole = own === undefined ? [] : [{ ...where, kind, index: null, field: kind === 'clustered' ? '_id' : null, expireAfterSeconds: own, partial: null }];
  const indexes = specs.filter((spec) => toNumber(spec.expireAfterSeconds) !== undefined && !spec.clustered).map((spec) => ({
    ...where, kind: /** @type {const} */ ('index'), index: spec.name, field: Object.keys(spec.key)[0],
    expireAfterSeconds: /** @type {number} */ (toNumber(spec.expireAfterSeconds)), partial: spec.partialFilterExpression ?? null,
  }));
  return [...whole, ...indexes];
}

/** The server takes the earliest date of an array, and never deletes what has none. @param {unknown} value @returns {number | undefined} ms since 1970 */
function dateOf(value) {
  const dates = [value].flat().filter((one) => Object.prototype.toString.call(one) === '[object Date]').map((date) => /** @type {Date} */ (date).getTime());
  return dates.length === 0 ? undefined : dates.reduce((a, b) => Math.min(a, b));
}

/**
 * @param {readonly unknown[]} values of the field, in the documents of the sample that the index holds
 * @param {{ sampled: number, documents: number, expireAfterSeconds: number, nowMs: number }} of `sampled`: how many documents were drawn
 * @returns {Expiry}
 */
function expiryOf(values, { sampled, documents, expireAfterSeconds, nowMs }) {
  const expiry = { overdue: 0, nextDay: 0, hours: Array(24).fill(0), later: 0, never: 0 };
  for (const value of values) {
    const date = dateOf(value);
    const dueMs = date === undefined ? undefined : date + expireAfterSeconds * 1000;
    const when = whenOf(dueMs, nowMs);
    expiry[when] += 1;
    if (when === 'nextDay') expiry.hours[new Date(/** @type {number} */ (dueMs)).getUTCHours()] += 1;
  }
  const whole = (/** @type {number} */ n) => Math.round(sampled === 0 ? 0 : (n * documents) / sampled);
  return { sampled, overdue: whole(expiry.overdue), nextDay: whole(expiry.nextDay), hours: expiry.hours.map(whole), later: whole(expiry.later), never: whole(expiry.never) };
}

/** @param {number | undefined} dueMs @param {number} nowMs @returns {'never' | 'overdue' | 'nextDay' | 'later'} */
function whenOf(dueMs, nowMs) {
  if (dueMs === undefined) return 'never';
  if (dueMs <= nowMs) return 'overdue';
  return dueMs < nowMs + DAY_MS ? 'nextDay' : 'later';
}

/** @param {readonly (Expiry | null)[]} all @returns {number[] | null} by hour of day (UTC), of all indexes together; null: of none known */
function hoursOf(all) {
  const known = all.flatMap((expiry) => expiry ?? []);
  return known.length === 0 ? null : known.reduce((sum, { hours }) => sum.map((n, i) => n + hours[i]), Array(24).fill(0));
}

/** @typedef {{ hour: number, hours: number }} Quiet the hours of a day (UTC) in which deleting disturbs nobody */

/** @param {readonly number[]} byHour @param {Quiet} quiet @returns {number | null} share 0 to 1; null: nothing is due */
function quietRatio(byHour, { hour, hours }) {
  const total = byHour.reduce((sum, n) => sum + n, 0);
  const inside = byHour.filter((_, i) => (i - hour + 24) % 24 < hours).reduce((sum, n) => sum + n, 0);
  return total === 0 ? null : inside / total;
}

/** @param {any} status a reply of serverStatus with its section metrics @returns what TTL has done since the server started */
function workOf({ metrics, uptimeMillis }) {
  const [deletedDocuments, passes, uptimeMs] = [metrics?.ttl?.deletedDocuments, metrics?.ttl?.passes, uptimeMillis].map((value) => toNumber(value) ?? null);
  return {
    deletedDocuments, passes, uptimeSeconds: uptimeMs === null ? null : uptimeMs / 1000,
    deletedPerSec: deletedDocuments === null || !uptimeMs ? null : (deletedDocuments * 1000) / uptimeMs,
    deletedPerPass: deletedDocuments === null || !passes ? null : deletedDocuments / passes,
  };
}

module.exports = { ttlIndexesOf, expiryOf, hoursOf, quietRatio, workOf, HOUR_MS, DAY_MS };
