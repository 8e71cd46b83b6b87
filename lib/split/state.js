'use strict';

const { DUPLICATE_KEY } = require('../base/pure/server-codes');
const { TuneError } = require('../base/pure/errors');
const { DATABASE, write } = require('./server');
const { loaded, stored } = require('./stored-names');
const { preparePermits } = require('./permit');
const { makeStagingName, renamedName } = require('./pure/split-names');

/**
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/**
 * Saves the state of each moved collection, on the server that it is on, so that any shell can
 * continue.
 *
 * @typedef {'planned' | 'created' | 'copying' | 'indexing' | 'following' | 'cutting' | 'draining' |
 *   'switching' | 'switched' | 'finished' | 'aborting' | 'aborted' | 'cutting-back' |
 *   'draining-back' | 'switching-back' | 'rolled-back'} Phase
 * @typedef {{ name: string, expireAfterSeconds: number, ofCollection?: boolean }} Ttl
 *   `ofCollection`: an option of a clustered collection, `name` is that of its index
 */

const COLLECTION = 'splits';
const UNAUTHORIZED = 13;

/** @param {Port} port */
async function prepareState(port) {
  const once = { unique: true, partialFilterExpression: { active: true } };
  await write(port, DATABASE, {
    createIndexes: COLLECTION,
    indexes: [
      { name: 'one_at_a_time', key: { source: 1 }, ...once },
      { name: 'one_target', key: { target: 1 }, ...once },
    ],
  });
  await preparePermits(port);
}

/**
 * @param {{ id: string, mode: 'online' | 'offline', alone: boolean, begunAt: Date }} plan `alone`:
 *   the plan moves no other collection; `begunAt`: by the server's clock
 * @param {{ ns: string, into: string, method: 'out' | 'ranges', documents: number | null }} move
 * @param {{ uuid: any, options: any, indexes: any[] }} seen
 * @returns {Split}
 */
function newSplit(
  { id, mode, alone, begunAt },
  { ns, into, method, documents },
  { uuid, options, indexes },
) {
  const [from, to] = [ns, into].map((one) => ({
    db: one.slice(0, one.indexOf('.')),
    name: one.slice(one.indexOf('.') + 1),
  }));
  return {
    _id: `${id}:${ns}`,
    planId: id,
    alone,
    source: ns,
    target: into,
    active: true,
    phase: /** @type {Phase} */ ('planned'),
    mode,
    method,
    from: { ...from, renamedTo: renamedName(from.name, id) },
    into: { ...to, stagingName: makeStagingName(to.name, id) },
    sourceUuid: uuid,
    stagingUuid: null,
    options,
    indexes,
    documents: documents ?? 0,
    begunAt,
    startAt: null,
    token: null,
    reverseStartAt: null,
    reverseToken: null,
    copiedTo: null,
    pendingConflicts: [],
    copied: 0,
    reconciled: 0,
    history: [{ phase: 'planned', at: new Date() }],
    verified: null,
    lease: null,
    revision: 0,
    permit: null,
    renamed: 0,
    formerNames: [],
    undoneCuts: [],
    ttl: { forward: [], reverse: [] },
  };
}

/**
 * Refuses names of another split: a name that is the target of one and the source of the next would
 * be missing where the first one ends. It is checked before any part of a plan is saved, because a
 * resume would carry out the saved part.
 * @param {Port} port
 * @param {readonly Split[]} splits of one plan
 * @throws {TuneError} TUNE-35002
 */
async function checkFree(port, splits) {
  const names = splits.flatMap(({ source, target }) => [source, target]);
  const [other] = await findSplits(port, {
    active: true,
    planId: { $ne: splits[0].planId },
    $or: [{ source: { $in: names } }, { target: { $in: names } }],
  });
  const split =
    other &&
    splits.find(({ source, target }) =>
      [source, target].some((name) => name === other.source || name === other.target),
    );
  if (split) throw alreadyMoving(split, other);
}

/**
 * Saves all of a plan or none: a part of it could be resumed.
 * @param {Port} port
 * @param {readonly Split[]} splits of one plan
 * @throws {TuneError} TUNE-35002, TUNE-35011
 */
async function addSplits(port, splits) {
  const added = [];
  try {
    for (const split of splits) if (await addSplit(port, split)) added.push(split._id);
  } catch (error) {
    const untouched = { _id: { $in: added }, phase: 'planned', lease: null, revision: 0 };
    await write(port, DATABASE, {
      delete: COLLECTION,
      deletes: [{ q: untouched, limit: 0 }],
    }).catch(() => undefined);
    throw error;
  }
}

/**
 * @param {Port} port @param {Split} split
 * @returns {Promise<boolean>} false: it exists from an earlier try
 */
async function addSplit(port, split) {
  try {
    await write(port, DATABASE, { insert: COLLECTION, documents: [stored(split)] });
    return true;
  } catch (error) {
    if (/** @type {any} */ (error).code !== DUPLICATE_KEY) throw error;
    const [own] = await findSplits(port, { _id: split._id });
    if (own?.active) return false;
    throw own ? alreadyRun(split, own, error) : await inTheWay(port, split, error);
  }
}

