'use strict';

/**
 * @import { SeenCollection } from './types'
 */

/**
 * Which collections a view reads, through other views too.
 * @typedef {{ name: string, reads: string[], elsewhere: boolean }} View `reads`: collections of the
 *   same database that store
 *   something; `elsewhere`: it reads of another database, too
 */

/** Stages that name another collection. */
const JOINS = Object.freeze(['$lookup', '$graphLookup', '$unionWith']);

/**
 * @param {readonly SeenCollection[]} collections of one database
 * @returns {View[]} those whose definition is known
 */
function viewsOf(collections) {
  const views = new Map(
    collections
      .filter(({ type, options }) => type === 'view' && options !== null)
      .map((view) => [view.name, namedBy(view)]),
  );
  return [...views].map(([name, { elsewhere }]) => ({
    name,
    reads: storedBehind(name, views).sort(),
    elsewhere,
  }));
}

/**
 * @param {Pick<SeenCollection, 'database' | 'options'>} view
 * @returns {{ names: string[], elsewhere: boolean }}
 */
function namedBy({ database, options }) {
  const { viewOn, pipeline } = /** @type {Record<string, any>} */ (options);
  const found = [viewOn, ...joined(pipeline)].filter(Boolean);
  const own = (/** @type {any} */ from) => typeof from === 'string' || from.db === database;
  return {
    names: found.filter(own).map((from) => (typeof from === 'string' ? from : from.coll)),
    elsewhere: !found.every(own),
  };
}

/**
 * At any depth: pipelines stand in pipelines.
 * @param {any} value
 * @returns {any[]} names, or { db, coll }
 */
function joined(value) {
  if (Array.isArray(value)) return value.flatMap(joined);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(JOINS.includes(key) ? [collectionOf(inner)] : []),
    ...joined(inner),
  ]);
}

/** @param {any} stage */
const collectionOf = (stage) =>
  typeof stage === 'string'
    ? stage
    : (stage?.from ?? (stage?.db ? { db: stage.db, coll: stage.coll } : stage?.coll));

/**
 * @param {string} name
 * @param {Map<string, { names: string[] }>} views
 * @param {Set<string>} [seen]
 * @returns {string[]}
 */
function storedBehind(name, views, seen = new Set()) {
  if (seen.has(name)) return [];
  seen.add(name);
  const view = views.get(name);
  return view ? [...new Set(view.names.flatMap((one) => storedBehind(one, views, seen)))] : [name];
}

module.exports = { JOINS, namedBy, viewsOf };
