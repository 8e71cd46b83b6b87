'use strict';

const { TuneError } = require('../base/pure/errors');
const { checkSame, compareBack } = require('./anew');
const { killOurs } = require('./left-running');
const { cutOff, hasBegun } = require('./cut');
const { closedSource, closedTarget, isInPlace, putInPlace } = require('./put');
const { catchUpBack, drain } = require('./following');
const { lastCopy } = require('./finish');
const { back, nsOf } = require('./names');
const { persist } = require('./persist');
const { checkCanGoBack, checkReadyBack, checkStillAlike, renewTtl, ttlOf } = require('./ready');
const { goesOnRefusing } = require('./refusing');
const { reopening } = require('./reopen');
const { sameIndexes } = require('./same-indexes');
const { copiesOf, dropStep } = require('./drop');
const { findCollection, nameByUuid } = require('./server');
const { stays } = require('./step');
const { merged } = require('./ttl');

/** @typedef {import('./work').Work} Work */

/**
 * The source is again what it was; what was copied goes.
 * @param {Work} work
 * @param {{ keep?: boolean }} [options] `keep`: the copy stays, under the name it has
 */
async function abortSplit(work, { keep: asked = false } = {}) {
  const { port, split } = work;
  const keep = isKept(split, asked);
  const { from, into, sourceUuid } = split;
  await checkNotSwitched(work);
  await work.save({ phase: 'aborting', kept: keep });
  await work.again(() => killOurs(work));
  // Cut off or not: it is put in the place of the view that refuses, unless it is gone.
  const source = { db: from.db, name: from.name, working: from.aside, uuid: sourceUuid };
  const isThere = await work.again(
    async () =>
      (await findCollection(port, from.db, from.aside)) !== null || isInPlace(port, source),
  );
  if (isThere) await putInPlace(work, source, split.ttl.forth, closedTarget(split, 'forth'));
  const copies = await copiesOf(work);
  const isBack = await work.again(() => isInPlace(port, source));
  if (!isBack && !keep)
    throw lastCopy(
      nsOf(from),
      `${into.db}.${into.working}`,
      `tune.split.abort(${JSON.stringify(split._id)}, { keep: true, confirm: true }) gives ` +
        'the split up and keeps that.',
    );
  const keeps = isBack ? source : copies[0];
  // Who was refused at the source may try the target any moment, and a write there must not make a
  // new collection.
  const refuses = await goesOnRefusing(work);
  if (keeps)
    await dropStep(work, { keeps, view: refuses ? null : into, copies: keep ? [] : copies });
  await work.save({ phase: 'aborted', active: false, refuses });
}

/**
 * Who goes on with an abort keeps what was to be kept.
 * @param {import('./state').Split} split
 * @param {boolean} asked
 */
const isKept = ({ kept = false }, asked) => asked || kept;

/** @param {Work} work @throws {TuneError} TUNE-35010 */
async function checkNotSwitched(work) {
  const { _id, into, workingUuid, planId, target, phase, mode } = work.split;
  if (
    !workingUuid ||
    !(await stays(work, () => isInPlace(work.port, { ...into, uuid: workingUuid })))
  )
    return;
  await work.save({ phase: 'switched' });
  const way =
    mode === 'offline'
      ? `a new plan moves it back, once tune.split.finish(${JSON.stringify(_id)}, { confirm: ` +
        'true, open: true }) has dropped the old data.'
      : `tune.split.rollback("${planId}", { confirm: true }) takes it back.`;
  throw new TuneError('TUNE-35010', `${target} is in place already; ${way}`, { value: phase });
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
    // Somebody may have taken the view away, or made a collection in its place.
    await cutBack(work);
    await checkStillAlike(work, back(work.split));
    await drain(work, back(work.split));
    await work.save({ phase: 'switching-back' });
  },
  'switching-back': async (work) => {
    await putInPlace(
      work,
      back(work.split).to,
      work.split.ttl.back,
      closedSource(back(work.split)),
    );
    await work.save({ phase: 'rolled-back', active: false });
  },
});

/** @param {Work} work */
async function prepareBack(work) {
  if (await work.again(() => hasBegun(work, back(work.split)))) return;
  await checkCanGoBack(work);
  if (work.split.uncompared) await compareBack(work);
  checkSame(work.split, 'back');
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
  throw new TuneError(
    'TUNE-35010',
    `${source} was moved offline, so what was written since is not known. A new plan moves ` +
      `it back, with all that was written, once tune.split.finish(${JSON.stringify(_id)}, { ` +
      'confirm: true, open: true }) has made its old name free.',
    { value: mode },
  );
}

/**
 * The same as the way there, the other way round: nothing that was written since is lost.
 * @param {Work} work
 */
async function rollBack(work) {
  checkHasWayBack(work.split);
  await reopening(
    work,
    () => back(work.split),
    () =>
      persist(work, async () => {
        for (let step = STEPS[work.split.phase]; step; step = STEPS[work.split.phase]) {
          work.safePoint();
          work.say(work.split.phase);
          await step(work);
        }
      }),
  );
}

/**
 * Where the new place was dropped by another: the old data gets its name again, as it was at the
 * cut or when it was last brought up to date.
 * @param {Work} work
 * @throws {TuneError} TUNE-35010 where the new place is there
 */
async function putOldDataBack(work) {
  const { port, split } = work;
  const { into, workingUuid } = split;
  const named = () => nameByUuid(port, into.db, workingUuid);
  if (!(await stays(work, async () => (await named()) === undefined))) {
    const name = await work.again(named);
    throw new TuneError(
      'TUNE-35010',
      `${into.db}.${name} has the data: a rollback without { lost: true } brings back what ` +
        `was written to it, once it is called ${into.name}.`,
      { value: name },
    );
  }
  // Of what a rollback that came to a halt found in the new place, the times of then.
  const ttl = merged(split.ttl.forth, split.ttl.back);
  // Who tries the other name must find a refusal there, and not make a new collection.
  await putInPlace(work, back(split).to, ttl, { ...closedSource(back(split)), isAlone: true });
  await work.save({ phase: 'rolled-back', active: false });
}

module.exports = { abortSplit, rollBack, putOldDataBack, checkHasWayBack };
