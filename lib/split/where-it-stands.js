'use strict';

const { callText, changeText, renameText } = require('../base/pure/printable');
const { TuneError } = require('../base/pure/errors');
const { forward, nsOf, viewInPlace } = require('./directions');
const { answersReads } = require('./old-reads');
const { findCollection, findOccupant, isTimeSeries, nameByUuid, sameUuid } = require('./server');
const { ownId } = require('./pure/split-names');
const { ownerOf } = require('./successor');
const { isSplitView } = require('./target');
const { expiresNever } = require('./ttl');

/**
 * @import { Direction } from './directions'
 * @import { CollectionName, Port } from './server'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/** Reads how far a cut and a switch have come, by what the server has under the names. */

/**
 * Says whether the name has its collection: before the cut that of the source, after the switch
 * that of the target.
 * @param {Port} port
 * @param {{ db: string, name: string, uuid: any }} to
 * @returns {Promise<boolean>}
 */
async function isInPlace(port, to) {
  const here = await findCollection(port, to.db, to.name);
  return here?.type === 'collection' && sameUuid(here.info.uuid, to.uuid);
}

/**
 * Says whether the cut is done completely, with the view in its place.
 * @param {SplitJob} job @param {Direction} direction @returns {Promise<boolean>}
 * @throws {TuneError} TUNE-35005, TUNE-35013
 */
async function isCut({ port, split }, direction) {
  const { way, from } = direction;
  const [here, renamedTo] = [
    await findOccupant(port, from),
    await findCollection(port, from.db, from.renamedTo),
  ];
  if (!renamedTo) {
    if (here?.type === 'collection' && sameUuid(here.info.uuid, from.uuid)) return false;
    throw replacedError(from);
  }
  if (!sameUuid(renamedTo.info.uuid, from.uuid))
    throw new TuneError(
      'TUNE-35005',
      `${from.db}.${from.renamedTo} exists: another session created it. Nothing was ` +
        'dropped or renamed.',
      { value: `${from.db}.${from.renamedTo}` },
    );
  if (!here) return false;
  if (!isSplitView(here)) throw await unexpectedCollection(port, split, direction);
  if (way === 'reverse' && (await answersReads(port, forward(split)))) return false;
  return expiresNever(port, { db: from.db, name: from.renamedTo }, split.ttl[way]);
}

/**
 * Says whether the cut has begun: the source has its renamed name, so it is too late to prepare.
 * @param {Pick<SplitJob, 'port'>} job
 * @param {Direction} direction
 * @returns {Promise<boolean>}
 */
async function hasBegun({ port }, { from }) {
  const renamedTo = await findCollection(port, from.db, from.renamedTo);
  return renamedTo?.type === 'collection' && sameUuid(renamedTo.info.uuid, from.uuid);
}

/** Handles a collection that applications made at a name where the view of a split is due. */

/**
 * Returns a free name, which need not be the first choice.
 * @param {Port} port
 * @param {string} db
 * @param {string} wanted
 * @returns {Promise<string>}
 */
async function freeName(port, db, wanted) {
  for (let number = 1; ; number += 1) {
    const name = `${wanted}${number === 1 ? '' : `_${number}`}`;
    if (!(await findCollection(port, db, name))) return name;
  }
}

/**
 * Says what has a name of the split, and how that becomes free.
 * @param {{ db: string, name: string }} place
 * @param {any} here what has it
 * @param {string} free a name that it can get
 * @returns {{ what: string, way: string }}
 */
const wayOut = (place, here, free) =>
  isTimeSeries(here)
    ? { what: 'time series', way: `copy its documents elsewhere and drop ${nsOf(place)}` }
    : { what: 'collection', way: renameText(place, free) };

/**
 * Says how a collection gets a name back. What another session made under that name comes first.
 * @param {Port} port @param {CollectionName} place @param {string} name
 * @returns {Promise<string>} a clause
 */
async function wayBack(port, place, name) {
  const { first, rename } = await renamesBack(port, place, name);
  return first === null ? rename : `${first} (another session created it), then ${rename}`;
}

/**
 * @param {Port} port @param {CollectionName} place @param {string} name
 * @returns {Promise<{ first: string | null, rename: string }>} `first`: how the name becomes free
 */
async function renamesBack(port, place, name) {
  const rename = renameText(place, name);
  const taken = { db: place.db, name };
  const here = await findOccupant(port, taken);
  if (!here) return { first: null, rename };
  if (here.type === 'view') return { first: `drop the view ${nsOf(taken)}`, rename };
  const free = await freeName(port, place.db, `${place.name}_other`);
  return { first: wayOut(taken, here, free).way, rename };
}

/**
 * @param {Port} port
 * @param {Split} split
 * @param {Direction} direction
 */
async function unexpectedCollection(port, split, direction) {
  const { from } = direction;
  const here = await findOccupant(port, from);
  const other = await ownerOf(port, split, here?.info?.uuid);
  if (other)
    return new TuneError(
      'TUNE-35002',
      `The data of ${nsOf(from)} is in ${from.db}.${from.renamedTo}: the collection that has the ` +
        `name ${nsOf(from)} belongs to the split ${other._id}. Nothing was dropped.`,
      { value: other._id },
    );
  if (here?.type === 'view') return viewOfOthers(direction);
  const unexpected = await freeName(port, from.db, `${from.name}__strays_${split.planId}`);
  const { what, way } = wayOut(from, here, unexpected);
  return new TuneError(
    'TUNE-35013',
    `The data of ${nsOf(from)} is in ${from.db}.${from.renamedTo}, and a new ` +
      `${what} of another session has the name ${nsOf(from)} and takes writes. ` +
      `Nothing was dropped. Stop its writers, then ${way}.`,
    {
      value: nsOf(from),
      renamedTo: `${from.db}.${from.renamedTo}`,
      unexpected: `${from.db}.${unexpected}`,
    },
  );
}

