'use strict';

const { blocksIn, cutWayOf, isCutOff } = require('./pure/phase-table');
const { findCollection, findOccupant, isTimeSeries, sameUuid } = require('./server');
const { ownerOf } = require('./successor');
const { isSplitView } = require('./target');

/**
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/**
 * @typedef {{
 *   ns: string, isFree: boolean, otherSplit?: string, kind?: 'view' | 'time series'
 * }} Open a name where a view of the split is due, and is not: writes there are in no data of the
 *   split; `isFree`: there is no collection yet; `otherSplit`: the one that it belongs to; `kind`: of
 *   what cannot be renamed
 */

/**
 * Reads what the phase does not show: another user may have dropped a view, or a step may be half
 * done.
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<{
 *   namesBlocked: boolean, namesUnknown?: boolean, namesOpen?: boolean, open: Open[]
 * }>} `namesBlocked`: neither name has data, in a phase that does not report; `namesUnknown`: that
 *   may be so; `namesOpen`: one name has data, in a phase in which neither should
 */
async function readNames(port, split) {
  const { phase, mode, from, into, sourceUuid, stagingUuid, reopened } = split;
  const blocks = blocksIn(phase, mode);
  if (blocks === false && !reopened) return { namesBlocked: false, open: [] };
  try {
    if (!(await mayBeCutOff(port, split))) return { namesBlocked: false, open: [] };
    const there = await Promise.all([from, into].map((place) => findOccupant(port, place)));
    const hasData = (/** @type {any} */ one) =>
      one?.type === 'collection' &&
      [sourceUuid, stagingUuid].some((uuid) => sameUuid(uuid, one.info.uuid));
    const open = [from, into]
      .map(({ db, name }, i) => ({ ns: `${db}.${name}`, one: there[i] }))
      // An abort frees the target's name.
      .slice(0, phase === 'aborting' ? 1 : 2)
      .filter(({ one }) => !isSplitView(one) && !hasData(one));
    return {
      namesBlocked: blocks === null && !there.some(hasData),
      ...(blocks === true && !reopened && there.some(hasData) && { namesOpen: true }),
      open: await Promise.all(open.map((name) => openName(port, split, name))),
    };
  } catch (_unknown) {
    return unseenNames(split);
  }
}

/**
 * Judges names that cannot be read: a switch that is done is saved at once, so that blocked names
 * are most likely.
 * @param {Split} split a split whose names cannot be read
 */
function unseenNames({ phase, mode, history = [] }) {
  const isOpen = blocksIn(phase, mode) !== null;
  const namesBlocked = !isOpen && isCutOff(phase);
  // An abort may begin before any cut.
  const namesUnknown =
    !isOpen && !namesBlocked && [{ phase }, ...history].some((one) => cutWayOf(one.phase) !== null);
  return { namesBlocked, ...(namesUnknown && { namesUnknown }), open: [] };
}

/**
 * @param {Port} port
 * @param {Split} split
 * @param {{ ns: string, one: any }} name
 * @returns {Promise<Open>}
 */
async function openName(port, split, { ns, one }) {
  const other = await ownerOf(port, split, one?.info?.uuid);
  const kind = kindOf(one);
  return {
    ns,
    isFree: one === null,
    ...(other && { otherSplit: other._id }),
    ...(kind && { kind }),
  };
}

/** @param {any} one @returns {Open['kind']} */
function kindOf(one) {
  if (isTimeSeries(one)) return 'time series';
  return one?.type === 'view' ? 'view' : undefined;
}

/**
 * Says whether the source may be cut off. In a cut that has not begun no view of the split is due:
 * another session took what is missing. That session may have renamed the data of a cut that has
 * begun.
 * @param {Port} port
 * @param {Parameters<typeof readNames>[1]} split
 */
async function mayBeCutOff(port, { phase, from, into, sourceUuid, stagingUuid }) {
  const place = {
    cutting: { ...from, cutAs: from.renamedTo, uuid: sourceUuid },
    'cutting-back': { ...into, cutAs: into.stagingName, uuid: stagingUuid },
  }[/** @type {string} */ (phase)];
  if (!place) return true;
  const { db, name, cutAs, uuid } = place;
  return (
    sameUuid((await findCollection(port, db, cutAs))?.info?.uuid, uuid) ||
    isSplitView(await findCollection(port, db, name))
  );
}

module.exports = { readNames, unseenNames };
