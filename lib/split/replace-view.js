'use strict';

const { TuneError } = require('../base/pure/errors');
const { retryAsViewsChange, ownCollation, viewAt } = require('./dependents');
const { command, isNoCollection, isThere } = require('./operations');
const { forward, nsOf, viewBeforeSwitch, viewInPlace } = require('./directions');
const { findCollection, findIndexes, findOccupant, nameByUuid, sameUuid } = require('./server');
const { runAtomicStep } = require('./atomic-step');
const { exists, isSplitView } = require('./target');
const { valueLosesOrder } = require('./pure/definitions');
const { expireAfter, isStillOff } = require('./ttl');
const { freeName, isInPlace, wayBack, wayOut } = require('./where-it-stands');

/**
 * @import { AtomicStep } from './atomic-step'
 * @import { Direction } from './directions'
 * @import { Op } from './operations'
 * @import { Collation } from './pure/dependents'
 * @import { Port } from './server'
 * @import { Ttl } from './state'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/** @typedef {{ db: string, name: string, stagingName: string, uuid: any }} TargetPlace */

/**
 * Puts the collection of a direction's end in the place of tune's view, in one step.
 * @param {SplitJob} job
 * @param {TargetPlace} to
 * @param {readonly Ttl[]} [ttl] the expiry in it from then on
 * @param {Closed | null} [closed] the other name, which must not take writes then
 * @throws {TuneError} TUNE-35004 to TUNE-35006, TUNE-35016
 */
const replaceView = (job, to, ttl, closed) =>
  retryAsViewsChange(() => replaceOnce(job, to, ttl, closed));

/** @param {SplitJob} job @param {TargetPlace} to @param {readonly Ttl[]} [ttl] @param {Closed | null} [closed] */
const replaceOnce = (job, to, ttl = [], closed = null) =>
  runAtomicStep(job, {
    place: to,
    touches: [
      { db: to.db, name: to.stagingName },
      { db: to.db, name: to.name },
      ...(closed ? [closed.place] : []),
    ],
    isDone: () => isReplaced(job, to, ttl, closed),
    ...closed?.step,
    opens: async () => ((await isInPlace(job.port, to)) ? null : nsOf(to)),
    operations: async () =>
      (await isInPlace(job.port, to))
        ? [isThere(to), ...(await known(job.port, to, ttl)).map((one) => expireAfter(to, one))]
        : putOperations(job.port, to, ttl, closed),
    pinned: async () =>
      (await isInPlace(job.port, to))
        ? [to]
        : [{ ...to, name: to.stagingName }, ...(await cutOffData(job.port, closed))],
    held: async () => {
      if (!(await isInPlace(job.port, to))) await closed?.step?.held?.();
    },
  });

/**
 * @param {SplitJob} job @param {TargetPlace} to @param {readonly Ttl[]} ttl @param {Closed | null} closed
 * @throws {TuneError} TUNE-35004 where the other name takes writes and must not
 */
async function isReplaced(job, to, ttl, closed) {
  if (!(await isInPlace(job.port, to))) return false;
  if (closed?.isAlone) await closing(job.port, closed);
  if (closed?.both && (await isInPlace(job.port, closed.place))) throw await closed.both();
  return !(await isOff(job, to, ttl));
}

/**
 * Says whether another session gave the collection its name while nothing expires in it; before a
 * cut that may be intended.
 * @param {SplitJob} job @param {TargetPlace} to @param {readonly Ttl[]} ttl
 */
const isOff = async ({ port, split }, to, ttl) =>
  split.phase !== 'aborting' && isStillOff(port, to, ttl);

/**
 * @typedef {{
 *   place: { db: string, name: string, uuid: any, aside: string },
 *   view: { viewOn: string, pipeline: object[] }, isAlone?: boolean, again?: TuneError,
 *   both?: () => Promise<TuneError>, step?: Pick<AtomicStep, 'meanwhile' | 'held'>,
 *   own?(port: Port): Promise<Collation | undefined>
 * }} Closed a name with the view that has to be there; `aside`: the name of its data meanwhile;
 *   `isAlone`: the other name must not open while a collection has this one; `again`: the error
 *   where its data has this name; `both`: the same, where the other name has its own data, too;
 *   `step`: hooks of the switch; `own`: its collation
 */

