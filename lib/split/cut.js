'use strict';

const { TuneError } = require('../base/pure/errors');
const { findCollection, findIndexes, sameUuid } = require('./server');
const { command, isNoCollection, isThere } = require('./fence');
const { findDependents, lookingAgain, ownCollation, viewAt } = require('./dependents');
const { forth, nsOf, viewInPlace } = require('./names');
const { notYetSentence, refusal } = require('./pure/split-names');
const { takeStep } = require('./step');
const { strayed } = require('./strays');
const { isOurs } = require('./target');
const { NEVER_SECONDS, expireAfter, expiresNever, readTtl } = require('./ttl');

/**
 * @typedef {import('./names').Leg} Leg
 * @typedef {import('./server').Port} Port
 * @typedef {import('./work').Work} Work
 * @typedef {import('./fence').Op} Op
 * @typedef {import('./state').Ttl} Ttl
 */
/** @typedef {{ db: string, name: string, working: string, uuid: any }} Place */

/** Milliseconds. Who wants to change the indexes waits for our transaction, and our look for him. */
const LOOK_MS = 500;
/** ExceededTimeLimit: a step that ends with it is tried again. */
const TRY_AGAIN = 50;

/**
 * Right before the step is sent: views that read the name and that the step does not know of would
 * tear it.
 * @param {Work} work
 * @param {Leg} leg
 * @param {string} known when the step was made; empty: it makes no view
 */
async function checkReaders({ port }, { from }, known) {
  if (known === '' || JSON.stringify(await findDependents(port, from)) === known) return;
  throw Object.assign(new Error(`views on ${nsOf(from)} were changed`), { code: TRY_AGAIN });
}

/**
 * Whether the server renamed the source and refused the view: the name is free, and takes writes.
 * @param {Work} work @param {Leg} leg
 */
const isTorn = async (work, leg) =>
  (await hasBegun(work, leg)) &&
  !isOurs(await findCollection(work.port, leg.from.db, leg.from.name));

/**
 * Cuts the source off: in one step it gets another name and a view takes its place, to which
 * nothing can be written. No write can come in between, and none that is under way is torn. Nothing
 * expires in it any more, or a rollback would bring back less than there was.
 * @param {Work} work
 * @param {Leg} leg
 * @param {() => Promise<unknown>} [meanwhile] what to do before each further try
 * @throws {TuneError} TUNE-35005, TUNE-35006, TUNE-35013, TUNE-35016, TUNE-35020
 */
const cutOff = (work, leg, meanwhile) =>
  lookingAgain(
    () => cutOnce(work, leg, { meanwhile, readers: '' }),
    () => work.again(() => isTorn(work, leg)),
  );

/**
 * @param {Work} work
 * @param {Leg} leg
 * @param {{ meanwhile?: () => Promise<unknown>, readers: string }} state `readers`: the views that
 *   read the name, as the step knows them
 */
const cutOnce = (work, leg, state) =>
  takeStep(work, {
    place: leg.from,
    touches: [
      leg.from,
      { db: leg.from.db, name: leg.from.aside },
      { db: leg.to.db, name: leg.to.working },
    ],
    isDone: () => isCut(work, leg),
    operations: async () => {
      const { operations, seen } = await cutOperations(work, leg);
      state.readers = seen;
      return operations;
    },
    meanwhile: state.meanwhile,
    held: () => checkReaders(work, leg, state.readers).then(() => heldFor(work, leg)),
  });

/**
 * The step renames by UUID, so the name is looked at; and it switches expiry off, so the times of
 * until then are.
 * @param {Work} work
 * @param {Leg} leg
 * @returns {Promise<import('./step').Held[]>}
 */
async function heldFor(work, leg) {
  const { port, split } = work;
  const { way, from } = leg;
  if (await hasBegun(work, leg)) return [];
  const text = (/** @type {readonly Ttl[]} */ ttl) => JSON.stringify(ttl);
  const isAsSeen = async () =>
    text(await readTtl(port, from, { maxTimeMS: LOOK_MS })) === text(split.ttl[way]);
  return [{ ...from, isAsSeen }];
}

