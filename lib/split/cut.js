'use strict';

const { TuneError } = require('../errors');
const { sleep } = require('../context');
const { findCollection, sameUuid, MAJORITY } = require('./server');
const { movedSentence, nsOf, refusal } = require('./names');
const { isRefusal } = require('./target');

/** While it waits for its lock every operation of the server waits behind it. */
const HOLD_MS = 500;
const TRIES = 60;
const PAUSE_MS = 250;
const EXCEEDED_TIME_LIMIT = 50;

/** @typedef {import('./names').Leg} Leg @typedef {import('./server').Port} Port */

/**
 * Cuts the source off: in one step, under the server's exclusive lock, it gets another name and a view that refuses everything
 * takes its place. No write can come in between, and none that is under way is torn.
 * @param {Port} port @param {Leg} leg @param {AbortSignal} signal @param {() => Promise<unknown>} meanwhile what to do before each further try
 */
async function cutOff(port, leg, signal, meanwhile) {
  await locked(nsOf(leg.from), signal, async (again) => {
    if (again) await meanwhile();
    if (!await isCut(port, leg)) await applyOps(port, cutOps(leg));
  });
  if (!await isCut(port, leg)) throw new TuneError('TUNE-35005', `${nsOf(leg.from)} was not cut off.`, { value: nsOf(leg.from) });
}

/** @param {string} ns @param {AbortSignal} signal @param {(again: boolean) => Promise<void>} work */
async function locked(ns, signal, work) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work(tries > 1);
    } catch (error) {
      if (/** @type {any} */ (error).code !== EXCEEDED_TIME_LIMIT) throw error;
      if (tries === TRIES) throw new TuneError('TUNE-35006', `${ns} could not be locked in ${TRIES} tries of ${HOLD_MS} ms: a transaction or another long operation holds it.`, { value: ns, cause: error });
      await sleep(PAUSE_MS, signal);
    }
  }
}

/** @param {Leg} leg */
const cutOps = ({ from, to }) => [
  { op: 'c', ns: `${from.db}.$cmd`, o: { renameCollection: nsOf(from), to: `${from.db}.${from.aside}` } },
  { op: 'c', ns: `${from.db}.$cmd`, o: { create: from.name, viewOn: from.aside, pipeline: refusal(movedSentence(nsOf(from), nsOf(to))) } },
];

/**
 * Whether it is done; when it was half done, which only a fault of the server can cause, it is said.
 * @param {Port} port @param {Leg} leg @returns {Promise<boolean>}
 */
async function isCut(port, { from }) {
  const [here, aside] = [await findCollection(port, from.db, from.name), await findCollection(port, from.db, from.aside)];
  if (!aside) {
    if (here?.type === 'collection' && sameUuid(here.info.uuid, from.uuid)) return false;
    throw new TuneError('TUNE-35005', `${nsOf(from)} is gone, or another collection has its name.`, { value: nsOf(from) });
  }
  if (sameUuid(aside.info.uuid, from.uuid) && isRefusal(here)) return true;
  throw new TuneError('TUNE-35005', `${nsOf(from)} is neither whole nor cut off: its data is in ${from.db}.${from.aside}.`, { value: nsOf(from) });
}

/**
 * Puts the collection of a leg's end in the place of the view that refuses, in one step.
 * @param {Port} port @param {{ db: string, name: string, working: string, uuid: any }} to @param {AbortSignal} signal
 */
async function putInPlace(port, to, signal) {
  await locked(nsOf(to), signal, async () => { if (!await isInPlace(port, to)) await exchange(port, to); });
  if (!await isInPlace(port, to)) throw new TuneError('TUNE-35005', `${nsOf(to)} did not get its collection: its data is in ${to.db}.${to.working}.`, { value: nsOf(to) });
}

/** @param {Port} port @param {{ db: string, name: string, working: string, uuid: any }} to */
async function exchange(port, to) {
  const data = await findCollection(port, to.db, to.working);
  if (!data || !sameUuid(data.info.uuid, to.uuid)) throw new TuneError('TUNE-35005', `${to.db}.${to.working} is gone, or another collection has its name.`, { value: nsOf(to) });
  const here = await findCollection(port, to.db, to.name);
  if (here && !isRefusal(here)) throw new TuneError('TUNE-35004', `${nsOf(to)} is there already, made by another.`, { value: nsOf(to) });
  const drop = here ? [{ op: 'c', ns: `${to.db}.$cmd`, o: { drop: to.name } }] : [];
  await applyOps(port, [...drop, { op: 'c', ns: `${to.db}.$cmd`, o: { renameCollection: `${to.db}.${to.working}`, to: nsOf(to) } }]);
}

/** @param {Port} port @param {{ db: string, name: string, working: string, uuid: any }} to @returns {Promise<boolean>} */
async function isInPlace(port, to) {
  const here = await findCollection(port, to.db, to.name);
  return here?.type === 'collection' && sameUuid(here.info.uuid, to.uuid);
}

/** @param {Port} port @param {object[]} ops */
const applyOps = (port, ops) => port.adminCommand({ applyOps: ops, maxTimeMS: HOLD_MS, writeConcern: MAJORITY });

module.exports = { cutOff, isCut, putInPlace, isInPlace };
