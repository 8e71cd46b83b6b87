'use strict';

const { TuneError } = require('../base/pure/errors');
const { renamedName, makeStagingName } = require('./pure/split-names');
const { hasBegun, isCut } = require('./cutover');
const { refusingTarget, isInPlace, replaceView } = require('./replace-view');
const { stays, withdrawLast } = require('./step');
const { PHASES, directionOf, nsOf } = require('./directions');
const { isPassing } = require('./retry');
const { findCollection, nameByUuid, sameUuid } = require('./server');
const { unexpectedCollection } = require('./unexpected');
const { InDoubt } = require('./work');

/**
 * @import { Direction, Way } from './directions'
 * @import { Phase, Split } from './state'
 * @import { Work } from './work'
 */

/**
 * What fails between the cut and the new name's first answer is undone: the name that was cut off
 * answers again, with all its data, and the copy stays for another try.
 *
 */

/** Whether the source is cut off for certain. @param {Way} way @param {Phase} phase */
const isBlockedIn = (way, phase) =>
  phase === PHASES[way].draining || phase === PHASES[way].switching;
/** Another shell has it; the server does not answer: this one can undo nothing. */
const NOT_OURS = Object.freeze(['TUNE-35003', 'TUNE-20006']);

/** @param {Work} work @param {() => Direction} direction @param {() => Promise<void>} doIt */
async function reopening(work, direction, doIt) {
  try {
    await doIt();
  } catch (error) {
    if (
      !canUndo(work.split) ||
      error instanceof InDoubt ||
      (isPassing(error) && !work.signal.aborted) ||
      NOT_OURS.includes(/** @type {any} */ (error).code)
    )
      throw error;
    // Too late to undo: the other name answers already, and only that is to be written down.
    if (await isSwitched(work, direction())) return doIt();
    throw await undone(work, direction(), error);
  }
}

/**
 * Offline the source is cut off before the copy, which takes its time: what fails then goes on.
 * @param {Split} split
 */
const canUndo = ({ mode, phase }) => mode === 'online' || phase === PHASES.forward.cutting;

/** @param {Work} work @param {Direction} direction @returns {Promise<boolean>} */
async function isSwitched(work, { way, to }) {
  if (!isBlockedIn(way, work.split.phase)) return false;
  // Ctrl-C must not leave it half done.
  work.signal = new AbortController().signal;
  return work.again(async () => {
    await withdrawLast(work);
    return isInPlace(work.port, to);
  });
}

/**
 * @param {Work} work
 * @param {Direction} direction
 * @param {any} error
 * @returns {Promise<any>} what is to be thrown
 */
async function undone(work, direction, error) {
  const phases = PHASES[direction.way];
  const { phase } = work.split;
  if (phase !== phases.cutting && !isBlockedIn(direction.way, phase)) return error;
  // Ctrl-C must not leave both names blocked.
  work.signal = new AbortController().signal;
  try {
    // Where something else has the name, or the data, it fails here: then nothing can be put back.
    const wasCut = await work.again(async () => {
      await withdrawLast(work);
      // A half of it counts: the name that has no view yet has no data either.
      return (await isCut(work, direction)) || hasBegun(work, direction);
    });
    const reopened = wasCut ? { way: direction.way, name: direction.from.renamedTo } : null;
    const before = work.split.mode === 'offline' ? 'planned' : phases.ready;
    await work.save({ phase: before, ...nextName(work, direction, wasCut), reopened });
    await reopen(work);
    return wasCut ? said(error, direction) : error;
  } catch (failed) {
    return (
      (await unexpectedMeanwhile(work, direction, error)) ??
      Object.assign(error, { reopen: failed })
    );
  }
}

/**
 * Where the name was free for a moment an application may have made a collection there: then that
 * matters more than what came before.
 * @param {Work} work @param {Direction} direction @param {any} cause
 */
async function unexpectedMeanwhile({ port, split }, direction, cause) {
  const { from } = direction;
  // Where it was not cut off, another session replaced the source itself.
  if (!(await hasBegun({ port }, direction).catch(() => false))) return null;
  const here = await findCollection(port, from.db, from.name).catch(() => null);
  if (here?.type !== 'collection' || sameUuid(here.info.uuid, from.uuid)) return null;
  return unexpectedCollection(port, split, from).then(
    (error) => Object.assign(error, { cause }),
    () => null,
  );
}

/**
 * The name answers again. That is written down before it is done: a shell that dies between the two
 * must not leave a source that takes writes behind a cut that counts, because the next drain would
 * end at the mark of that cut.
 * @param {Work} work
 */
async function reopen(work) {
  const { reopened, ttl } = work.split;
  if (!reopened) return;
  const { from } = directionOf(work.split, reopened.way);
  await replaceView(
    work,
    { ...from, stagingName: reopened.name },
    ttl[reopened.way],
    refusingTarget(work.split, reopened.way),
  );
  await work.save({ reopened: null });
}

/**
 * What an earlier shell left to be reopened. Where that is nowhere in its database, there is nothing
 * to reopen.
 * @param {Work} work
 * @param {boolean} evenLost whether the command makes sense then
 */
async function reopenFirst(work, evenLost) {
  try {
    await reopen(work);
  } catch (error) {
    if (!evenLost || /** @type {any} */ (error).code !== 'TUNE-35005' || !(await isLost(work)))
      throw error;
    await work.save({ reopened: null });
  }
}

/** @param {Work} work @returns {Promise<boolean>} and would stay so if the primary died now */
function isLost(work) {
  const { from } = directionOf(work.split, work.split.reopened?.way ?? 'reverse');
  return stays(work, async () => (await nameByUuid(work.port, from.db, from.uuid)) === undefined);
}

/**
 * The stream of changes still holds the mark of this cut: the next one has another name.
 * @param {Work} work
 * @param {Direction} direction
 * @param {boolean} wasCut
 */
function nextName({ split }, { way }, wasCut) {
  if (!wasCut) return {};
  const renamed = split.renamed + 1;
  const { from, into, planId } = split;
  if (way === 'forward')
    return {
      renamed,
      former: [...split.former, from.renamedTo],
      from: { ...from, renamedTo: renamedName(from.name, planId, renamed) },
    };
  return {
    renamed,
    former: [...split.former, into.stagingName],
    into: { ...into, stagingName: makeStagingName(into.name, planId, renamed) },
  };
}

/** @param {any} error @param {Direction} direction */
function said(error, { from, to }) {
  const words = `It was undone: ${nsOf(from)} answers again with all its data, and ${nsOf(to)} refuses as before.`;
  if (!(error instanceof TuneError)) return Object.assign(error, { undone: words });
  return Object.assign(error, { message: `${error.message} ${words}`, undone: words });
}

module.exports = { reopenFirst, reopening };
