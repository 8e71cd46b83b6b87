'use strict';

const { renameText } = require('../base/pure/printable');
const { keepCalls } = require('./keep-last');
const { CUT_BACK_PHASES, isBeforeCut } = require('./pure/phase-table');
const { findCollection, nameByUuid } = require('./server');
const { laterOwner } = require('./successor');

/**
 * @import { CollectionName, Port } from './server'
 * @import { Split } from './types'
 */

/**
 * @typedef {{
 *   gone?: 'source' | 'target', renamedAs?: string, movedBy?: string,
 *   activeHas?: 'collection' | 'view' | null, renameCall?: string | null, keepCalls?: string[]
 * }} Active of the collection that takes the writes, where it is not in its place; `movedBy`: a later
 *   split; `activeHas`: what has its name; `renameCall`: gives its name back; `keepCalls`: keep the
 *   last copy, so that a finish drops nothing
 * @typedef {{
 *   isTarget: boolean, place: CollectionName, cutAs?: string | null
 * }} Due `cutAs`: its name while both names refuse
 */

/** The stages in which the source has one of its two names. */
const CUT = Object.freeze(['cutting', 'draining', 'aborting']);

/**
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<Active>} empty: the collection has its name
 */
async function activeName(port, split) {
  const due = duePlace(split);
  if (!due) return {};
  const { isTarget, place, cutAs } = due;
  const there = await nameByUuid(port, place.db, isTarget ? split.stagingUuid : split.sourceUuid);
  if (there === place.name || (there !== undefined && there === cutAs)) return {};
  const later = split.phase === 'rolled-back' ? await laterOwner(port, split) : null;
  if (later) return { movedBy: later._id };
  return elsewhere(port, split, due, there);
}

/** @param {Split} split @returns {Due | null} */
function duePlace(split) {
  const { phase, mode, from, into, reopened } = split;
  if (reopened) {
    const isTarget = reopened.way === 'reverse';
    return { isTarget, place: isTarget ? into : from, cutAs: reopened.name };
  }
  if (phase === 'switched') return { isTarget: true, place: into };
  if (CUT_BACK_PHASES.includes(phase))
    return { isTarget: true, place: into, cutAs: into.stagingName };
  if (phase === 'rolled-back' || isBeforeCut(split)) return { isTarget: false, place: from };
  // In the other phases an offline split has no copy yet.
  return CUT.includes(phase) && (mode === 'online' || phase === 'aborting')
    ? { isTarget: false, place: from, cutAs: from.renamedTo }
    : null;
}

/**
 * @param {Port} port
 * @param {Split} split
 * @param {Due} due
 * @param {string | undefined} there its present name
 * @returns {Promise<Active>}
 */
async function elsewhere(port, split, due, there) {
  const { isTarget, place } = due;
  const { phase, from, into } = split;
  const has = kindOf(await findCollection(port, place.db, place.name));
  const last = isTarget
    ? { db: from.db, name: from.renamedTo }
    : { db: into.db, name: into.stagingName };
  const isAfter = phase === 'switched' || phase === 'rolled-back';
  const seen = { activeHas: has, keepCalls: isAfter ? await keepCalls(port, split, last) : [] };
  if (there === undefined) return { ...seen, gone: isTarget ? 'target' : 'source' };
  const name = has === 'view' && due.cutAs ? due.cutAs : place.name;
  const isFree = (await findCollection(port, place.db, name)) === null;
  const renameCall = isFree ? renameText({ db: place.db, name: there }, name) : null;
  return { ...seen, renamedAs: `${place.db}.${there}`, renameCall };
}

/** @param {any} there @returns {'collection' | 'view' | null} */
function kindOf(there) {
  if (there === null) return null;
  return there.type === 'view' ? 'view' : 'collection';
}

module.exports = { activeName };
