'use strict';

const { sameUuid } = require('./server');
const { findSplits } = require('./state');

/**
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/**
 * By the time of the set, which moves only forward, where both copied online; else by the server's
 * clock: those of their shells may differ.
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

/**
 * The split that made or moves a collection: one that is not finished, or a later one.
 * @param {Port} port
 * @param {Split} split that the collection is not of
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
 * Another split that the name belongs to by now: one that is not finished, or whose collection is
 * there.
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
      // Of two that are to block the same name the later one says it.
      ((other.phase === 'rolled-back' || other.refuses) && isNewer(other, split)),
  );
}

/** Also finished: not after a rollback or an abort. @param {Split} split */
const hasSwitched = ({ phase, history }) =>
  phase !== 'rolled-back' && [phase, history.at(-2)?.phase].includes('switched');

/**
 * A later split that moved the data away from a name; its finish left the name blocked.
 * @param {Port} port
 * @param {Split} split that is older
 * @param {string} name
 */
const movedOnFrom = async (port, split, name) =>
  (await findSplits(port, { source: name })).find(
    (other) => isNewer(other, split) && hasSwitched(other),
  );

/**
 * Whether another split, finished or not, moved data away from a name: its finish opens that.
 * @param {Port} port
 * @param {Split} split
 * @param {string} name
 */
const canBeOpened = async (port, split, name) =>
  (await findSplits(port, { _id: { $ne: split._id }, source: name })).some(hasSwitched);

module.exports = { canBeOpened, movedOnFrom, claimant, laterOwner, ownerOf, successorOf };
