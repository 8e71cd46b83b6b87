'use strict';

const { TuneError } = require('../base/pure/errors');
const { makeFollower } = require('./follow');
const { back, forth, nsOf } = require('./names');
const { isPassing } = require('./retry');
const { dropSurplus } = require('./same-indexes');
const { compareInstead, compareTail } = require('./verify');

/** @typedef {import('./work').Work} Work @typedef {import('./names').Leg} Leg */

/** Bringing the rest over takes about as long as one is behind, and so long writers wait. */
const STEADY_MS = 1_000;

/** @param {Work} work */
const catchUp = (work) => keepUp(work, forth(work.split));
/** So that a rollback has little left to bring over. @param {Work} work */
const catchUpBack = (work) => keepUp(work, back(work.split));

/** @param {Work} work @param {Leg} leg */
async function keepUp(work, leg) {
  await fitting(work, leg, (follower) =>
    follower.until(({ idle, lagMs }) => idle || lagMs < STEADY_MS, 'following'),
  );
}

/** Brings over what is written, until Ctrl-C. @param {Work} work */
async function stay(work) {
  const leg = work.split.phase === 'switched' ? back(work.split) : forth(work.split);
  try {
    await fitting(work, leg, (follower) => follower.until(() => work.signal.aborted, 'following'));
  } catch (error) {
    if (!work.signal.aborted || /** @type {any} */ (error).code !== 'TUNE-30009') throw error;
  }
}

/**
 * Where the server refuses a document, an index that the source has no more may be the reason.
 * @template T
 * @param {Work} work
 * @param {Leg} leg
 * @param {(follower: import('./follow').Follower) => Promise<T>} what
 */
async function fitting(work, leg, what) {
  try {
    return await following(work, leg, what);
  } catch (error) {
    if (
      /** @type {any} */ (error)?.name !== 'MongoServerError' ||
      isPassing(error) ||
      !(await dropSurplus(work, leg))
    )
      throw error;
    return following(work, leg, what);
  }
}

/**
 * After the cut: what was written until then, to the last event.
 * @param {Work} work @param {Leg} leg
 */
async function drain(work, leg) {
  try {
    await following(work, leg, (follower) => follower.until(({ cut }) => cut, 'draining'));
    if (work.split.uncompared) throw stoppedRepair(leg);
    await compareTail(work, leg);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'TUNE-35007') throw error;
    await compareInstead(work, leg);
  }
  if (work.split.uncompared) await work.save({ uncompared: false });
}

/**
 * Writers cannot wait until everything is compared; the next try does that before it cuts anything
 * off.
 * @param {Leg} leg
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
 * @param {Leg} leg
 * @param {(follower: import('./follow').Follower) => Promise<T>} what
 */
async function following(work, leg, what) {
  const follower = makeFollower(work, leg);
  try {
    return await what(follower);
  } finally {
    await follower.close();
  }
}

module.exports = { catchUp, catchUpBack, stay, drain };