/** @param {Split} split @param {Split} own the saved split @param {unknown} [cause] */
const alreadyRun = ({ planId, source }, own, cause) =>
  new TuneError('TUNE-35011', `The plan ${planId} was already run: ${source} is ${own.phase}.`, {
    value: planId,
    cause,
  });

/** @param {Port} port @param {Split} split @param {unknown} cause */
async function inTheWay(port, { source, target }, cause) {
  const [other] = await findSplits(port, { active: true, $or: [{ source }, { target }] });
  return alreadyMoving({ source, target }, other, cause);
}

/**
 * @param {Pick<Split, 'source' | 'target'>} split
 * @param {Split | undefined} other
 * @param {unknown} [cause]
 */
function alreadyMoving({ source, target }, other, cause) {
  return new TuneError(
    'TUNE-35002',
    `${whatOf({ source, target }, other)}: ${other?._id ?? 'of another shell'}.`,
    { value: other?._id, cause },
  );
}

/** @param {Pick<Split, 'source' | 'target'>} split @param {Split | undefined} other */
function whatOf({ source, target }, other) {
  if (other?.source === source) return `${source} is already being moved`;
  if (other?.source === target)
    return `${target} is the source namespace of another split that is not finished`;
  return `${other?.target === source ? source : target} is already the target of another split`;
}

/**
 * @param {Port} port
 * @param {Record<string, unknown>} filter
 * @returns {Promise<Split[]>} the oldest first, ended ones last
 */
async function findSplits(port, filter) {
  try {
    return (await findAll(port, filter)).map(loaded);
  } catch (error) {
    if (/** @type {any} */ (error).code !== UNAUTHORIZED) throw error;
    throw new TuneError(
      'TUNE-20005',
      `This user cannot read ${DATABASE}.${COLLECTION}, which has the state of ` +
        `splits. It needs readWrite on ${DATABASE}, as in the role tuneSplit of ` +
        'docs/privileges.md.',
      { value: 'find', allowed: `readWrite on ${DATABASE}`, cause: error },
    );
  }
}

/**
 * Reads all splits. An answer holds 16 MB, and one split may have as much; the rest is requested
 * without those that are known.
 * @param {Port} port
 * @param {Record<string, unknown>} filter
 * @returns {Promise<any[]>}
 */
async function findAll(port, filter) {
  /** @type {any[]} */ const found = [];
  for (let isWhole = false; !isWhole;) {
    const known = found.map(({ _id }) => _id);
    const { cursor } = await port.command(DATABASE, {
      find: COLLECTION,
      filter: known.length === 0 ? filter : { $and: [filter, { _id: { $nin: known } }] },
      sort: { active: -1, 'history.0.at': 1, _id: 1 },
      batchSize: 1000,
      readConcern: { level: 'local' },
    });
    found.push(...cursor.firstBatch);
    isWhole = String(cursor.id ?? 0) === '0';
    if (!isWhole) await port.command(DATABASE, { killCursors: COLLECTION, cursors: [cursor.id] });
  }
  return found;
}

/**
 * Reads the splits that an id means: of a whole plan, or of one collection.
 * @param {Port} port
 * @param {string | undefined} id
 * @param {Record<string, unknown>} [otherwise] the splits meant without an id
 */
const splitsOf = (port, id, otherwise = { active: true }) =>
  findSplits(port, id === undefined ? otherwise : { $or: [{ _id: id }, { planId: id }] });

/**
 * Saves changes; only the shell that holds the lease may, and only over what it read: a message
 * that comes late changes nothing.
 * @param {Port} port
 * @param {Split} split
 * @param {{ owner: string, saving: string, changes: Partial<Split> }} what `saving`: the same for
 *   each try
 * @returns {Promise<Split>}
 * @throws {TuneError} TUNE-35003
 */
async function saveSplit(port, split, { owner, saving, changes }) {
  const push =
    changes.phase && changes.phase !== split.phase
      ? { $push: { history: { phase: changes.phase, at: new Date() } } }
      : {};
  const query = { _id: split._id, 'lease.owner': owner, revision: split.revision };
  const { value } = await write(port, DATABASE, {
    findAndModify: COLLECTION,
    query,
    update: { $set: { ...stored(changes), saving }, $inc: { revision: 1 }, ...push },
    new: true,
  });
  if (value) return loaded(value);
  // The answer of an earlier try may have been lost.
  const [saved] = await findSplits(port, { _id: split._id, 'lease.owner': owner, saving });
  if (saved) return saved;
  throw new TuneError('TUNE-35003', `Another shell has taken over the split ${split._id}.`, {
    value: split._id,
  });
}

module.exports = {
  alreadyRun,
  prepareState,
  newSplit,
  checkFree,
  addSplits,
  findSplits,
  splitsOf,
  saveSplit,
  DATABASE,
  COLLECTION,
};
