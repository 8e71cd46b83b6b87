'use strict';

const { sameUuid } = require('./server');
const { findSplits } = require('./state');

/**
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/**
 * Says which split is newer: by the time of the set, which moves only forward, where both copied
 * online; else by the server's clock: those of their shells may differ.
 * @param {Split} one
 * @param {Split} other
 * @returns {boolean}
 */
function isNewer(one, other) {
  if (one.startAt && other.startAt) return !other.startAt.greaterThanOrEqual(one.startAt);
  if (one.begunAt && other.begunAt) return one.begunAt > other.begunAt;
  return one.history[0].at > other.history[0].at;
}

/**
 * Returns the later split, if its target has all documents of the source since.
 * @param {Port} port
 * @param {Split} split a split that was rolled back
 * @returns {Promise<Split | undefined>}
 */
async function successorOf(port, split) {
  const later = await laterOwner(port, split);
  return later && hasSwitched(later) ? later : undefined;
}

/**
 * Returns the later split that has the source of one that was rolled back, whether unfinished or
 * not.
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<Split | undefined>}
 */
async function laterOwner(port, split) {
  const others = await findSplits(port, { _id: { $ne: split._id }, sourceUuid: split.sourceUuid });
  return others.find((other) => isNewer(other, split) && (other.active || hasSwitched(other)));
}

/**
 * Returns the split that made or moves a collection: an unfinished one, or a later one.
 * @param {Port} port
 * @param {Split} split the split to which the collection does not belong
 * @param {any} uuid
 * @returns {Promise<Split | undefined>}
 */
async function ownerOf(port, split, uuid) {
  if (!uuid) return undefined;
  const others = await findSplits(port, {
    _id: { $ne: split._id },
    $or: [{ sourceUuid: uuid }, { stagingUuid: uuid }],
  });
  return others.find((other) => other.active || isNewer(other, split));
}

/**
 * Returns another split to which the name belongs by now: an unfinished one, or one whose
 * collection exists.
 * @param {Port} port
 * @param {Split} split
 * @param {{ ns: string, uuid: any }} name
 * @returns {Promise<Split | undefined>}
 */
async function claimant(port, split, { ns, uuid }) {
  const others = await findSplits(port, {
    _id: { $ne: split._id },
    $or: [
      { source: ns },
      { target: ns },
      ...(uuid ? [{ sourceUuid: uuid }, { stagingUuid: uuid }] : []),
    ],
  });
  return others.find(
    (other) =>
      [other.sourceUuid, other.stagingUuid].some((one) => sameUuid(one, uuid)) ||
      other.active ||
      // Of two splits that block the same name the later one reports it.
      ((other.phase === 'rolled-back' || other.refuses) && isNewer(other, split)),
  );
}

/**
 * Says whether a split has switched, also a finished one, but not after a rollback or an abort.
 * @param {Split} split
 */
const hasSwitched = ({ phase, history }) =>
  phase !== 'rolled-back' && [phase, history.at(-2)?.phase].includes('switched');

/**
 * Returns a later split that moved the data away from a name; its finish left the name blocked.
 * @param {Port} port
 * @param {Split} split the older split
 * @param {string} name
 */
const movedOnFrom = async (port, split, name) =>
  (await findSplits(port, { source: name })).find(
    (other) => isNewer(other, split) && hasSwitched(other),
  );

/**
 * Says whether another split, finished or not, moved data away from a name: its finish opens that.
 * @param {Port} port
 * @param {Split} split
 * @param {string} name
 */
const canBeOpened = async (port, split, name) =>
  (await findSplits(port, { _id: { $ne: split._id }, source: name })).some(hasSwitched);

module.exports = { canBeOpened, movedOnFrom, claimant, laterOwner, ownerOf, successorOf };
