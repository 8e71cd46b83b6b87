'use strict';

const { TuneError } = require('../base/pure/errors');
const { nextCutName } = require('./cut-name');
const { giveExpiryBack } = require('./expiry-back');
const { refusingTarget, replaceView } = require('./replace-view');
const { withdrawLast } = require('./atomic-step');
const { isMajorityCommitted } = require('./majority');
const { directionOf, nsOf } = require('./directions');
const { answerReadsAgain } = require('./old-reads');
const { PHASES, isCutOff } = require('./pure/phase-table');
const { isPassing } = require('./retry');
const { findCollection, findOccupant, majorityTime, nameByUuid, sameUuid } = require('./server');
const { isSplitView } = require('./target');
const { unexpectedCollection, hasBegun, isCut, isInPlace } = require('./where-it-stands');
const { InDoubt } = require('./split-job');

/**
 * @import { Direction } from './directions'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/**
 * Undoes a cut after a failure between it and the new name's first answer: the name that was cut
 * off answers again, with all its data, and the copy stays for another try.
 */

/**
 * Codes after which this shell can undo nothing: another shell has the lease, or the server does
 * not answer.
 */
const NOT_OURS = Object.freeze(['TUNE-35003', 'TUNE-20006']);

/** @param {SplitJob} job @param {() => Direction} direction @param {() => Promise<void>} doIt */
async function undoCutOnFailure(job, direction, doIt) {
  try {
    await doIt();
  } catch (error) {
    if (
      !canUndo(job.split) ||
      error instanceof InDoubt ||
      (isPassing(error) && !job.signal.aborted) ||
      NOT_OURS.includes(/** @type {any} */ (error).code)
    )
      throw error;
    // It is too late to undo: the other name answers already, and that only has to be saved.
    if (await isSwitched(job, direction())) {
      // The sides were compared: another comparison would find nothing else.
      if (/** @type {any} */ (error).waitsForPerson) throw error;
      return doIt();
    }
    throw await undoCutAfter(job, direction(), error);
  }
}

/**
 * Says whether a cut can be undone. An offline source is cut off before the copy, which takes its
 * time: after a failure that split continues.
 * @param {Split} split
 */
const canUndo = ({ mode, phase }) => mode === 'online' || phase === PHASES.forward.cutting;

/** @param {SplitJob} job @param {Direction} direction @returns {Promise<boolean>} */
async function isSwitched(job, { way, to }) {
  if (!isCutOff(job.split.phase, way)) return false;
  job.ignoreInterrupt();
  return job.again(async () => {
    await withdrawLast(job);
    return isInPlace(job.port, to);
  });
}

/**
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {any} error
 * @returns {Promise<any>} the error to throw
 */
async function undoCutAfter(job, direction, error) {
  const phases = PHASES[direction.way];
  const { phase } = job.split;
  if (phase !== phases.cutting && !isCutOff(phase, direction.way)) return error;
  // Both names are blocked.
  job.ignoreInterrupt();
  try {
    // This throws if another collection has the name or the data is gone: then nothing can be
    // reopened.
    const wasCut = !(await isMajorityCommitted(job, async () => {
      await withdrawLast(job);
      // A half-done cut counts: the name is free but has no data.
      return !((await isCut(job, direction)) || (await hasBegun(job, direction)));
    }));
    // This comes before the saving: the next command does what fails here, and reports what
    // prevents it.
    const off = await expiryStaysOff(job, direction, wasCut);
    if (off) return Object.assign(off, { cause: error });
    const reopened = wasCut ? { way: direction.way, name: direction.from.renamedTo } : null;
    const before = job.split.mode === 'offline' ? 'planned' : phases.ready;
    const name = {
      ...(await undoneCut(job, direction, wasCut)),
      ...nextCutName(job.split, direction.way),
    };
    await job.save({ phase: before, ...name, reopened });
    await (wasCut ? reopen(job) : answerReadsAgain(job));
    return wasCut ? said(error, direction, await otherName(job, direction)) : error;
  } catch (failed) {
    return (
      (await unexpectedMeanwhile(job, direction, error)) ?? Object.assign(error, { reopen: failed })
    );
  }
}

