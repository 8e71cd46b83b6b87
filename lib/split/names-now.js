'use strict';

const { isCode } = require('../base/pure/errors');
const { changeText, literal, quoted, renameText } = require('../base/pure/printable');
const { activeName } = require('./active-name');
const { readDemand } = require('./dependents');
const { earlyEnd } = require('./ended-early');
const { forward, nsOf, reverse } = require('./directions');
const { closeCalls, refusingForGood } = require('./keep-last');
const { freeName, renamesBack } = require('./where-it-stands');
const { isBeforeCut } = require('./pure/phase-table');
const { nextOfChanged } = require('./pure/split-names-changed');
const { refusingSource, refusingTarget } = require('./replace-view');
const {
  findCollection,
  findOccupant,
  isTimeSeries,
  nameByUuid,
  sameUuid,
  serverTime,
} = require('./server');
const { findSplits } = require('./state');
const { claimant } = require('./successor');
const { isSplitView } = require('./target');

/**
 * @import { Active } from './active-name'
 * @import { Early } from './ended-early'
 * @import { Closed } from './replace-view'
 * @import { CollectionName, Port } from './server'
 * @import { Split } from './types'
 */

/**
 * Reads what the server has under the names of a split: any user can drop a view or a collection,
 * or give it another name.
 *
 * @typedef {{
 *   viewInPlace: boolean | null, nameTaken: boolean | null, blockCall: string | null,
 *   blockRefused: string | null,
 *   renameTo: string | null, otherView: string | null, otherSplit: string | null,
 *   ownData: boolean, isSeries?: boolean, freeFirst?: string
 * }} Blocked of the name that is to be blocked; `viewInPlace`: null where none is due, or it is not
 *   known; `blockCall`: what makes it again; `blockRefused`: why nothing can; `renameTo`: for the
 *   collection that has the name; `otherView`: what the view of another user is; `otherSplit`: what
 *   the name belongs to by now; `ownData`: a collection of the split itself has it;
 *   `isSeries`: a time series has it, which can have no other name; `freeFirst`: how the name
 *   `renameTo` becomes free
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
 * @returns {Promise<Blocked & Active & Copy & Early & Partial<ReturnType<typeof nextOfChanged>>>}
 *   the values that replace those of the row
 */
async function namesNow(port, split, row) {
  const or = async (/** @type {Promise<any>} */ seen, /** @type {any} */ unknown) =>
    seen.catch(() => unknown);
  const [blocked, active, copy, early] = await Promise.all([
    or(blockedName(port, split), NOT_DUE),
    or(activeName(port, split), {}),
    or(copyName(port, split, row.kept), {}),
    or(earlyEnd(port, split), {}),
  ]);
  const changed = { ...active, ...copy, ...early };
  if (blocked.viewInPlace !== false && Object.keys(changed).length === 0) return blocked;
  const { isSame, isAtWork } = await or(recordNow(port, split), { isSame: false });
  if (!isSame) return NOT_DUE;
  if (isAtWork) return blocked.ownData ? NOT_DUE : blocked;
  return { ...blocked, ...changed, ...nextOfChanged({ ...row, ...changed }) };
}

/**
 * Reads the record again. A command in another shell changes the record before it changes a name,
 * or after that, but under its lease.
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<{ isSame: boolean, isAtWork: boolean }>}
 */
async function recordNow(port, { _id, revision }) {
  const [now] = await findSplits(port, { _id });
  const until = Number(now?.lease?.until ?? 0);
  return {
    isSame: now?.revision === revision,
    isAtWork: until > 0 && until > Number(await serverTime(port)),
  };
}

/**
 * @param {Port} port
 * @param {Split} split
 * @param {string | null} kept
 * @returns {Promise<Copy>} empty: the copy has its name
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
  if (isToBeRenamed(split, there)) return { kept: kept && `${db}.${there}` };
  const isFree = (await findCollection(port, db, name)) === null;
  const copyCall = isFree ? renameText({ db, name: there }, name) : null;
  return { ...calls, copyRenamedAs: `${db}.${there}`, copyCall };
}

/**
 * Says whether the next command, whichever it is, renames the copy: a shell died before it had
 * given the copy its new name.
 * @param {Split} split
 * @param {string} name
 */
const isToBeRenamed = ({ lease, formerNames }, name) =>
  lease !== null && formerNames.includes(name);

/**
 * Returns the collection that follows the one that takes the writes, once its UUID is known.
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
 * Returns the view that is due at the name that refuses.
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<Closed | null>}
 */
async function dueView(port, split) {
  const { phase, refuses = false } = split;
  if (phase === 'switched') return refusingOld(port, split);
  if (phase === 'rolled-back') return refusingSource(reverse(split));
  return isBeforeCut(split) || (phase === 'aborted' && refuses)
    ? refusingTarget(split, 'forward')
    : null;
}

/**
 * Returns the refusing view at the old name. A view on a missing collection returns no documents,
 * so the name must refuse reads too.
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
  const due = await dueView(port, split);
  if (due === null) return NOT_DUE;
  const there = await findOccupant(port, due.place);
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
  if (isTimeSeries(there)) return { isSeries: true };
  const { from, into, sourceUuid, stagingUuid } = split;
  const isIt = (/** @type {any} */ uuid) => sameUuid(uuid, there.info.uuid);
  if (!isIt(sourceUuid) && !isIt(stagingUuid))
    return { renameTo: await freeName(port, place.db, `${place.name}_other`) };
  const before = isIt(sourceUuid) ? from.renamedTo : into.stagingName;
  const { first } = await renamesBack(port, place, before);
  return { ownData: true, renameTo: before, ...(first !== null && { freeFirst: first }) };
}

/**
 * @param {Port} port
 * @param {Closed} due
 * @param {boolean} isView a view of another user has the name, and is changed without a drop
 * @returns {Promise<Pick<Blocked, 'blockCall' | 'blockRefused'>>} the call to type; it fails where
 *   a collection has the name
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

module.exports = { namesNow };