/**
 * Returns the data that is cut off. While a transaction holds it, no session can undo the cut.
 * Where it is gone, nothing more can be applied; under another name it may have taken writes.
 * @param {Port} port @param {Closed | null} closed
 */
async function cutOffData(port, closed) {
  if (!closed?.again) return [];
  const { db, aside, uuid } = closed.place;
  const there = await nameByUuid(port, db, uuid);
  if (there !== undefined && there !== aside) throw await renamedAway(port, { db, aside }, there);
  return there ? [{ db, name: aside, uuid }] : [];
}

/**
 * Refuses data that is cut off and has another name than that of its cut: there it may take writes
 * that no event shows.
 * @param {Port} port @param {Direction['from']} from @param {{ isAbort?: boolean }} [options]
 * @throws {TuneError} TUNE-35005
 */
async function checkNotAway(port, { db, name, renamedTo, uuid }, options) {
  const there = await nameByUuid(port, db, uuid);
  if (there === undefined || there === name || there === renamedTo) return;
  throw await renamedAway(port, { db, aside: renamedTo }, there, options);
}

/**
 * @param {Port} port
 * @param {{ db: string, aside: string }} cut
 * @param {string} name the present name of its data
 * @param {{ isAbort?: boolean }} [options]
 */
const renamedAway = async (port, { db, aside }, name, { isAbort = false } = {}) =>
  new TuneError(
    'TUNE-35005',
    `Another session renamed ${db}.${aside} to ${db}.${name}, where it may take writes. Stop its ` +
      `writers, then ${await wayBack(port, { db, name }, aside)}, then retry the ` +
      `command${isAbort ? '' : ': all documents are compared before the other name opens'}.`,
    { value: 'rename', waitsForPerson: true },
  );

/**
 * Returns the source of a direction, while it is cut off.
 * @param {Direction} direction @returns {Closed}
 */
const refusingSource = (direction) => ({
  place: { ...direction.from, aside: direction.from.renamedTo },
  view: viewInPlace(direction),
  own: (port) => ownCollation(port, direction),
});

/**
 * Returns the target of a direction, before its switch.
 * @param {Split} split
 * @param {'forward' | 'reverse'} way
 * @returns {Closed}
 */
function refusingTarget(split, way) {
  if (way === 'reverse') return refusingSource(forward(split));
  const { to } = forward(split);
  return { place: { ...to, aside: to.stagingName }, view: viewBeforeSwitch(split) };
}

/**
 * Returns the TTL settings whose index exists.
 * @param {Port} port @param {{ db: string, name: string }} place @param {readonly Ttl[]} ttl
 */
async function known(port, { db, name }, ttl) {
  const names = new Set((await findIndexes(port, db, name)).map((one) => one.name));
  return ttl.filter((one) => names.has(one.name));
}

/**
 * @param {Port} port
 * @param {TargetPlace} to
 * @param {readonly Ttl[]} ttl
 * @param {Closed | null} closed
 * @returns {Promise<Op[]>}
 */
async function putOperations(port, to, ttl, closed) {
  const data = await findCollection(port, to.db, to.stagingName);
  if (!data || !sameUuid(data.info.uuid, to.uuid))
    throw new TuneError(
      'TUNE-35005',
      `${to.db}.${to.stagingName} no longer exists, or another collection has its ` +
        'name. Nothing was dropped or renamed.',
      { value: nsOf(to) },
    );
  const here = await findOccupant(port, to);
  if (here && !isSplitView(here))
    throw exists(to, here, ` The data is in ${to.db}.${to.stagingName}.`);
  const staging = { ...to, name: to.stagingName };
  const expiring = await known(port, staging, ttl);
  const other = await closing(port, closed);
  await cutOffData(port, closed);
  return [
    isThere(staging),
    ...other.proof,
    isNoCollection(to),
    ...other.made,
    ...expiring.map((one) => expireAfter(staging, one)),
    command(to.db, { drop: to.name }),
    command(to.db, { renameCollection: `${to.db}.${to.stagingName}`, to: nsOf(to) }, to.uuid),
    ...other.opened,
  ];
}

