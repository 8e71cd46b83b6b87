'use strict';

const { directionOf } = require('./directions');
const { PHASES, cutWayOf } = require('./pure/phase-table');
const { nameByUuid } = require('./server');
const { isInPlace, renamesBack } = require('./where-it-stands');

/**
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/**
 * @typedef {{
 *   endedEarly?: 'copy' | 'both', unsaved?: boolean, isWhole?: boolean, copyCall?: string | null, freeFirst?: string
 * }} Early a name that was opened before its collection had all writes; `both`: the other name takes
 *   writes, too; `unsaved`: behind the last writes, and the next command checks it; `isWhole`: it
 *   needs no check, since a standalone server's source still has the name of its cut; `copyCall`: gives the
 *   collection its name back; `freeFirst`: how that name becomes free
 */

/** @param {Split} split */
const wayOf = ({ phase }) => (phase === 'aborting' ? 'forward' : cutWayOf(phase));

/**
 * Says whether the name was opened after the last writes: the next command then checks what is
 * missing. An offline split cannot know what the source took while its cut was undone.
 * @param {Split} split @param {'forward' | 'reverse'} way
 */
const isUnsaved = ({ phase, mode, needsFullCompare = false }, way) =>
  phase === PHASES[way].switching && !(mode === 'offline' && needsFullCompare);

/** @param {Split} split @param {boolean} isCutOff the source has the name of its cut @returns {Early} */
const unsaved = ({ mode }, isCutOff) => ({
  unsaved: true,
  ...(mode === 'offline' && isCutOff && { isWhole: true }),
});

/**
 * Reads whether another session ended a cut by hand: the commands then refuse to continue.
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<Early>}
 */
async function earlyEnd(port, split) {
  const way = split.reopened ? null : wayOf(split);
  if (way === null) return {};
  const { from, to } = directionOf(split, way);
  if (!to.uuid || !(await isInPlace(port, to))) return {};
  const name = await nameByUuid(port, from.db, from.uuid);
  const isBoth = name === from.name;
  // Without the source nothing is missing.
  if (name === undefined) return {};
  if (!isBoth && isUnsaved(split, way)) return unsaved(split, name === from.renamedTo);
  const { first, rename } = await renamesBack(port, to, to.stagingName);
  return {
    endedEarly: isBoth ? 'both' : 'copy',
    copyCall: rename,
    ...(first !== null && { freeFirst: first }),
  };
}

module.exports = { earlyEnd };
