'use strict';

const { TuneError } = require('../errors');
const { killOurs } = require('./left-running');
const { cutOff, isInPlace, putInPlace } = require('./cut');
const { back, forth, viewInPlace } = require('./names');
const { catchUpBack, drain } = require('./phases');
const { findCollection, majorityTime, sameUuid, write } = require('./server');
const { isOurs } = require('./target');
const { compare, verifiedOf } = require('./verify');

/** @typedef {import('./work').Work} Work */

/** The source is again what it was; what was copied goes. @param {Work} work */
async function abortSplit(work) {
  const { port, split } = work;
  const { from, into, sourceUuid, workingUuid } = split;
  if (workingUuid && await isInPlace(port, { ...into, uuid: workingUuid })) {
    await work.save({ phase: 'switched' });
    throw new TuneError('TUNE-35010', `${split.target} is in place already; tune.split.rollback("${split.planId}", { confirm: true }) takes it back.`, { value: split.phase });
  }
  await work.save({ phase: 'aborting' });
  await work.again(() => killOurs(work));
  // Cut off or not: it is put in the place of the view that refuses, if that is there.
  await work.again(async () => {
    if (await findCollection(port, from.db, from.aside)) await putInPlace(work, { db: from.db, name: from.name, working: from.aside, uuid: sourceUuid });
  });
  await work.again(() => dropView(work, into));
  await work.again(() => drop(work, into.db, into.working));
  await work.save({ phase: 'aborted', active: false });
}

/** @param {Work} work @param {{ open: boolean }} options `open`: the old name becomes free */
async function finishSplit(work, { open }) {
  const { split: { phase, from, into, sourceUuid } } = work;
  if (phase === 'rolled-back') {
    await work.again(() => dropView(work, into));
    return work.save({ phase: 'finished' });
  }
  // Over nothing a view would answer with nothing, as if there had never been anything.
  await work.again(() => (open ? dropView(work, from) : refuseReads(work)));
  await work.again(() => drop(work, from.db, from.aside, sourceUuid));
  await work.save({ phase: 'finished', active: false });
}

/** @type {Readonly<Partial<Record<import('./state').Phase, (work: Work) => Promise<void>>>>} */
const STEPS = Object.freeze({
  switched: async (work) => {
    await catchUpBack(work);
    await work.save({ phase: 'cutting-back' });
  },
  'cutting-back': async (work) => {
    await work.again(() => cutOff(work, back(work.split), () => catchUpBack(work)));
    await work.save({ phase: 'draining-back' });
  },
  'draining-back': async (work) => {
    // What only the primary had of it is gone with that primary.
    await work.again(() => cutOff(work, back(work.split)));
    await drain(work, back(work.split));
    await work.save({ phase: 'switching-back' });
  },
  'switching-back': async (work) => {
    const { into, workingUuid } = work.split;
    await work.again(() => putInPlace(work, back(work.split).to));
    // What most members have of this, they have of all before it.
    await work.save({ phase: 'switching-back' });
    await work.again(() => putInPlace(work, back(work.split).to));
    await work.again(() => drop(work, into.db, into.working, workingUuid));
    await work.save({ phase: 'rolled-back', active: false });
  },
});

/** @param {import('./state').Split} split @throws {TuneError} TUNE-35010 */
function checkHasWayBack({ mode, source, _id }) {
  if (mode !== 'offline') return;
  throw new TuneError('TUNE-35010', `${source} was moved offline, so what was written since is not known. A new plan moves it back, with all that was written, once tune.split.finish(${JSON.stringify(_id)}, { confirm: true, open: true }) has made its old name free.`, { value: mode });
}

/** The same as the way there, the other way round: nothing that was written since is lost. @param {Work} work */
async function rollBack(work) {
  checkHasWayBack(work.split);
  for (let step = STEPS[work.split.phase]; step; step = STEPS[work.split.phase]) {
    work.safePoint();
    work.say(work.split.phase);
    await step(work);
  }
}

/** @param {Work} work @param {{ db: string, name: string }} place */
async function dropView({ port }, { db, name }) {
  if (isOurs(await findCollection(port, db, name))) await write(port, db, { drop: name });
}

/** @param {Work} work */
async function refuseReads({ port, split }) {
  const { db, name } = split.from;
  if (split.reads === 'view' && isOurs(await findCollection(port, db, name))) await write(port, db, { collMod: name, ...viewInPlace({ ...forth(split), reads: 'refused' }) });
}

/** @param {Work} work @param {string} db @param {string} name @param {any} [uuid] it must have */
async function drop({ port }, db, name, uuid) {
  const there = await findCollection(port, db, name);
  if (there?.type === 'collection' && (!uuid || sameUuid(there.info.uuid, uuid))) await write(port, db, { drop: name });
}

/** The copy begins anew: what happened since the first one is not known any more. @param {Work} work */
async function beginAnew(work) {
  const { into } = work.split;
  await work.again(() => killOurs(work));
  await work.save({ phase: 'planned', token: null, startAt: null, copiedTo: null, copied: 0, parked: [], workingUuid: null });
  await work.again(() => drop(work, into.db, into.working));
}

/** After the switch, where the oplog has lost what was written to the target: everything is compared, and brought back. @param {Work} work */
async function beginBackAnew(work) {
  await work.save({ backStartAt: await work.again(() => majorityTime(work.port)), backToken: null, broughtAt: new Date(), parked: [] });
  await work.save({ verified: verifiedOf(await compare(work, back(work.split), () => catchUpBack(work))) });
}

module.exports = { abortSplit, finishSplit, rollBack, checkHasWayBack, beginAnew, beginBackAnew };