/**
 * @param {Port} port
 * @param {Closed | null} closed
 * @returns {Promise<{ proof: Op[], made: Op[], opened: Op[] }>} `made`: run where the name is free,
 *   after all proofs; `opened`: run where it answers reads again, after everything else
 */
async function closing(port, closed) {
  if (!closed) return { proof: [], made: [], opened: [] };
  const { place, view, isAlone = false, own } = closed;
  const here = await findOccupant(port, place);
  if (!here) return { ...(await viewAt(port, place, view, await own?.(port))), opened: [] };
  if (here.type === 'view') return { made: [], opened: [], ...closedAlready(here, closed) };
  if (sameUuid(here.info?.uuid, place.uuid)) throw await takesWritesAgain(port, closed);
  // What another session made under one of tune's names takes writes in any case.
  if (isAlone) throw await bothTakeWrites(port, place, here);
  return { proof: [], made: [], opened: [] };
}

/** @param {Port} port @param {{ db: string, name: string }} place @param {any} here */
async function bothTakeWrites(port, place, here) {
  const free = await freeName(port, place.db, `${place.name}_since`);
  const { what, way } = wayOut(place, here, free);
  return new TuneError(
    'TUNE-35004',
    `${nsOf(place)} is a new ${what} of another session and takes writes, so ` +
      `both namespaces would take writes. Stop its writers, then ${way}, ` +
      'then retry the command.',
    { value: nsOf(place) },
  );
}

/**
 * Returns the error where another session gave the split's own data the name that has to be
 * blocked.
 * @param {Port} port @param {Closed} closed
 */
const takesWritesAgain = async (port, { place, again }) =>
  again ??
  new TuneError(
    'TUNE-35004',
    `Another session renamed data of the split to ${nsOf(place)}, which takes writes. Stop its ` +
      `writers, then ${await wayBack(port, place, place.aside)}, then retry the command. What was written ` +
      'there is on one side only.',
    { value: nsOf(place) },
  );

/** @param {{ db: string, name: string }} place */
const losesItsOrder = (place) =>
  new TuneError(
    'TUNE-35004',
    `${nsOf(place)} is a view of another session. A document in its pipeline has several fields, ` +
      'one with a number as its name: JavaScript would put that one first. Drop that view, then ' +
      'retry the command.',
    { value: nsOf(place) },
  );

/**
 * Leaves a view as it is, also that of another user. Where the proof would change its order there is none:
 * the name that takes writes must not wait for that view.
 * @param {any} here @param {Closed} closed
 * @throws {TuneError} TUNE-35004 where the name must not open
 */
function closedAlready(here, { place, view, isAlone }) {
  const { viewOn, pipeline } = here.options;
  if (!isSplitView(here) && valueLosesOrder(pipeline)) {
    if (isAlone) throw losesItsOrder(place);
    return { proof: [] };
  }
  if (!isSplitView(here)) return { proof: [isNoCollection(place, { viewOn, pipeline })] };
  const isSame =
    JSON.stringify([viewOn, pipeline]) === JSON.stringify([view.viewOn, view.pipeline]);
  return {
    proof: [isNoCollection(place, { viewOn, pipeline })],
    opened: isSame ? [] : [command(place.db, { collMod: place.name, ...view })],
  };
}

/**
 * Says whether a name has the view that should block it. Its pipeline names the split's
 * collections.
 * @param {any} here @param {Closed} closed
 */
const isViewOf = (here, { view }) =>
  isSplitView(here) && JSON.stringify(here.options.pipeline) === JSON.stringify(view.pipeline);

module.exports = { checkNotAway, closing, isViewOf, refusingSource, refusingTarget, replaceView };
