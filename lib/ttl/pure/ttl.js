'use strict';

const { toNumber } = require('../../base/pure/numbers');
const { MS_PER_DAY } = require('../../base/pure/units');
const { BUCKETS } = require('../../server/pure/collections');

/**
 * @import { TtlIndex } from './types'
 */

/**
 * What TTL indexes will delete, and when, from a sample of their documents.
 *
 * @typedef {{
 *   sampled: number, overdue: number, nextDay: number, hours: number[], later: number,
 *   never: number
 * }} Expiry estimates in
 *   documents: past their time and still there, due in the next 24 hours, these by hour of day
 *   (UTC), due later, without a date
 */

const HOUR_MS = 3_600_000;
/** Only the server reads these (sessions, migrations, keys), and decides when they are deleted. */
const OWN = /^(admin|config|local)\.|\.system\.(?!buckets\.)/;

/** @param {string} ns @returns {boolean} the server's own collection */
const isOwn = (ns) => OWN.test(ns);

/**
 * @param {{
 *   database: string, name: string, ns: string, type: string, options: Record<string, any> | null
 * }} namespace `options`
 *   null: this user may not see them
 * @param {readonly Record<string, any>[]} specs as listIndexes returns them
 * @returns {TtlIndex[]}
 */
function ttlIndexesOf(namespace, specs) {
  const { ns, database, name } = namespace;
  const where = { ns, database, collection: name };
  const indexes = specs
    .filter((spec) => 'expireAfterSeconds' in spec && !spec.clustered)
    .map((spec) => ({
      ...where,
      kind: /** @type {const} */ ('index'),
      index: spec.name,
      field: Object.keys(spec.key)[0],
      expireAfterSeconds: toNumber(spec.expireAfterSeconds) ?? null,
      partial: spec.partialFilterExpression ?? null,
    }));
  return [
    ...asAWhole(namespace).map((whole) => ({ ...where, ...whole, index: null, partial: null })),
    ...indexes,
  ];
}

/**
 * A collection that expires without an index; whether a time series does is not known without its
 * options.
 * @param {Parameters<typeof ttlIndexesOf>[0]} namespace
 */
function asAWhole({ name, type, options }) {
  const expireAfterSeconds = toNumber(options?.expireAfterSeconds) ?? null;
  if (isTimeSeries({ name, type }))
    return options !== null && expireAfterSeconds === null
      ? []
      : [{ kind: /** @type {const} */ ('timeseries'), field: null, expireAfterSeconds }];
  return expireAfterSeconds === null
    ? []
    : [{ kind: /** @type {const} */ ('clustered'), field: '_id', expireAfterSeconds }];
}

/** @param {{ name: string, type: string }} namespace */
const isTimeSeries = ({ name, type }) => type === 'timeseries' || name.startsWith(BUCKETS);

/**
 * The server takes the earliest date of an array, and never deletes what has none.
 * @param {unknown} value
 * @returns {number | undefined} ms since 1970
 */
function dateOf(value) {
  const dates = [value]
    .flat()
    .filter((value) => Object.prototype.toString.call(value) === '[object Date]')
    .map((date) => /** @type {Date} */ (date).getTime());
  return dates.length === 0 ? undefined : dates.reduce((a, b) => Math.min(a, b));
}

/**
 * @param {unknown} value of the field
 * @param {number} expireAfterSeconds
 * @returns {number | undefined} ms since 1970; undefined: never
 */
function dueOf(value, expireAfterSeconds) {
  const date = dateOf(value);
  return date === undefined ? undefined : date + expireAfterSeconds * 1000;
}

/**
 * A document that several indexes hold is deleted by the first of them.
 * @param {readonly (number | undefined)[]} dues
 * @returns {number | undefined}
 */
const firstDue = (dues) =>
  dues.reduce(
    (first, due) => (first === undefined || (due !== undefined && due < first) ? due : first),
    undefined,
  );

/**
 * @param {readonly (number | undefined)[]} dues of the documents of the sample that the index
 *   holds, ms since 1970; undefined: never
 * @param {{ sampled: number, documents: number, nowMs: number }} of `sampled`: how many documents
 *   were drawn
 * @returns {Expiry}
 */
function expiryOf(dues, { sampled, documents, nowMs }) {
  const expiry = { overdue: 0, nextDay: 0, hours: Array(24).fill(0), later: 0, never: 0 };
  for (const dueMs of dues) {
    const when = whenOf(dueMs, nowMs);
    expiry[when] += 1;
    if (when === 'nextDay')
      expiry.hours[new Date(/** @type {number} */ (dueMs)).getUTCHours()] += 1;
  }
  const projected = (/** @type {number} */ n) =>
    Math.round(sampled === 0 ? 0 : (n * documents) / sampled);
  return {
    sampled,
    overdue: projected(expiry.overdue),
    nextDay: projected(expiry.nextDay),
    hours: expiry.hours.map(projected),
    later: projected(expiry.later),
    never: projected(expiry.never),
  };
}

/**
 * @param {number | undefined} dueMs
 * @param {number} nowMs
 * @returns {'never' | 'overdue' | 'nextDay' | 'later'}
 */
function whenOf(dueMs, nowMs) {
  if (dueMs === undefined || Number.isNaN(dueMs)) return 'never';
  if (dueMs <= nowMs) return 'overdue';
  return dueMs < nowMs + MS_PER_DAY ? 'nextDay' : 'later';
}

/**
 * @param {readonly (Expiry | null)[]} all one for each collection
 * @returns {number[] | null} the sum by hour of day (UTC); null: none is known
 */
function hoursOf(all) {
  const known = all.flatMap((expiry) => expiry ?? []);
  return known.length === 0
    ? null
    : known.reduce((sum, { hours }) => sum.map((n, i) => n + hours[i]), Array(24).fill(0));
}

/**
 * @typedef {{ startHour: number, lengthHours: number }} Quiet the hours of a day (UTC) in which deleting
 *   disturbs nobody
 */

/**
 * @param {readonly number[]} byHour
 * @param {Quiet} quiet
 * @returns {number | null} share 0 to 1; null: nothing is due
 */
function quietRatio(byHour, { startHour, lengthHours }) {
  const total = byHour.reduce((sum, n) => sum + n, 0);
  const inside = byHour
    .filter((_, i) => (i - startHour + 24) % 24 < lengthHours)
    .reduce((sum, n) => sum + n, 0);
  return total === 0 ? null : inside / total;
}

/**
 * @param {any} status a reply of serverStatus with its section metrics
 * @returns what TTL has done since the server started
 */
function workOf({ metrics, uptimeMillis }) {
  const [deletedDocuments, passes, uptimeMs] = [
    metrics?.ttl?.deletedDocuments,
    metrics?.ttl?.passes,
    uptimeMillis,
  ].map((value) => toNumber(value) ?? null);
  return {
    deletedDocuments,
    passes,
    uptimeSeconds: uptimeMs === null ? null : uptimeMs / 1000,
    deletedPerSec:
      deletedDocuments === null || !uptimeMs ? null : (deletedDocuments * 1000) / uptimeMs,
    deletedPerPass: deletedDocuments === null || !passes ? null : deletedDocuments / passes,
  };
}

module.exports = {
  ttlIndexesOf,
  isTimeSeries,
  isOwn,
  dueOf,
  firstDue,
  expiryOf,
  hoursOf,
  quietRatio,
  workOf,
  HOUR_MS,
};
