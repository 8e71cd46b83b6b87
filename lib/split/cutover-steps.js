'use strict';

const { TuneError } = require('../base/pure/errors');
const { NAMESPACE_NOT_FOUND } = require('../base/pure/server-codes');
const { makeStagingName, ownId } = require('./pure/split-names');
const { catchUp, checkUntouched, drain, drainAgain } = require('./catch-up');
const { compareAll, checkSame, stopExpiryOfCopy } = require('./recopy');
const { takeNewName } = require('./cut-name');
const { changed } = require('./cut-mark');
const { cutOver } = require('./cutover');
const { directionOf, nsOf } = require('./directions');
const { checkNothingLate, wasTouched } = require('./late-writes');
const { PHASES } = require('./pure/phase-table');
const { checkPlaces, checkReady, checkStillAlike, renewTtl, ttlOf } = require('./preconditions');
const { checkNotAway, refusingSource, replaceView } = require('./replace-view');
const { findOccupant, majorityTime, serverTime } = require('./server');
const { tryAgain } = require('./server-lock');
const { sameIndexes } = require('./sync-indexes');
const { isSplitView } = require('./target');
const {
  bothActive,
  checkNotEnded,
  checkNotRenamed,
  hasBegun,
  isInPlace,
} = require('./where-it-stands');

/**
 * @import { Direction } from './directions'
 * @import { Way } from './pure/phase-table'
 * @import { PhaseHandlers } from './run-phases'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/**
 * Makes the steps from a copy that follows its source to the other name that answers: a cutover
 * forward, a rollback in reverse.
 * @param {Way} way
 * @returns {PhaseHandlers}
 */
function cutoverSteps(way) {
  const phases = PHASES[way];
  return Object.freeze({
    [phases.ready]: async (/** @type {SplitJob} */ job) => {
      const ttl = await whileUncut(job, way, async () => {
        await prepare(job, way);
        return ttlOf(job, directionOf(job.split, way));
      });
      await job.save({ phase: phases.cutting, ttl });
      job.unusedName = directionOf(job.split, way).from.renamedTo;
    },
    [phases.cutting]: async (/** @type {SplitJob} */ job) => {
      const { from } = directionOf(job.split, way);
      // After a cut only, its name has a view of the split.
      if (isSplitView(await job.again(() => findOccupant(job.port, from))))
        await job.again(() => checkNotAway(job.port, from));
      await BEFORE_THE_CUT[way](job);
      await cut(job, way);
      await job.save({ phase: phases.draining });
    },
    [phases.draining]: async (/** @type {SplitJob} */ job) => {
      await checkNotEnded(job, directionOf(job.split, way));
      await job.again(() => checkNotAway(job.port, directionOf(job.split, way).from));
      // A failover may have rolled the cut back, and another user may have dropped the view.
      await cut(job, way);
      await checkStillAlike(job, directionOf(job.split, way));
      await drain(job, directionOf(job.split, way));
      job.hasDrained = true;
      await job.save({ phase: phases.switching, ...(await AT_THE_SWITCH[way](job)) });
    },
    [phases.switching]: async (/** @type {SplitJob} */ job) => {
      const direction = directionOf(job.split, way);
      if (await mustDrainAgain(job, direction)) return job.save({ phase: phases.draining });
      const again = changed(direction.from, { by: 'rename', id: ownId(job.split) });
      await replaceView(job, direction.to, job.split.ttl[way], {
        ...refusingSource(direction),
        again,
        both: () => bothActive(job, direction),
        ...(job.hasDrained && { step: stillDrained(job, way) }),
      }).catch((error) => rememberUncut(job, error));
      // Another session may have done the switch while the step waited, after an undone cut.
      if (job.hasDrained) await checkNothingLate(job, direction);
      return job.save(AFTER_THE_SWITCH[way](job.split));
    },
  });
}

/**
 * Remembers a cut that was undone by hand and may be done again: then the copy lacks what was
 * written meanwhile.
 * @param {SplitJob} job @param {any} error
 */
async function rememberUncut(job, error) {
  if (error.code === 'TUNE-35005' && error.value === 'rename') await job.compareAllNext();
  throw error;
}

/**
 * Says whether to drain again. A source that another shell drained may have taken writes since: an
 * operator renamed it back, and again. Where the copy answers already, nothing is applied to it any
 * more.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @throws {TuneError} TUNE-35004 where both names take writes, or a write is on one side
 */
async function mustDrainAgain(job, direction) {
  if (!(await job.again(() => isInPlace(job.port, direction.to))))
    return job.split.mode === 'online' && !job.hasDrained;
  if (await job.again(() => isInPlace(job.port, direction.from)))
    throw await bothActive(job, direction);
  await checkNothingLate(job, direction);
  return false;
}

/**
 * Checks that the source is still drained. The step may wait for a transaction long enough for an
 * operator to undo the cut and do it again. The last check is made while that transaction holds the
 * source.
 * @param {SplitJob} job @param {Way} way
 */
function stillDrained(job, way) {
  const direction = () => directionOf(job.split, way);
  const options = { limitMs: HELD_LIMIT_MS };
  if (job.isStreamLost) return { held: () => checkUntouched(job, direction(), options) };
  return {
    meanwhile: () => drainAgain(job, direction()),
    held: async () => {
      const { db, renamedTo } = direction().from;
      if (await wasTouched(job, direction(), options))
        throw tryAgain(`${db}.${renamedTo} was changed by another session`);
    },
  };
}

