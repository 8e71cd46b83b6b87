'use strict';

const { TuneError } = require('../base/pure/errors');
const { findCollection, sameUuid } = require('./server');
const { command, isNoCollection, isThere } = require('./fence');
const { findDependents, lookingAgain, ownCollation, viewAt } = require('./dependents');
const { nsOf, viewInPlace } = require('./names');
const { takeStep, tryAgain } = require('./step');
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
/** Milliseconds. Who wants to change the indexes waits for our transaction, and our look for him. */
const LOOK_MS = 500;

/**
 * Right before the step is sent: views that read the name and that the step does not know of would
 * tear it.
 * @param {Work} work
 * @param {Leg} leg
 * @param {string} known when the step was made; empty: it makes no view
 */
async function checkReaders({ port }, { from }, known) {
  if (known === '' || JSON.stringify(await findDependents(port, from)) === known) return;
  throw tryAgain(`views on ${nsOf(from)} were changed`);
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

module.exports = { cutOff, hasBegun, isCut };
