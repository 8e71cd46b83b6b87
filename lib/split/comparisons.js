'use strict';

const { hasDifferences } = require('./pure/split-next');

/**
 * @import { Verified } from './pure/split-text'
 * @import { Split } from './types'
 */

/**
 * Keeps what this process found by comparing without writing: the record of a split on the server
 * has only comparisons that repaired. `phaseCount` and `recordedAt` identify the state of that
 * record, as clocks of other computers cannot be compared.
 * @typedef {{ verified: Verified, phaseCount: number, recordedAt: number | null }} Found
 * @type {Map<string, Found>}
 */
const FOUND = new Map();
/** Largest number kept: one shell has few splits. */
const MOST = 100;

/** @typedef {Pick<Split, '_id' | 'history' | 'verified'>} Compared */

/** @param {Compared} split @param {Verified} verified */
function remember(split, verified) {
  FOUND.delete(split._id);
  FOUND.set(split._id, { verified, ...stateOf(split) });
  for (const id of [...FOUND.keys()].slice(0, -MOST)) FOUND.delete(id);
}

/** @param {Compared} split */
const stateOf = ({ history, verified }) => ({
  phaseCount: history.length,
  recordedAt: verified ? Number(verified.at) : null,
});

/**
 * Says whether a comparison replaces the recorded one: a recorded difference counts until
 * everything was compared again.
 * @param {Compared} split @param {Found} found
 */
const settles = (split, found) =>
  !hasDifferences(split) || hasDifferences(found) || (found.verified.pending ?? 0) === 0;

/**
 * @param {Compared} split
 * @returns {Verified | null} the last comparison in this phase
 */
function lastComparison(split) {
  const [found, now] = [FOUND.get(split._id), stateOf(split)];
  return found?.phaseCount === now.phaseCount &&
    found.recordedAt === now.recordedAt &&
    settles(split, found)
    ? found.verified
    : /** @type {Verified | null} */ (split.verified ?? null);
}

module.exports = { remember, lastComparison };