/**
 * Milliseconds: the operations that wait for the transaction, and all after them, wait as long;
 * heuristic.
 */
const HELD_LIMIT_MS = 5_000;

/**
 * Saves where a rollback has to begin in the oplog. From the cut on another session may give the
 * copy its name, so that it is written to.
 * @type {Readonly<Record<Way, (job: SplitJob) => Promise<void>>>}
 */
const BEFORE_THE_CUT = Object.freeze({
  forward: async (job) => {
    if (await job.again(() => hasBegun(job, directionOf(job.split, 'forward')))) return;
    const reverseStartAt = await job.again(() => majorityTime(job.port));
    await job.save({ reverseStartAt, reverseToken: null });
  },
  reverse: async () => undefined,
});

/**
 * Returns where a rollback has to begin in the oplog, unless that is known.
 * @param {SplitJob} job
 * @returns {Promise<Partial<Split>>}
 */
async function rollbackStart({ port, split, again }) {
  if (split.reverseStartAt) return {};
  return { reverseStartAt: await again(() => majorityTime(port)), reverseToken: null };
}

/**
 * The values saved before the new name answers.
 * @type {Readonly<Record<Way, (job: SplitJob) => Promise<Partial<Split>>>>}
 */
const AT_THE_SWITCH = Object.freeze({
  forward: async (job) => {
    const now = await job.again(() => serverTime(job.port));
    const applied = { appliedAt: now, readUntil: now };
    // Another session made the cut, or an earlier edition, which saved the time only here.
    return { ...applied, ...(await rollbackStart(job)) };
  },
  reverse: async () => ({}),
});

/**
 * The values saved once the new name answers. A late message may make a collection under the former
 * name of the copy, so that name is not used again.
 */
const AFTER_THE_SWITCH = Object.freeze({
  /** @param {Split} split @returns {Partial<Split>} */
  forward: ({ into, formerNames, renamed, planId }) => ({
    phase: 'switched',
    into: { ...into, stagingName: makeStagingName(into.name, planId, renamed + 1) },
    formerNames: [...formerNames, into.stagingName],
    renamed: renamed + 1,
  }),
  /** @returns {Partial<Split>} */
  reverse: () => ({ phase: 'rolled-back', active: false }),
});

/**
 * Runs the steps before a cut. Another session renamed a collection that has the name of the coming
 * cut already. Its change stream ends there.
 * @template T
 * @param {SplitJob} job
 * @param {Way} way
 * @param {() => Promise<T>} doIt
 * @returns {Promise<T>}
 * @throws {TuneError} TUNE-35005
 */
async function whileUncut(job, way, doIt) {
  const { from } = directionOf(job.split, way);
  const check = () => job.again(() => checkNotRenamed(job, from));
  await check();
  try {
    return await doIt();
  } catch (error) {
    const { code } = /** @type {any} */ (error);
    if (code === NAMESPACE_NOT_FOUND || code === 'TUNE-35005') await check();
    throw error;
  }
}

/**
 * Does everything that can be done, or can fail, before the source is cut off.
 * @param {SplitJob} job
 * @param {Way} way
 */
async function prepare(job, way) {
  const direction = () => directionOf(job.split, way);
  if (await job.again(() => hasBegun(job, direction()))) return;
  // Forward, the staging copy's own check names the command that makes it again.
  if (way === 'reverse') await job.again(() => checkPlaces(job, direction()));
  await stopExpiryOfCopy(job, direction());
  if (job.split.needsFullCompare) await compareAll(job, way);
  checkSame(job.split, way);
  await catchUp(job, way);
  // The preparation may have shown that an earlier cut was changed.
  if (job.split.needsFullCompare) {
    await compareAll(job, way);
    checkSame(job.split, way);
  }
  await sameIndexes(job, direction(), () => catchUp(job, way));
  await catchUp(job, way);
  await job.again(() => checkReady(job, direction()));
}

/**
 * The guardian may have ended while this shell prepared, or stalled.
 * @param {SplitJob} job
 * @param {Way} way
 * @throws {TuneError} TUNE-35019
 */
async function checkGuarded(job, way) {
  const direction = directionOf(job.split, way);
  if (!job.isUnguarded() || (await job.again(() => hasBegun(job, direction)))) return;
  throw new TuneError(
    'TUNE-35019',
    'The guardian, the second process that continues if this shell dies, has ended. ' +
      `${nsOf(direction.from)} is active. Run the same command again.`,
    { value: 'ended' },
  );
}

/**
 * Prepares again, and cuts the source off. After hours, or after an election that rolled a cut
 * back, as much has to be applied as before the first one.
 * @param {SplitJob} job
 * @param {Way} way
 */
async function cut(job, way) {
  const prepareAgain = async () => {
    await prepare(job, way);
    await renewTtl(job, directionOf(job.split, way));
    await checkGuarded(job, way);
  };
  await takeNewName(job, way);
  await prepareAgain();
  await cutOver(job, directionOf(job.split, way), prepareAgain);
}

module.exports = { AFTER_THE_SWITCH, cutoverSteps, rollbackStart };