/**
 * What is missing of it: a server that was interrupted may have done a part.
 * @param {Work} work
 * @param {Leg} leg
 * @returns {Promise<{ operations: Op[], seen: string }>} `seen`: the views that read its name
 */
async function cutOperations({ port, split }, leg) {
  const { from } = leg;
  const aside = { db: from.db, name: from.aside, uuid: from.uuid };
  const isAside = (await findCollection(port, from.db, from.aside)) !== null;
  const isHidden = await findCollection(port, from.db, from.name).then(
    (here) => here?.type === 'view',
  );
  const { proof, made, seen } = isHidden
    ? NO_VIEW
    : await viewAt(port, from, viewInPlace(leg), await ownCollation(port, leg));
  const operations = [
    isThere(from),
    ...proof,
    ...(isAside
      ? []
      : [
          isNoCollection(aside),
          command(from.db, { renameCollection: nsOf(from), to: nsOf(aside) }, from.uuid),
        ]),
    ...made,
    ...split.ttl[leg.way].map(({ name }) =>
      expireAfter(aside, { name, expireAfterSeconds: NEVER_SECONDS }),
    ),
  ];
  return { operations, seen };
}

/** @type {{ proof: Op[], made: Op[], seen: string }} */
const NO_VIEW = Object.freeze({ proof: [], made: [], seen: '' });

/**
 * Whether it is done: whole, with the view in its place.
 * @param {Work} work @param {Leg} leg @returns {Promise<boolean>}
 * @throws {TuneError} TUNE-35005, TUNE-35013
 */
async function isCut({ port, split }, { way, from }) {
  const [here, aside] = [
    await findCollection(port, from.db, from.name),
    await findCollection(port, from.db, from.aside),
  ];
  if (!aside) {
    if (here?.type === 'collection' && sameUuid(here.info.uuid, from.uuid)) return false;
    throw new TuneError(
      'TUNE-35005',
      `${nsOf(from)} is gone, or another collection has its name. Nothing was dropped or renamed.`,
      { value: nsOf(from) },
    );
  }
  if (!sameUuid(aside.info.uuid, from.uuid))
    throw new TuneError(
      'TUNE-35005',
      `${from.db}.${from.aside} is there, made by another session. Nothing was dropped or renamed.`,
      { value: `${from.db}.${from.aside}` },
    );
  if (!here) return false;
  if (!isOurs(here)) throw await strayed(port, split, from);
  return expiresNever(port, { db: from.db, name: from.aside }, split.ttl[way]);
}

/**
 * Whether a part of it is done, at least: then it is too late to prepare for it.
 * @param {Work} work
 * @param {Leg} leg
 * @returns {Promise<boolean>}
 */
async function hasBegun({ port }, { from }) {
  const aside = await findCollection(port, from.db, from.aside);
  return aside?.type === 'collection' && sameUuid(aside.info.uuid, from.uuid);
}

/**
 * Puts the collection of a leg's end in the place of our view, in one step.
 * @param {Work} work
 * @param {Place} to
 * @param {readonly Ttl[]} [ttl] what expires in it from then on
 * @param {Closed | null} [closed] the other name, which must not take writes then
 * @throws {TuneError} TUNE-35004 to TUNE-35006, TUNE-35016
 */
const putInPlace = (work, to, ttl, closed) => lookingAgain(() => putOnce(work, to, ttl, closed));

/** @param {Work} work @param {Place} to @param {readonly Ttl[]} [ttl] @param {Closed | null} [closed] */
const putOnce = (work, to, ttl = [], closed = null) =>
  takeStep(work, {
    place: to,
    touches: [
      { db: to.db, name: to.working },
      { db: to.db, name: to.name },
      ...(closed ? [closed.place] : []),
    ],
    isDone: () => isInPlace(work.port, to),
    operations: () => putOperations(work.port, to, ttl, closed),
    held: async () => [{ ...to, name: to.working }],
  });

