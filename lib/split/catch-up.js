'use strict';

const { TuneError } = require('../base/pure/errors');
const { makeFollower } = require('./follow');
const { directionOf, nsOf } = require('./directions');
const { isPassing } = require('./retry');
const { dropSurplus } = require('./sync-indexes');
const { compareInstead, compareTail } = require('./verify');

/**
 * @import { Direction, Way } from './directions'
 * @import { Follower } from './follow'
 * @import { Work } from './work'
 */

/** Bringing the rest over takes about as long as one is behind, and so long writers wait. */
const STEADY_MS = 1_000;

/**
 * Applies what was written at the source until little is left.
 * @param {Work} work @param {Way} [way]
 */
async function catchUp(work, way = 'forward') {
  await fitting(work, directionOf(work.split, way), (follower) =>
    follower.until(({ idle, lagMs }) => idle || lagMs < STEADY_MS, 'following'),
  );
}

/** Brings over what is written, until Ctrl-C. @param {Work} work */
async function stay(work) {
  const direction = directionOf(
    work.split,
    work.split.phase === 'switched' ? 'reverse' : 'forward',
  );
  try {
    await fitting(work, direction, (follower) =>
      follower.until(() => work.signal.aborted, 'following'),
    );
  } catch (error) {
    if (!work.signal.aborted || /** @type {any} */ (error).code !== 'TUNE-30009') throw error;
  }
}

/**
 * Where the server refuses a document, an index that the source has no more may be the reason.
 * @template T
 * @param {Work} work
 * @param {Direction} direction
 * @param {(follower: Follower) => Promise<T>} what
 */
async function fitting(work, direction, what) {
  try {
    return await following(work, direction, what);
  } catch (error) {
    if (
      /** @type {any} */ (error)?.name !== 'MongoServerError' ||
      isPassing(error) ||
      !(await dropSurplus(work, direction))
    )
      throw error;
    return following(work, direction, what);
  }
}

/**
 * After the cut: what was written until then, to the last event.
 * @param {Work} work @param {Direction} direction
 */
async function drain(work, direction) {
  try {
    await following(work, direction, (follower) => follower.until(({ cut }) => cut, 'draining'));
    if (work.split.uncompared) throw stoppedRepair(direction);
    await compareTail(work, direction);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'TUNE-35007') throw error;
    await compareInstead(work, direction);
  }
  if (work.split.uncompared) await work.save({ uncompared: false });
}

/**
 * Writers cannot wait until everything is compared; the next try does that before it cuts anything
 * off.
 * @param {Direction} direction
 */
function stoppedRepair({ from, to }) {
  return new TuneError(
    'TUNE-35015',
    `Documents that differed were being brought over from ${nsOf(from)} to ${nsOf(to)} when ` +
      'that was stopped.',
    { value: nsOf(from) },
  );
}

/**
 * @template T
 * @param {Work} work
 * @param {Direction} direction
 * @param {(follower: Follower) => Promise<T>} what
 */
async function following(work, direction, what) {
  const follower = makeFollower(work, direction);
  try {
    return await what(follower);
  } finally {
    await follower.close();
  }
}

module.exports = { catchUp, stay, drain };
