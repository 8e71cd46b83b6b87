'use strict';

/**
 * @import { Remark } from './definitions'
 * @import { SeenCollection } from './types'
 */

/**
 * Finds views of other users that read a name which becomes a view of a split. The server holds all
 * views on one another to one collation and to a depth, and it checks only when a view is made: by
 * then the collection has another name.
 *
 * @typedef {{ name: string, options: Record<string, any> | null }} SeenView
 * @typedef {Record<string, any> | null} Collation null: none
 * @typedef {{ name: string, collation: Collation, depth: number, isDirect: boolean }} Dependent
 *   `depth`: the number of views between it and the name, including itself
 */

/**
 * Largest number of views on one another, in any release (manual, Views: nesting is limited to 20
 * levels).
 */
const DEEPEST = 20;

/**
 * @param {{ db: string, name: string }} place
 * @param {readonly SeenView[]} views all views of the database
 * @returns {Dependent[]} in the order of their names
 */
function dependentsOf({ db, name }, views) {
  const known = views
    .filter(({ options }) => options !== null)
    .map((view) => ({ view, names: namedBy({ database: db, options: view.options }).names }));
  /** @type {Map<string, Dependent>} */ const found = new Map();
  let level = new Set([name]);
  // The server allows no circles; a list that was read while views changed may have one.
  for (let depth = 1; level.size > 0 && depth <= DEEPEST + 1; depth += 1) {
    const above = known.filter(({ names }) => names.some((one) => level.has(one)));
    for (const { view, names } of above)
      found.set(view.name, {
        name: view.name,
        collation: view.options?.collation ?? null,
        depth,
        isDirect: names.includes(name),
      });
    level = new Set(above.map(({ view }) => view.name));
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns the collation with which a view can take the name.
 * @param {{ db: string, name: string }} place
 * @param {readonly Dependent[]} dependents
 * @param {Collation} [own] the only one that tune's view may have; left out: any
 * @returns {{ collation: Collation, refused: string | null }} `refused`: why no view can
 */
function demandOf(place, dependents, own) {
  const collations = ownFirst(
    dependents.filter(({ isDirect }) => isDirect),
    own,
  );
  return {
    collation: collations[0]?.collation ?? null,
    refused:
      tooDeep(place, dependents) ??
      (collations.length > 1 ? differing(place, collations, own) : null),
  };
}

/** @typedef {{ collation: Collation, names: string[] }} CollationUse */

/** @param {readonly Dependent[]} direct @param {Collation} [own] @returns {CollationUse[]} */
function ownFirst(direct, own) {
  /** @type {Map<string, CollationUse>} */ const uses = new Map();
  if (own !== undefined) uses.set(JSON.stringify(own), { collation: own, names: [] });
  for (const { name, collation } of direct) {
    const key = JSON.stringify(collation);
    const use = uses.get(key) ?? { collation, names: [] };
    uses.set(key, use);
    use.names.push(name);
  }
  return [...uses.values()];
}

/** @param {{ db: string, name: string }} place @param {readonly Dependent[]} dependents */
function tooDeep({ db, name }, dependents) {
  const deep = dependents.filter(({ depth }) => depth >= DEEPEST);
  if (deep.length === 0) return null;
  const names = deep.map((one) => `${db}.${one.name}`).join(', ');
  return (
    `${names} ${deep.length === 1 ? 'reads' : 'read'} ${db}.${name} through ${DEEPEST - 1} other ` +
    `views. A split puts a view at ${db}.${name}, and the server allows ${DEEPEST} views on one ` +
    `another: drop ${names}.`
  );
}

/**
 * @param {{ db: string, name: string }} place
 * @param {CollationUse[]} uses
 * @param {Collation} [own]
 */
function differing({ db, name }, uses, own) {
  const of = uses
    .flatMap(({ names, collation }) =>
      names.map((one) => `${db}.${one} (${collationText(collation)})`),
    )
    .join(', ');
  if (own !== undefined)
    return (
      `{ reads: "view" } puts a view with the collation of ${db}.${name} ` +
      `(${collationText(own)}) at this name. The server rejects it, because ${of} ` +
      `read${uses.flatMap(({ names }) => names).length === 1 ? 's' : ''} the name ` +
      'with another collation. Drop the views that read it, or use { reads: ' +
      '"refused" }.'
    );
  return (
    `Views that read ${db}.${name} have different collations: ${of}. A split puts a ` +
    `view at ${db}.${name}, and the server accepts one collation only: drop the ` +
    'views with another collation, or create them again with the same one.'
  );
}

/** @param {Collation} collation */
const collationText = (collation) =>
  collation === null
    ? 'no collation'
    : [
        `collation ${collation.locale}`,
        ...(collation.strength === undefined ? [] : [`strength ${collation.strength}`]),
      ].join(', ');

/**
 * Checks both names of a collection that is moved: each is a view for a while.
 * @param {{ db: string, name: string, views: readonly SeenView[] }[]} places
 * @returns {Remark[]}
 */
const dependentBlockers = (places) =>
  places.flatMap(({ views, ...place }) => {
    const { refused } = demandOf(place, dependentsOf(place, views));
    return refused === null ? [] : [{ what: 'views', say: refused }];
  });

/**
 * Lists the collections that a view reads, also through other views.
 * @typedef {{ name: string, reads: string[], elsewhere: boolean }} View `reads`: collections of the
 *   same database that store
 *   something; `elsewhere`: it reads of another database, too
 */

/** The stages that name another collection. */
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
 * Lists the names in a pipeline at any depth: pipelines may contain pipelines.
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

module.exports = { demandOf, dependentBlockers, dependentsOf, JOINS, viewsOf };