/**
 * Returns the error for another session's view: it takes no writes, and can be changed into tune's
 * in its place.
 * @param {Direction} direction
 */
function viewOfOthers(direction) {
  const { from } = direction;
  return new TuneError(
    'TUNE-35004',
    `The data of ${nsOf(from)} is in ${from.db}.${from.renamedTo}, and a view of another session ` +
      `has the name ${nsOf(from)}. ${changeText(from, viewInPlace(direction))} blocks the name; a drop ` +
      'would free it for writes. After that, retry the command.',
    { value: nsOf(from) },
  );
}

/** @param {CollectionName} place */
const replacedError = (place) =>
  new TuneError(
    'TUNE-35005',
    `${nsOf(place)} no longer exists, or another collection has its name. Nothing ` +
      'was dropped or renamed.',
    { value: nsOf(place) },
  );

/**
 * Refuses data that has another name before a cut.
 * @param {Pick<SplitJob, 'port' | 'split'>} job @param {Direction['from']} place
 * @throws {TuneError} TUNE-35005
 */
async function checkNotRenamed({ port, split }, { uuid, ...place }) {
  const name = await nameByUuid(port, place.db, uuid);
  if (name === undefined || name === place.name) return;
  const there = { db: place.db, name };
  throw new TuneError(
    'TUNE-35005',
    `Another session renamed ${nsOf(place)} to ${nsOf(there)}. To go on: ` +
      `${await wayBack(port, there, place.name)}, then ` +
      `${callText('split.resume', ownId(split), { restart: true, confirm: true })}, which starts from ` +
      'the beginning.',
    { value: nsOf(there) },
  );
}

/**
 * Refuses where the other name has its collection before the last writes are applied: they would be
 * missing where it takes new ones.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @throws {TuneError} TUNE-35004
 */
async function checkNotEnded(job, direction) {
  if (await job.again(() => isInPlace(job.port, direction.to)))
    throw await endedEarly(job, direction);
}

/**
 * Makes the error of a name that was opened early. A person decides what comes next: a guardian
 * would continue in the middle of that.
 * @param {Pick<SplitJob, 'port' | 'split'>} job @param {Direction} direction
 */
const endedEarly = (job, direction) =>
  waitsForPerson(
    job,
    direction,
    `Another session renamed ${direction.to.db}.${direction.to.stagingName} to ` +
      `${nsOf(direction.to)} before it had all writes to ${nsOf(direction.from)}.`,
  );

/** @param {Pick<SplitJob, 'port' | 'split'>} job @param {Direction} direction */
const bothActive = (job, direction) =>
  waitsForPerson(
    job,
    direction,
    `Another session renamed data of the split: ${nsOf(direction.from)} and ` +
      `${nsOf(direction.to)} both take writes.`,
  );

/**
 * @param {Pick<SplitJob, 'port' | 'split'>} job @param {Direction} direction @param {string} what
 * @param {{ isBack?: boolean }} [seen] `isBack`: the source had its name again, and left it
 */
const waitsForPerson = async ({ port, split }, { from, to }, what, { isBack = false } = {}) =>
  new TuneError(
    'TUNE-35004',
    `${what} Stop its writers. What was written to ${nsOf(to)} since is there only: save it first. ` +
      `Then ${await wayBack(port, to, to.stagingName)}; ` +
      `${doneThen(split, from, !isBack && (await nameByUuid(port, from.db, from.uuid)))}`,
    { value: nsOf(to), waitsForPerson: true },
  );

/**
 * Says what the next command does once the copy has its former name.
 * @param {Split} split @param {Direction['from']} from
 * @param {string | false | undefined} name the name of the source; false: it took writes since its
 *   cut
 */
function doneThen(split, from, name) {
  const call = (/** @type {string} */ verb) =>
    callText(`split.${verb}`, ownId(split), { confirm: true });
  if (split.phase === 'aborting') return `${call('abort')} continues.`;
  if (name !== from.renamedTo)
    return `${call('resume')} asks for a restart, after which the copy has what ${nsOf(from)} has.`;
  const { mode, needsFullCompare = false } = split;
  if (mode === 'offline' && !needsFullCompare)
    return `${call('resume')} continues with the copy as it is then.`;
  if (mode === 'online' && needsFullCompare)
    return `${call('resume')} undoes the cut, and the next try compares all documents first.`;
  return `${call('resume')} applies what ${nsOf(from)} has, also over newer documents of the copy.`;
}

module.exports = {
  bothActive,
  checkNotEnded,
  checkNotRenamed,
  endedEarly,
  freeName,
  hasBegun,
  isCut,
  isInPlace,
  renamesBack,
  replacedError,
  unexpectedCollection,
  waitsForPerson,
  wayBack,
  wayOut,
};
