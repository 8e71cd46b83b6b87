'use strict';

const { TuneError } = require('../errors');
const { killOurs } = require('./left-running');
const { closedSource, closedTarget, cutOff, hasBegun, isInPlace, putInPlace } = require('./cut');
const { catchUpBack, drain } = require('./following');
const { back, forth, nsOf } = require('./names');
const { persist } = require('./persist');
const { checkCanGoBack, checkReadyBack, renewTtl, ttlOf } = require('./ready');
const { reopening } = require('./reopen');
const { sameIndexes } = require('./same-indexes');
const { dropStep } = require('./drop');
const { findCollection, majorityTime, sameUuid } = require('./server');
const { findSplits } = require('./state');
const { compare, verifiedOf } = require('./verify');

/** @typedef {import('./work').Work} Work */

/**
 * The source is again what it was; what was copied goes.
 * @param {Work} work @param {{ keep?: boolean }} [options] `keep`: the copy stays, under the name it has
 */
async function abortSplit(work, { keep = false } = {}) {
  const { port, split } = work;
  const { from, into, sourceUuid } = split;
  await checkNotSwitched(work);
  await work.save({ phase: 'aborting' });
  await work.again(() => killOurs(work));
  // Cut off or not: it is put in the place of the view that refuses, if that is there.
  const source = { db: from.db, name: from.name, working: from.aside, uuid: sourceUuid };
  if (await work.again(() => findCollection(port, from.db, from.aside))) await putInPlace(work, source, split.ttl.forth, closedTarget(split, 'forth'));
  const copies = await copiesOf(work);
  const isBack = await work.again(() => isInPlace(port, source));
  if (!isBack && !keep) throw lastCopy(nsOf(from), `${into.db}.${into.working}`, `tune.split.abort(${JSON.stringify(split._id)}, { keep: true, confirm: true }) gives the split up and keeps that.`);
  const keeps = isBack ? source : copies[0];
  // Who was refused at the source may try the target any moment, and a write there must not make a new collection.
  const refuses = wasCut(split);
  if (keeps) await dropStep(work, { keeps, view: refuses ? null : into, copies: keep ? [] : copies });
  await work.save({ phase: 'aborted', active: false, refuses });
}

/** @param {import('./state').Split} split */
const wasCut = ({ history }) => history.some(({ phase }) => phase === 'cutting');

/** The view at the target of a split that was aborted, unless another split has it by now. @param {Work} work */
async function finishAborted(work) {
  const { port, split } = work;
  const { from, into, sourceUuid, target, _id } = split;
  const [other] = await work.again(() => findSplits(port, { target, active: true, _id: { $ne: _id } }));
  if (!other) await dropStep(work, { keeps: { db: from.db, name: from.name, uuid: sourceUuid }, view: into, copies: await copiesOf(work) });
  await work.save({ phase: 'finished', active: false, refuses: false });
}

/** @param {Work} work @throws {TuneError} TUNE-35010 */
async function checkNotSwitched(work) {
  const { into, workingUuid, planId, target, phase } = work.split;
  if (!workingUuid || !await work.again(() => isInPlace(work.port, { ...into, uuid: workingUuid }))) return;
  await work.save({ phase: 'switched' });
  throw new TuneError('TUNE-35010', `${target} is in place already; tune.split.rollback("${planId}", { confirm: true }) takes it back.`, { value: phase });
}

/** @param {string} gone @param {string} kept @param {string} way on */
const lastCopy = (gone, kept, way) => new TuneError('TUNE-35017', `${gone} is gone, or another collection has its name: ${kept} may be the only copy of its data, so nothing is dropped. ${way}`, { value: kept });

/** Everything in the target's database that this split made: of a staging copy there may be some under names that it had. @param {Work} work */
const copiesOf = (work) => collectionsOf(work, work.split.into.db, work.split.into.working);
/** The same in the source's database. @param {Work} work */
const oldDataOf = (work) => collectionsOf(work, work.split.from.db, work.split.from.aside);

/** @param {Work} work @param {string} db @param {string} current name, besides those it had */
async function collectionsOf({ port, split, again }, db, current) {
  return again(async () => {
    const { cursor } = await port.command(db, { listCollections: 1, filter: { name: { $in: [current, ...split.former] } } });
    return cursor.firstBatch.filter((/** @type {any} */ { type }) => type === 'collection').map((/** @type {any} */ { name, info }) => ({ db, name, uuid: info.uuid }));
  });
}

/** @param {import('./state').Split} split @param {{ db: string, name: string }} copy */
function wayOfLast({ phase, _id, into }, { db, name }) {
  if (phase !== 'rolled-back') return `tune.split.rollback(${JSON.stringify(_id)}, { lost: true, confirm: true }) gives the old data its name again.`;
  return `Give it a name of its own, db.getSiblingDB(${JSON.stringify(db)}).getCollection(${JSON.stringify(name)}).renameCollection(${JSON.stringify(`${into.name}_kept`)}), then the same command again.`;
}