/**
 * @param {SplitJob} job @param {Direction} direction @param {boolean} wasCut
 * @returns {Promise<TuneError | null>} the reason
 */
async function expiryStaysOff(job, direction, wasCut) {
  try {
    if (!wasCut) await giveExpiryBack(job, direction);
    return null;
  } catch (error) {
    if (error instanceof TuneError) return error;
    throw error;
  }
}

/**
 * Returns an error where an application made a collection while the name was free for a moment:
 * that matters more than the earlier failure.
 * @param {SplitJob} job @param {Direction} direction @param {any} cause
 */
async function unexpectedMeanwhile({ port, split }, direction, cause) {
  const { from } = direction;
  // If the source was not cut off, another session replaced it.
  if (!(await hasBegun({ port }, direction).catch(() => false))) return null;
  const here = await findCollection(port, from.db, from.name).catch(() => null);
  if (here?.type !== 'collection' || sameUuid(here.info.uuid, from.uuid)) return null;
  return unexpectedCollection(port, split, direction).then(
    (error) => Object.assign(error, { cause }),
    () => null,
  );
}

/**
 * Opens the name again. It is saved before it is done: if the shell died in between, the source
 * would take writes while the state says it is cut, and the next drain would stop at the old cut's
 * rename event.
 * @param {SplitJob} job
 */
async function reopen(job) {
  const { reopened, ttl } = job.split;
  if (!reopened) return;
  const { from } = directionOf(job.split, reopened.way);
  await replaceView(
    job,
    { ...from, stagingName: reopened.name },
    ttl[reopened.way],
    refusingTarget(job.split, reopened.way),
  );
  await job.save({ reopened: null });
}

/**
 * Reopens what an earlier shell left to be reopened. Where the data is nowhere in its database,
 * there is nothing to reopen.
 * @param {SplitJob} job
 * @param {boolean} allowLost whether the command makes sense without that data
 */
async function reopenFirst(job, allowLost) {
  try {
    await reopen(job);
  } catch (error) {
    if (!allowLost || /** @type {any} */ (error).code !== 'TUNE-35005' || !(await isLost(job)))
      throw error;
    await job.save({ reopened: null });
  }
}

/**
 * @param {SplitJob} job
 * @returns {Promise<boolean>} whether the data is gone, and would stay so if the primary died now
 */
function isLost(job) {
  const { from } = directionOf(job.split, job.split.reopened?.way ?? 'reverse');
  return isMajorityCommitted(
    job,
    async () => (await nameByUuid(job.port, from.db, from.uuid)) === undefined,
  );
}

/**
 * Records an undone cut, whose mark is still in the stream of changes. The mark is passed over, but
 * not what another session does with that name later.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {boolean} wasCut
 * @returns {Promise<Partial<Split>>}
 */
async function undoneCut({ port, again, split }, { from }, wasCut) {
  if (!wasCut) return {};
  const name = from.renamedTo;
  const formerNames = [...split.formerNames, name];
  if (split.mode === 'offline') return { formerNames };
  const until = await again(() => majorityTime(port));
  return { formerNames, undoneCuts: [...(split.undoneCuts ?? []), { name, until }] };
}

/**
 * @param {SplitJob} job @param {Direction} direction
 * @returns {Promise<string>} its state; where that cannot be read, the most likely one
 */
async function otherName({ port }, { to }) {
  const there = await findOccupant(port, to).catch(() => BLOCKED);
  if (there === BLOCKED || isSplitView(there)) return BLOCKED;
  if (there === null) return 'not blocked: another session dropped its view';
  return there.type === 'view'
    ? 'a view of another session'
    : 'not blocked: it is a collection of another session';
}
const BLOCKED = 'blocked as before';

/**
 * @param {any} error @param {Direction} direction @param {string} state the state of the other name
 */
function said(error, { from, to }, state) {
  const words = `It was undone: ${nsOf(from)} is active again with all its data, and ${nsOf(to)} is ${state}.`;
  if (!(error instanceof TuneError)) return Object.assign(error, { undone: words });
  return Object.assign(error, { message: `${error.message} ${words}`, undone: words });
}

module.exports = { reopenFirst, undoCutOnFailure };
