'use strict';

const { TuneError } = require('../base/pure/errors');
const { Follower } = require('./follow');
const { currentDirection, directionOf, nsOf } = require('./directions');
const { wasTouched } = require('./late-writes');
const { isPassing } = require('./retry');
const { majorityTime } = require('./server');
const { goneFromOplog } = require('./stream-errors');
const { dropSurplus } = require('./sync-indexes');
const { compareInstead, compareTail } = require('./verify');

/**
 * @import { Direction } from './directions'
 * @import { Way } from './pure/phase-table'
 * @import { SplitJob } from './split-job'
 */

/** Milliseconds of lag: applying the rest takes about as long, and writers wait for it. */
const STEADY_MS = 1_000;

/** Milliseconds in which an operator can hardly rename twice; heuristic. */
const LONG_DRAIN_MS = 1_000;

/**
 * Applies the writes of the source until little is left.
 * @param {SplitJob} job @param {Way} [way]
 */
async function catchUp(job, way = 'forward') {
  await fitting(job, directionOf(job.split, way), (follower) =>
    follower.until(({ idle, lagMs }) => idle || lagMs < STEADY_MS, 'applying new writes'),
  );
}

/** Applies the writes of the source, until Ctrl-C. @param {SplitJob} job */
async function stay(job) {
  const direction = currentDirection(job.split);
  try {
    await fitting(job, direction, (follower) =>
      follower.until(() => job.signal.aborted, 'applying new writes'),
    );
  } catch (error) {
    if (!job.signal.aborted || /** @type {any} */ (error).code !== 'TUNE-30009') throw error;
  }
}

/**
 * Drops surplus indexes and tries again where the server refuses a document: an index that the
 * source has no more may be the reason.
 * @template T
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {(follower: Follower) => Promise<T>} what
 */
async function fitting(job, direction, what) {
  try {
    return await following(job, direction, what);
  } catch (error) {
    if (
      /** @type {any} */ (error)?.name !== 'MongoServerError' ||
      isPassing(error) ||
      !(await dropSurplus(job, direction))
    )
      throw error;
    // The first try may have read past a cut that was undone.
    return following(job, directionOf(job.split, direction.way), what);
  }
}

/**
 * Applies, after the cut, all writes until then, to the last event.
 * @param {SplitJob} job @param {Direction} direction
 */
async function drain(job, direction) {
  const beganMs = performance.now();
  try {
    await readToMark(job, direction);
    await compareTail(job, direction);
    // The full copy that this made is complete.
    await job.allCompared();
    // Meanwhile another session may have undone the cut, and done it again.
    if (performance.now() - beganMs > LONG_DRAIN_MS) await readToMark(job, direction);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'TUNE-35007') throw error;
    job.isStreamLost = true;
    const check = () => job.again(() => checkUntouched(job, direction));
    await compareInstead(job, direction, check);
  }
  await job.allCompared();
}

/**
 * Refuses a source that was touched: where everything is compared, no stream shows what is written
 * meanwhile.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {{ limitMs?: number }} [options] the options of wasTouched
 * @throws {TuneError} TUNE-35007: only a new copy has those writes
 */
async function checkUntouched(job, direction, options) {
  if (!(await wasTouched(job, direction, options))) return;
  await job.compareAllNext();
  throw goneFromOplog(direction);
}

/** @param {SplitJob} job @param {Direction} direction */
async function readToMark(job, direction) {
  const cutBy = await job.again(() => majorityTime(job.port));
  job.drainedUntil = cutBy;
  await following(
    job,
    direction,
    (follower) => follower.until(({ cut }) => cut, 'applying the last writes'),
    cutBy,
  );
  if (job.split.needsFullCompare) throw stoppedRepair(direction);
}

/**
 * Drains again: since the first drain another session may have undone the cut, and done it again.
 * The mark stays ahead in the stream.
 * @param {SplitJob} job @param {Direction} direction
 */
async function drainAgain(job, direction) {
  // A drain that fails here, or leaves a write in doubt, begins again.
  job.hasDrained = false;
  await readToMark(job, direction);
  job.hasDrained = true;
}

/**
 * Makes the error that stops a repair: writers cannot wait until everything is compared; the next
 * try does that before it cuts anything off.
 * @param {Direction} direction
 */
function stoppedRepair({ from, to }) {
  return new TuneError(
    'TUNE-35015',
    `${nsOf(to)} may lack what ${nsOf(from)} has: a repair was stopped, or no event shows a write of ` +
      'another session. The next try compares all documents first.',
    { value: nsOf(from) },
  );
}

/**
 * @template T
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {(follower: Follower) => Promise<T>} what
 * @param {any} [cutBy] as in stream.js
 */
async function following(job, direction, what, cutBy) {
  const follower = new Follower(job, direction, cutBy);
  try {
    return await what(follower);
  } finally {
    await follower.close();
  }
}

module.exports = { catchUp, checkUntouched, stay, drain, drainAgain };
