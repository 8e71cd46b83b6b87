'use strict';

/**
 * @import { Verified } from './pure/split-text'
 * @import { Split } from './types'
 */

/**
 * What this process found by comparing without writing: the record of a split on the server has only
 * comparisons that repaired.
 * @type {Map<string, Verified>}
 */
const FOUND = new Map();
/** Splits of one shell are few. */
const MOST = 100;

/** @param {Pick<Split, '_id'>} split @param {Verified} verified */
function remember({ _id }, verified) {
  FOUND.delete(_id);
  FOUND.set(_id, verified);
  for (const id of [...FOUND.keys()].slice(0, -MOST)) FOUND.delete(id);
}

/**
 * @param {Pick<Split, '_id' | 'history' | 'verified'>} split
 * @returns {Verified | null} the last comparison in this phase
 */
function lastComparison({ _id, history, verified }) {
  const recorded = /** @type {Verified | null} */ (verified ?? null);
  const found = FOUND.get(_id);
  if (found === undefined || found.at < history[history.length - 1].at) return recorded;
  return recorded !== null && recorded.at > found.at ? recorded : found;
}

module.exports = { remember, lastComparison };
