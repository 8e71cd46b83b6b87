'use strict';

const { findSplits } = require('./state');

/**
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/** @param {Split} one @param {Split} other @returns {boolean} by the clock that wrote them down */
const isNewer = (one, other) => one.history[0].at > other.history[0].at;

/**
 * That one, if its target has all documents of the source since.
 * @param {Port} port
 * @param {Split} split that was rolled back
 * @returns {Promise<Split | undefined>}
 */
async function successorOf(port, split) {
  const later = await laterOwner(port, split);
  return later && hasSwitched(later) ? later : undefined;
}

/**
 * The later split that has the source of one that was rolled back, be it under way or not.
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<Split | undefined>}
 */
async function laterOwner(port, split) {
  const others = await findSplits(port, { _id: { $ne: split._id }, sourceUuid: split.sourceUuid });
  return others.find((other) => isNewer(other, split) && (other.active || hasSwitched(other)));
}

/** Also finished: not after a rollback or an abort. @param {Split} split */
const hasSwitched = ({ phase, history }) =>
  phase === 'switched' || history.at(-2)?.phase === 'switched';

module.exports = { isNewer, laterOwner, successorOf };
