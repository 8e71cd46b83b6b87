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
 * What fails between the cut and the new name's first answer is undone: the name that was cut off
 * answers again, with all its data, and the copy stays for another try.
 */

/** Another shell has it; the server does not answer: this one can undo nothing. */
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
    // Too late to undo: the other name answers already, and only that is to be written down.
    if (await isSwitched(job, direction())) {
      // It was compared: nothing else would be found.
      if (/** @type {any} */ (error).waitsForPerson) throw error;
      return doIt();
    }
    throw await undoCutAfter(job, direction(), error);
  }
}

/**
 * Offline the source is cut off before the copy, which takes its time: what fails then goes on.
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
 * @returns {Promise<any>} what is to be thrown
 */
async function undoCutAfter(job, direction, error) {
  const phases = PHASES[direction.way];
  const { phase } = job.split;
  if (phase !== phases.cutting && !isCutOff(phase, direction.way)) return error;
  // Both names are blocked.
  job.ignoreInterrupt();
  try {
    // Throws if another collection has the name or the data is gone: then nothing can be reopened.
    const wasCut = !(await isMajorityCommitted(job, async () => {
      await withdrawLast(job);
      // A half-done cut counts: the name is free but has no data.
      return !((await isCut(job, direction)) || (await hasBegun(job, direction)));
    }));
    // Before it is written down: what fails is done by the next command, and says what is in the way.
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
 * @returns {Promise<TuneError | null>} why
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
 * Where the name was free for a moment an application may have made a collection there: then that
 * matters more than what came before.
 * @param {SplitJob} job @param {Direction} direction @param {any} cause
 */
async function unexpectedMeanwhile({ port, split }, direction, cause) {
  const { from } = direction;
  // Where it was not cut off, another session replaced the source itself.
  if (!(await hasBegun({ port }, direction).catch(() => false))) return null;
  const here = await findCollection(port, from.db, from.name).catch(() => null);
  if (here?.type !== 'collection' || sameUuid(here.info.uuid, from.uuid)) return null;
  return unexpectedCollection(port, split, direction).then(
    (error) => Object.assign(error, { cause }),
    () => null,
  );
}

/**
 * The name answers again. Saved before it is done: if the shell died in between, the source would
 * take writes while the state says it is cut, and the next drain would stop at the old cut's rename
 * event.
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
 * What an earlier shell left to be reopened. Where that is nowhere in its database, there is nothing
 * to reopen.
 * @param {SplitJob} job
 * @param {boolean} allowLost whether the command makes sense then
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

/** @param {SplitJob} job @returns {Promise<boolean>} and would stay so if the primary died now */
function isLost(job) {
  const { from } = directionOf(job.split, job.split.reopened?.way ?? 'reverse');
  return isMajorityCommitted(
    job,
    async () => (await nameByUuid(job.port, from.db, from.uuid)) === undefined,
  );
}

/**
 * The stream of changes still holds the mark of this cut. It is passed over, but not what another
 * session does with that name later.
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
 * @returns {Promise<string>} where that cannot be seen, what is most likely
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

/** @param {any} error @param {Direction} direction @param {string} state of the other name */
function said(error, { from, to }, state) {
  const words = `It was undone: ${nsOf(from)} is active again with all its data, and ${nsOf(to)} is ${state}.`;
  if (!(error instanceof TuneError)) return Object.assign(error, { undone: words });
  return Object.assign(error, { message: `${error.message} ${words}`, undone: words });
}

module.exports = { reopenFirst, undoCutOnFailure };
