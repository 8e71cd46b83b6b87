'use strict';

const { TuneError } = require('../errors');
const { findCollection, sameUuid, write } = require('./server');
const { nsOf, viewInPlace } = require('./names');
const { inOneStep, operation, untilDone, LIMIT_MS } = require('./one-step');
const { isOurs } = require('./target');

/** @typedef {import('./names').Leg} Leg @typedef {import('./server').Port} Port @typedef {import('./work').Work} Work */
/** @typedef {{ db: string, name: string, working: string, uuid: any }} Place */

const NAMESPACE_EXISTS = 48;

/**
 * Cuts the source off: in one step it gets another name and a view takes its place, to which nothing can be written. No write can
 * come in between, and none that is under way is torn.
 * @param {Work} work @param {Leg} leg @param {() => Promise<unknown>} [meanwhile] what to do before each further try
 * @throws {TuneError} TUNE-35005, TUNE-35006, TUNE-35013
 */
const cutOff = (work, leg, meanwhile) => untilDone(work, leg.from, { isDone: () => isCut(work, leg), step: () => inOneStep(work, cutOps(leg)), meanwhile });

/** @param {Leg} leg */
const cutOps = ({ from, ...leg }) => [
  operation(from.db, { renameCollection: nsOf(from), to: `${from.db}.${from.aside}` }),
  operation(from.db, { create: from.name, ...viewInPlace({ from, ...leg }) }),
];

/**
 * Whether it is done. What was ended between its two operations (the primary died or stepped down just then) is brought to its end.
 * @param {Work} work @param {Leg} leg @returns {Promise<boolean>}
 */
async function isCut(work, leg) {
  const { from } = leg;
  const [here, aside] = [await findCollection(work.port, from.db, from.name), await findCollection(work.port, from.db, from.aside)];
  if (!aside) {
    if (here?.type === 'collection' && sameUuid(here.info.uuid, from.uuid)) return false;
    throw new TuneError('TUNE-35005', `${nsOf(from)} is gone, or another collection has its name.`, { value: nsOf(from) });
  }
  if (!sameUuid(aside.info.uuid, from.uuid)) throw new TuneError('TUNE-35005', `${from.db}.${from.aside} is there, made by another.`, { value: `${from.db}.${from.aside}` });
  if (here) return isOurs(here) || strayed(work, from);
  await hide(work, leg);
  return isCut(work, leg);
}

/** Where somebody was faster, the next look says so. @param {Work} work @param {Leg} leg */
async function hide({ port }, leg) {
  try {
    await write(port, leg.from.db, { create: leg.from.name, ...viewInPlace(leg) });
  } catch (error) {
    if (/** @type {any} */ (error).code !== NAMESPACE_EXISTS) throw error;
  }
}

/** @param {Work} work @param {Leg['from']} from @returns {never} */
function strayed({ split: { planId } }, from) {
  const strays = `${from.name}__strays_${planId}`;
  throw new TuneError('TUNE-35013', `${nsOf(from)} has its data in ${from.db}.${from.aside}: the server was interrupted before a view could take the name, and what was written since is in a new collection ${nsOf(from)}. Stop who writes to it, then db.getSiblingDB(${JSON.stringify(from.db)}).getCollection(${JSON.stringify(from.name)}).renameCollection(${JSON.stringify(strays)}).`, { value: nsOf(from), aside: `${from.db}.${from.aside}`, strays: `${from.db}.${strays}` });
}

/**
 * Puts the collection of a leg's end in the place of our view, in one step.
 * @param {Work} work @param {Place} to
 * @throws {TuneError} TUNE-35004 to TUNE-35006
 */
const putInPlace = (work, to) => untilDone(work, to, { isDone: () => isInPlace(work.port, to), step: () => exchange(work, to) });

/** @param {Work} work @param {Place} to */
async function exchange(work, to) {
  const data = await findCollection(work.port, to.db, to.working);
  if (!data || !sameUuid(data.info.uuid, to.uuid)) throw new TuneError('TUNE-35005', `${to.db}.${to.working} is gone, or another collection has its name.`, { value: nsOf(to) });
  const here = await findCollection(work.port, to.db, to.name);
  if (here && !isOurs(here)) throw new TuneError('TUNE-35004', `${nsOf(to)} is there already, made by another; the data is in ${to.db}.${to.working}.`, { value: nsOf(to) });
  const rename = { renameCollection: `${to.db}.${to.working}`, to: nsOf(to) };
  // By itself it fails where somebody is faster; within applyOps it would give the other one a name of its own.
  if (!here) return write(work.port, 'admin', { ...rename, maxTimeMS: LIMIT_MS });
  return inOneStep(work, [operation(to.db, { drop: to.name }), operation(to.db, rename)]);
}

/** @param {Port} port @param {Place} to @returns {Promise<boolean>} */
async function isInPlace(port, to) {
  const here = await findCollection(port, to.db, to.name);
  return here?.type === 'collection' && sameUuid(here.info.uuid, to.uuid);
}

module.exports = { cutOff, isCut, putInPlace, isInPlace };
