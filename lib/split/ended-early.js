'use strict';

const { renameText } = require('../base/pure/printable');
const { directionOf } = require('./directions');
const { PHASES, cutWayOf } = require('./pure/phase-table');
const { findCollection, nameByUuid } = require('./server');
const { isInPlace } = require('./where-it-stands');

/**
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/**
 * @typedef {{ endedEarly?: 'copy' | 'both', copyCall?: string | null }} Early a name that was opened
 *   before its collection had all writes; `both`: the other name takes writes, too; `copyCall`: gives
 *   the collection its name back
 */

/** @param {Split} split */
const wayOf = ({ phase }) => (phase === 'aborting' ? 'forward' : cutWayOf(phase));

/**
 * Where another session ended a cut by hand: the commands refuse to go on.
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
  // Without the source nothing is missing; behind the last writes the next command checks it.
  if (name === undefined || (!isBoth && split.phase === PHASES[way].switching)) return {};
  const isFree = (await findCollection(port, to.db, to.stagingName)) === null;
  return {
    endedEarly: isBoth ? 'both' : 'copy',
    copyCall: isFree ? renameText(to, to.stagingName) : null,
  };
}

module.exports = { earlyEnd };