/** @param {Work} work @param {{ open: boolean }} options `open`: the old name becomes free */
async function finishSplit(work, { open }) {
  const { port, split } = work;
  const { phase, from, into, sourceUuid, workingUuid, reads } = split;
  if (phase === 'aborted') return finishAborted(work);
  const [source, target] = [{ db: from.db, name: from.name, uuid: sourceUuid }, { db: into.db, name: into.name, uuid: workingUuid }];
  const [keeps, gone] = phase === 'rolled-back' ? [source, target] : [target, source];
  const copies = [...await copiesOf(work), ...await oldDataOf(work)].filter(({ uuid }) => !sameUuid(uuid, keeps.uuid));
  if (!await work.again(() => isInPlace(port, keeps))) {
    // Where nothing is left that could be dropped, it is over.
    if (copies.length === 0) return work.save({ phase: 'finished', active: false });
    throw lastCopy(nsOf(keeps), nsOf(copies[0]), wayOfLast(split, copies[0]));
  }
  // Over nothing a view would answer with nothing, as if there had never been anything.
  const view = phase === 'rolled-back' || open ? gone : null;
  await dropStep(work, { keeps, view, refuses: view === null && reads === 'view' ? forth(split) : null, copies });
  await work.save({ phase: 'finished', active: false });
}

/** @type {Readonly<Partial<Record<import('./state').Phase, (work: Work) => Promise<void>>>>} */
const STEPS = Object.freeze({
  switched: async (work) => {
    await prepareBack(work);
    await work.save({ phase: 'cutting-back', ttl: await ttlOf(work, back(work.split)) });
  },
  'cutting-back': async (work) => {
    await cutBack(work);
    await work.save({ phase: 'draining-back' });
  },
  'draining-back': async (work) => {
    // What only the primary had of it is gone with that primary.
    await cutBack(work);
    await drain(work, back(work.split));
    await work.save({ phase: 'switching-back' });
  },
  'switching-back': async (work) => {
    await putInPlace(work, back(work.split).to, work.split.ttl.back, closedSource(back(work.split)));
    // What most members have of this, they have of all before it.
    await work.save({ phase: 'switching-back' });
    await putInPlace(work, back(work.split).to, work.split.ttl.back, closedSource(back(work.split)));
    await work.save({ phase: 'rolled-back', active: false });
  },
});

/** @param {Work} work */
async function prepareBack(work) {
  if (await work.again(() => hasBegun(work, back(work.split)))) return;
  await checkCanGoBack(work);
  await catchUpBack(work);
  await sameIndexes(work, back(work.split), () => catchUpBack(work));
  await catchUpBack(work);
  await checkReadyBack(work);
}

/** @param {Work} work */
async function prepareBackAnew(work) {
  await prepareBack(work);
  await renewTtl(work, back(work.split));
}

/** @param {Work} work */
async function cutBack(work) {
  await prepareBackAnew(work);
  await cutOff(work, back(work.split), () => prepareBackAnew(work));
}

/** @param {import('./state').Split} split @throws {TuneError} TUNE-35010 */
function checkHasWayBack({ mode, source, _id }) {
  if (mode !== 'offline') return;
  throw new TuneError('TUNE-35010', `${source} was moved offline, so what was written since is not known. A new plan moves it back, with all that was written, once tune.split.finish(${JSON.stringify(_id)}, { confirm: true, open: true }) has made its old name free.`, { value: mode });
}

/** The same as the way there, the other way round: nothing that was written since is lost. @param {Work} work */
async function rollBack(work) {
  checkHasWayBack(work.split);
  await reopening(work, () => back(work.split), () => persist(work, async () => {
    for (let step = STEPS[work.split.phase]; step; step = STEPS[work.split.phase]) {
      work.safePoint();
      work.say(work.split.phase);
      await step(work);
    }
  }));
}

/**
 * Where the new place was dropped by another: the old data gets its name again, as it was at the cut or when it was last brought up to date.
 * @param {Work} work @throws {TuneError} TUNE-35010 where the new place is there
 */
async function putOldDataBack(work) {
  const { port, split } = work;
  const { into, workingUuid } = split;
  const { cursor } = await work.again(() => port.command(into.db, { listCollections: 1, filter: { 'info.uuid': workingUuid } }));
  if (cursor.firstBatch.length > 0) throw new TuneError('TUNE-35010', `${into.db}.${cursor.firstBatch[0].name} has the data: a rollback without { lost: true } brings back what was written to it, once it is called ${into.name}.`, { value: cursor.firstBatch[0].name });
  await putInPlace(work, back(split).to, split.ttl.forth);
  await work.save({ phase: 'rolled-back', active: false });
}

/** The copy begins anew: what happened since the first one is not known any more. @param {Work} work */
async function beginAnew(work) {
  const { from, sourceUuid } = work.split;
  await work.again(() => killOurs(work));
  const copies = await copiesOf(work);
  await work.save({ phase: 'planned', token: null, startAt: null, copiedTo: null, copied: 0, parked: [], workingUuid: null });
  await dropStep(work, { keeps: { ...from, uuid: sourceUuid }, view: null, copies });
}

/** After the switch, where the oplog has lost what was written to the target: everything is compared, and brought back. @param {Work} work */
async function beginBackAnew(work) {
  await work.save({ backStartAt: await work.again(() => majorityTime(work.port)), backToken: null, broughtAt: new Date(), parked: [] });
  await persist(work, async () => work.save({ verified: verifiedOf(await compare(work, back(work.split), () => catchUpBack(work))) }));
}

module.exports = { abortSplit, finishSplit, rollBack, putOldDataBack, checkHasWayBack, beginAnew, beginBackAnew };