/**
 * @typedef {{
 *   place: { db: string, name: string, uuid: any }, view: { viewOn: string, pipeline: object[] },
 *   isAlone?: boolean,
 *   own?(port: Port): Promise<import('./dependents').Collation | undefined>
 * }} Closed a name with the view that is to be there; `isAlone`: the other name must not open while
 *   a collection has this one; `own`: its collation
 */

/** The source of a direction, while it is cut off. @param {Leg} leg @returns {Closed} */
const closedSource = (leg) => ({
  place: leg.from,
  view: viewInPlace(leg),
  own: (port) => ownCollation(port, leg),
});

/**
 * The target of a direction, before its switch.
 * @param {import('./state').Split} split
 * @param {'forth' | 'back'} way
 * @returns {Closed}
 */
function closedTarget(split, way) {
  if (way === 'back') return closedSource(forth(split));
  const { to, from } = forth(split);
  return {
    place: to,
    view: { viewOn: to.working, pipeline: refusal(notYetSentence(nsOf(to), nsOf(from))) },
  };
}

/**
 * @param {Port} port
 * @param {Place} to
 * @param {readonly Ttl[]} ttl
 * @param {Closed | null} closed
 * @returns {Promise<Op[]>}
 */
async function putOperations(port, to, ttl, closed) {
  const data = await findCollection(port, to.db, to.working);
  if (!data || !sameUuid(data.info.uuid, to.uuid))
    throw new TuneError(
      'TUNE-35005',
      `${to.db}.${to.working} is gone, or another collection has its name. Nothing was ` +
        'dropped or renamed.',
      { value: nsOf(to) },
    );
  const here = await findCollection(port, to.db, to.name);
  if (here && !isOurs(here))
    throw new TuneError(
      'TUNE-35004',
      `${nsOf(to)} is there already, made by another session; the data is in ` +
        `${to.db}.${to.working}.`,
      { value: nsOf(to) },
    );
  const known = new Set((await findIndexes(port, to.db, to.working)).map(({ name }) => name));
  const other = await closing(port, closed);
  return [
    isThere({ ...to, name: to.working }),
    ...other.proof,
    isNoCollection(to),
    ...other.made,
    ...ttl
      .filter(({ name }) => known.has(name))
      .map((one) => expireAfter({ ...to, name: to.working }, one)),
    command(to.db, { drop: to.name }),
    command(to.db, { renameCollection: `${to.db}.${to.working}`, to: nsOf(to) }, to.uuid),
  ];
}

/**
 * @param {Port} port
 * @param {Closed | null} closed
 * @returns {Promise<{ proof: Op[], made: Op[] }>} `made`: where the name is free, after all proofs
 */
async function closing(port, closed) {
  if (!closed) return { proof: [], made: [] };
  const { place, view, isAlone = false, own } = closed;
  const here = await findCollection(port, place.db, place.name);
  if (!here) return viewAt(port, place, view, await own?.(port));
  // A collection that another session made under one of our names takes writes whatever we do.
  const isForeign = here.type === 'collection' && !sameUuid(here.info.uuid, place.uuid);
  if (isForeign && isAlone)
    throw new TuneError(
      'TUNE-35004',
      `${nsOf(place)} is a new collection, made by another session, and takes writes: both names ` +
        `would. Stop what writes to it, then db.getSiblingDB(${JSON.stringify(place.db)})` +
        `.getCollection(${JSON.stringify(place.name)}).renameCollection(${JSON.stringify(`${place.name}_since`)}), then the same command again.`,
      { value: nsOf(place) },
    );
  return { proof: isForeign ? [] : [isNoCollection(place, view)], made: [] };
}

/**
 * @param {Port} port
 * @param {{ db: string, name: string, uuid: any }} to
 * @returns {Promise<boolean>}
 */
async function isInPlace(port, to) {
  const here = await findCollection(port, to.db, to.name);
  return here?.type === 'collection' && sameUuid(here.info.uuid, to.uuid);
}

module.exports = { closedSource, closedTarget, cutOff, hasBegun, isCut, putInPlace, isInPlace };
