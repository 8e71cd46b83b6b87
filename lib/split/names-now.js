'use strict';

const { isCode } = require('../base/pure/errors');
const { literal, quoted, renameText } = require('../base/pure/printable');
const { readDemand } = require('./dependents');
const { forward, nsOf, reverse } = require('./directions');
const { changeText, closeCalls, keepCalls, refusingForGood } = require('./keep-last');
const { freeName } = require('./where-it-stands');
const { PHASE_TABLE } = require('./pure/phase-table');
const { nextOfChanged } = require('./pure/split-names-changed');
const { refusingSource, refusingTarget } = require('./replace-view');
const { findCollection, nameByUuid, sameUuid } = require('./server');
const { findSplits } = require('./state');
const { claimant, laterOwner } = require('./successor');
const { isSplitView } = require('./target');

/**
 * @import { Closed } from './replace-view'
 * @import { CollectionName, Port } from './server'
 * @import { Split } from './types'
 */

/**
 * What the server has under the names of a split: anybody can drop a view or a collection, or give
 * it another name.
 *
 * @typedef {{
 *   viewInPlace: boolean | null, nameTaken: boolean | null, blockCall: string | null,
 *   blockRefused: string | null,
 *   renameTo: string | null, otherView: string | null, otherSplit: string | null,
 *   ownData: boolean
 * }} Blocked of the name that is to be blocked; `viewInPlace`: null where none is due, or it is not
 *   known; `blockCall`: what makes it again; `blockRefused`: why nothing can; `renameTo`: for the
 *   collection that has the name; `otherView`: what the view of another user is; `otherSplit`: what
 *   the name belongs to by now; `ownData`: a collection of the split itself has it
 * @typedef {{
 *   gone?: 'source' | 'target', renamedAs?: string, movedBy?: string,
 *   activeHas?: 'collection' | 'view' | null, renameCall?: string | null, keepCalls?: string[]
 * }} Active of the collection that takes the writes, where it is not in its place; `movedBy`: a later
 *   split; `activeHas`: what has its name; `renameCall`: gives its name back; `keepCalls`: keep the
 *   last copy, so that a finish drops nothing
 * @typedef {{
 *   kept?: string | null, copyGone?: boolean, copyRenamedAs?: string, copyCall?: string | null,
 *   closeCalls?: string[]
 * }} Copy of the collection that follows, where it is not in its place; `copyCall`: gives its name
 *   back; `closeCalls`: what still reads it refuses
 */

/** @type {Blocked} */
const NOT_DUE = Object.freeze({
  viewInPlace: null,
  nameTaken: null,
  blockCall: null,
  blockRefused: null,
  renameTo: null,
  otherView: null,
  otherSplit: null,
  ownData: false,
});

/**
 * @param {Port} port
 * @param {Split} split
 * @param {{ phase: Split['phase'], kept: string | null, ownId: string, next: string | null, nextBack: string | null }}
 *   row
 * @returns {Promise<Blocked & Active & Copy & { kept: string | null, next: string | null, nextBack: string | null }>}
 */
async function namesNow(port, split, row) {
  const { kept, next, nextBack } = row;
  const or = async (/** @type {Promise<any>} */ seen, /** @type {any} */ unknown) =>
    seen.catch(() => unknown);
  const [blocked, active, copy] = await Promise.all([
    or(blockedName(port, split), NOT_DUE),
    or(activeName(port, split), {}),
    or(copyName(port, split, kept), {}),
  ]);
  const changed = { ...active, ...copy };
  const isAsDue = blocked.viewInPlace !== false && Object.keys(changed).length === 0;
  // A command in another shell changes the record before it changes a name.
  if (!isAsDue && !(await or(isUnchanged(port, split), false)))
    return { ...NOT_DUE, kept, next, nextBack };
  return { ...blocked, kept, next, nextBack, ...changed, ...nextOfChanged({ ...row, ...changed }) };
}

/** @param {Port} port @param {Split} split @returns {Promise<boolean>} */
async function isUnchanged(port, { _id, revision }) {
  const [now] = await findSplits(port, { _id });
  return now?.revision === revision;
}

/**
 * @param {Port} port
 * @param {Split} split
 * @param {string | null} kept
 * @returns {Promise<Copy>} empty: it is as it should be
 */
async function copyName(port, split, kept) {
  const { into } = split;
  const copy = followerOf(split);
  if (copy === null) {
    const isThere = kept === null || (await findCollection(port, into.db, into.stagingName));
    return isThere ? {} : { kept: null };
  }
  const { db, name, uuid } = copy;
  const there = await nameByUuid(port, db, uuid);
  if (there === name) return {};
  const calls = { kept: null, closeCalls: await closeCalls(port, split) };
  if (there === undefined) return { ...calls, copyGone: true };
  const isFree = (await findCollection(port, db, name)) === null;
  const copyCall = isFree ? renameText({ db, name: there }, name) : null;
  return { ...calls, copyRenamedAs: `${db}.${there}`, copyCall };
}

/**
 * The collection that follows the one that takes the writes, once its UUID is known.
 * @param {Split} split
 */
function followerOf(split) {
  const { phase, from, into, sourceUuid, stagingUuid } = split;
  if (phase === 'switched') return { db: from.db, name: from.renamedTo, uuid: sourceUuid };
  return isBeforeCut(split) && stagingUuid
    ? { db: into.db, name: into.stagingName, uuid: stagingUuid }
    : null;
}

/**
 * What is to be at the name that refuses.
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<Closed | null>}
 */
