'use strict';

const crypto = require('node:crypto');
const {
  OPTION_NOT_SUPPORTED_ON_VIEW,
  VIEW_DEPTH_LIMIT_EXCEEDED,
} = require('../base/pure/server-codes');
const { TuneError } = require('../base/pure/errors');
const { namesIn } = require('./bson');
const { demandOf, dependentsOf, JOINS } = require('./pure/dependents');
const { command } = require('./operations');
const { findCollection } = require('./server');

/**
 * @import { Direction } from './directions'
 * @import { Op } from './operations'
 * @import { Collation, Dependent } from './pure/dependents'
 * @import { CollectionName, Port } from './server'
 */

/**
 * Makes a view of tune at a name that views of other users read (pure/dependents.js).
 *
 * @typedef {{ viewOn: string, pipeline: object[] }} View
 */

/** Codes for views of the name that do not fit tune's view. */
const REFUSED = Object.freeze(new Set([VIEW_DEPTH_LIMIT_EXCEEDED, OPTION_NOT_SUPPORTED_ON_VIEW]));
/** Number of tries, while other users make views of the name; heuristic. */
const TRIES = 5;

/** @param {Port} port @param {CollectionName} place @returns {Promise<Dependent[]>} */
const findDependents = async (port, place) => dependentsOf(place, await listViews(port, place.db));

/**
 * Lists all views of a database. An answer holds 16 MB of definitions; the rest is requested by
 * name.
 * @param {Port} port @param {string} db
 * @returns {Promise<any[]>} views, of whose stages only those that name another collection
 */
async function listViews(port, db) {
  const list = async (/** @type {object} */ spec) =>
    (await port.command(db, { listCollections: 1, ...spec }, STAGES_AS_BYTES)).cursor;
  const { firstBatch: views, id } = await list({ filter: { type: 'view' } });
  if (Number(id ?? 0) === 0) return views.map(withJoins);
  const { firstBatch } = await list({ filter: { type: 'view' }, nameOnly: true });
  const left = new Set(firstBatch.map(nameOf));
  for (let some = views; some.length > 0 && left.size > 0;) {
    for (const one of some) left.delete(one.name);
    if (left.size === 0) break;
    some = (await list({ filter: { type: 'view', name: { $in: [...left] } } })).firstBatch;
    views.push(...some);
  }
  return views.map(withJoins);
}

/**
 * Leaves stages as bytes: of 4,000 views with 20 stages each the driver makes objects in 560 ms,
 * and leaves them as bytes in 110 ms (6.0.5, 2 CPUs); in that time a step waits, and applications
 * with it.
 */
const STAGES_AS_BYTES = Object.freeze({
  fieldsAsRaw: { pipeline: true },
  enableUtf8Validation: false,
});

/** @param {any} view */
function withJoins(view) {
  const { pipeline } = view.options ?? {};
  if (!Array.isArray(pipeline)) return view;
  return { ...view, options: { ...view.options, pipeline: pipeline.flatMap(joinIn) } };
}

/** @param {any} stage as bytes, or as an object where a port cannot leave the bytes */
function joinIn(stage) {
  if (!(stage instanceof Uint8Array)) return [stage];
  const bytes = Buffer.from(stage.buffer, stage.byteOffset, stage.byteLength);
  return JOINS.some((join) => bytes.includes(join)) ? [namesIn(bytes)] : [];
}

/** @param {{ name: string }} one */
const nameOf = ({ name }) => name;

/**
 * @param {Port} port
 * @param {CollectionName} place
 * @param {Collation} [own] the only one that tune's view may have; left out: any
 * @returns {Promise<{ collation: Collation, dependents: Dependent[] }>}
 * @throws {TuneError} TUNE-35020
 */
async function readDemand(port, place, own) {
  const dependents = await findDependents(port, place);
  const { collation, refused } = demandOf(place, dependents, own);
  if (refused !== null)
    throw new TuneError('TUNE-35020', refused, {
      value: dependents.map(({ name }) => `${place.db}.${name}`),
    });
  return { collation, dependents };
}

/**
 * Makes the operations of tune's view. Under a name that a collection has until then the view can
 * only be refused after the rename; a trial on each view that reads the name is refused before.
 * @param {Port} port
 * @param {CollectionName} place
 * @param {View} view
 * @param {Collation} [own]
 * @returns {Promise<{ proof: Op[], made: Op[], seen: string }>} `proof`: the operations to run
 *   first; `seen`: the views for which it was made
 * @throws {TuneError} TUNE-35020
 */
async function viewAt(port, place, view, own) {
  const { collation, dependents } = await readDemand(port, place, own);
  const like = { ...view, ...(collation && { collation }) };
  const trial = `mongosh_tune_trial_${crypto.randomBytes(6).toString('hex')}`;
  return {
    proof: representatives(dependents).flatMap(({ name }) => [
      command(place.db, { create: trial, ...like, viewOn: name }),
      command(place.db, { drop: trial }),
    ]),
    made: [command(place.db, { create: place.name, ...like })],
    seen: JSON.stringify(dependents),
  };
}

/**
 * Picks for each collation the view on the most others. The server loads all views of a database
 * for each trial, under its exclusive lock: trials on 300 views held it for 345 ms (6.0.5, 2 CPUs).
 * @param {readonly Dependent[]} dependents
 */
function representatives(dependents) {
  /** @type {Map<string, Dependent>} */ const deepest = new Map();
  for (const one of dependents) {
    const key = JSON.stringify(one.collation);
    if (one.depth > (deepest.get(key)?.depth ?? 0)) deepest.set(key, one);
  }
  return [...deepest.values()];
}

/**
 * Tries again where a view of the name was made between the check and the step: the next check sees
 * it.
 * @template T
 * @param {() => Promise<T>} doIt
 * @param {() => Promise<boolean>} [isTorn] whether a part was done, which has to be undone
 */
async function retryAsViewsChange(doIt, isTorn = async () => false) {
  for (let tries = 1; ; tries += 1)
    try {
      return await doIt();
    } catch (error) {
      const isRefused = REFUSED.has(/** @type {any} */ (error)?.code);
      if (!isRefused || tries === TRIES || (await isTorn())) throw error;
    }
}

/**
 * Returns the collation that tune's view at the name of a source must have: a view that answers
 * reads answers them as the collection would.
 * @param {Port} port
 * @param {Direction} direction
 * @returns {Promise<Collation | undefined>} undefined: any
 */
async function ownCollation(port, { from, reads }) {
  if (reads !== 'view') return undefined;
  const [renamedTo, here] = [
    await findCollection(port, from.db, from.renamedTo),
    await findCollection(port, from.db, from.name),
  ];
  return (renamedTo ?? here)?.options?.collation ?? null;
}

module.exports = { findDependents, retryAsViewsChange, ownCollation, readDemand, viewAt };
