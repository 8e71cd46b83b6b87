'use strict';

const { collectionText, literal, quoted } = require('../../base/pure/printable');

/**
 * @import { QueryFields } from '../types'
 */

/** Fields of an index to try: each more makes every write slower (heuristic). */
const MAX_FIELDS = 4;

/**
 * What is known of a collection. null: not reported.
 * @typedef {{
 *   documents: number | null, idIndexBytes: number | null, readBytes: number | null,
 *   indexes: readonly Record<string, unknown>[] | null
 * }} CollectionFacts `indexes`: their keys
 * @typedef {{ keys: Record<string, 1 | -1>, command: string, bytes: number | null, cost: string }}
 *   IndexToTry `bytes`: estimated; `cost`: what writes pay
 */

/**
 * Suggests the index that serves a query: first the fields compared with a value, then the sort
 * fields, then ranges (MongoDB manual, "The ESR Guideline").
 * @param {string} ns
 * @param {QueryFields | null} fields
 * @param {CollectionFacts} collection
 * @returns {IndexToTry | null} null: the fields do not show one, or the index exists already
 */
function indexToTry(ns, fields, { documents, idIndexBytes, indexes }) {
  if (fields === null || fields.equal.length + fields.range.length === 0) return null;
  if (fields.equal[0] === '_id' || fields.range[0] === '_id') return null;
  /** @type {[string, 1 | -1][]} */
  const wanted = [
    ...fields.equal.map((name) => /** @type {[string, 1]} */ ([name, 1])),
    ...fields.sort,
    ...fields.range.map((name) => /** @type {[string, 1]} */ ([name, 1])),
  ];
  const names = [...new Set(wanted.map(([name]) => name))].slice(0, MAX_FIELDS);
  const keys = Object.fromEntries(
    names.map((name) => [name, wanted.find(([one]) => one === name)?.[1] ?? 1]),
  );
  if (indexes?.some((existing) => startsWith(Object.keys(existing), names))) return null;
  const entryBytes = idIndexBytes === null || !documents ? null : idIndexBytes / documents;
  return {
    keys,
    command: `${placeText(ns)}.createIndex(${literal(keys)})`,
    bytes: entryBytes === null ? null : Math.round(entryBytes * names.length * Number(documents)),
    cost:
      'each insert and delete, and each update of these fields, changes one more index; the build ' +
      'reads the whole collection',
  };
}

/** @param {string[]} existing @param {string[]} names */
const startsWith = (existing, names) => names.every((name, i) => existing[i] === name);

/** @param {string} ns */
function placeText(ns) {
  const at = ns.indexOf('.');
  return collectionText(ns.slice(0, at), ns.slice(at + 1));
}

/**
 * The command that shows the plan; `<value>` stands for what the query compares with.
 * @param {string} ns
 * @param {QueryFields | null} fields
 * @returns {string | null}
 */
function explainText(ns, fields) {
  if (fields === null || !ns.includes('.')) return null;
  const filter = [
    ...fields.equal.map((name) => `${nameText(name)}: <value>`),
    ...fields.range.map((name) => `${nameText(name)}: { $gte: <value> }`),
    ...(fields.isWhole ? [] : ['…']),
  ].join(', ');
  const sort = fields.sort.length === 0 ? '' : `.sort(${literal(Object.fromEntries(fields.sort))})`;
  return `${placeText(ns)}.find(${filter === '' ? '{}' : `{ ${filter} }`})${sort}.explain("executionStats")`;
}

/** @param {string} name */
const nameText = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name));

module.exports = { indexToTry, explainText };