async function dueOf(port, split) {
  const { phase, refuses = false } = split;
  if (phase === 'switched') return refusingOld(port, split);
  if (phase === 'rolled-back') return refusingSource(reverse(split));
  return isBeforeCut(split) || (phase === 'aborted' && refuses)
    ? refusingTarget(split, 'forward')
    : null;
}

/** Where the target's view is there, and the source takes the writes. @param {Split} split */
function isBeforeCut({ phase, mode }) {
  const { way = null, stage = null } = PHASE_TABLE[phase] ?? {};
  return mode === 'online' && way === 'forward' && (stage === 'copying' || stage === 'ready');
}

/**
 * Over nothing a view would answer as if there had never been anything.
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<Closed>}
 */
async function refusingOld(port, split) {
  const { db, renamedTo } = split.from;
  const isThere = (await findCollection(port, db, renamedTo)) !== null;
  return isThere ? refusingSource(forward(split)) : refusingForGood(split);
}

/**
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<Blocked>}
 */
async function blockedName(port, split) {
  const due = await dueOf(port, split);
  if (due === null) return NOT_DUE;
  const there = await findCollection(port, due.place.db, due.place.name);
  if (isSplitView(there)) return { ...NOT_DUE, viewInPlace: true, nameTaken: false };
  const other = await claimant(port, split, { ns: nsOf(due.place), uuid: there?.info?.uuid });
  if (other) return { ...NOT_DUE, otherSplit: other._id };
  return {
    ...NOT_DUE,
    viewInPlace: false,
    nameTaken: there !== null,
    ...(await blockCallOf(port, due, there?.type === 'view')),
    ...(there !== null && (await takenBy(port, split, due.place, there))),
  };
}

/**
 * @param {Port} port
 * @param {Split} split
 * @param {CollectionName} place
 * @param {any} there
 * @returns {Promise<Partial<Blocked>>}
 */
async function takenBy(port, split, place, there) {
  if (there.type === 'view') return { otherView: createText(place, there.options) };
  const { from, into, sourceUuid, stagingUuid } = split;
  const isIt = (/** @type {any} */ uuid) => sameUuid(uuid, there.info.uuid);
  if (!isIt(sourceUuid) && !isIt(stagingUuid))
    return { renameTo: await freeName(port, place.db, `${place.name}_other`) };
  const before = isIt(sourceUuid) ? from.renamedTo : into.stagingName;
  const isFree = (await findCollection(port, place.db, before)) === null;
  return { ownData: true, renameTo: isFree ? before : null };
}

/**
 * @param {Port} port
 * @param {Closed} due
 * @param {boolean} isView a view of another user has the name, and becomes ours without a drop
 * @returns {Promise<Pick<Blocked, 'blockCall' | 'blockRefused'>>} as it is typed; it fails where a
 *   collection has the name
 */
async function blockCallOf(port, { place, view, own }, isView) {
  if (isView) return { blockCall: changeText(place, view), blockRefused: null };
  try {
    const { collation } = await readDemand(port, place, await own?.(port));
    return { blockCall: createText(place, { ...view, collation }), blockRefused: null };
  } catch (error) {
    return {
      blockCall: null,
      blockRefused: isCode(error, 'TUNE-35020') ? /** @type {Error} */ (error).message : null,
    };
  }
}

/**
 * @param {{ db: string, name: string }} place
 * @param {{ viewOn?: string, pipeline?: object[], collation?: object | null }} view
 */
function createText({ db, name }, { viewOn, pipeline = [], collation }) {
  const args = [name, viewOn, pipeline, ...(collation ? [{ collation }] : [])];
  return `db.getSiblingDB(${quoted(db)}).createView(${args.map(literal).join(', ')})`;
}

/**
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<Active>}
 */
async function activeName(port, split) {
  const { phase, from, into, sourceUuid, stagingUuid } = split;
  const isTarget = phase === 'switched';
  if (!isTarget && phase !== 'rolled-back' && !isBeforeCut(split)) return {};
  const [{ db, name }, uuid] = isTarget ? [into, stagingUuid] : [from, sourceUuid];
  const there = await nameByUuid(port, db, uuid);
  if (there === name) return {};
  const later = phase === 'rolled-back' ? await laterOwner(port, split) : null;
  if (later) return { movedBy: later._id };
  return elsewhere(port, split, { place: { db, name }, there });
}

/**
 * @param {Port} port
 * @param {Split} split
 * @param {{ place: CollectionName, there: string | undefined }} active `there`: what it is called
 * @returns {Promise<Active>}
 */
async function elsewhere(port, split, { place, there }) {
  const { phase, from, into } = split;
  const activeHas = kindOf(await findCollection(port, place.db, place.name));
  const isTarget = phase === 'switched';
  const last = isTarget
    ? { db: from.db, name: from.renamedTo }
    : { db: into.db, name: into.stagingName };
  const seen = {
    activeHas,
    keepCalls: isBeforeCut(split) ? [] : await keepCalls(port, split, last),
  };
  if (there === undefined) return { ...seen, gone: isTarget ? 'target' : 'source' };
  const renameCall = activeHas ? null : renameText({ ...place, name: there }, place.name);
  return { ...seen, renamedAs: `${place.db}.${there}`, renameCall };
}

/** @param {any} there @returns {'collection' | 'view' | null} */
function kindOf(there) {
  if (there === null) return null;
  return there.type === 'view' ? 'view' : 'collection';
}

module.exports = { namesNow };
