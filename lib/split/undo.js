'use strict';

const { TuneError } = require('../base/pure/errors');
const { cutoverSteps, runSteps } = require('./cutover-steps');
const { nsOf, reverse } = require('./directions');
const { copiesOf, dropStep } = require('./drop');
const { lastCopy } = require('./finish');
const { killOwnOperations } = require('./left-running');
const { persist } = require('./persistently');
const { goesOnRefusing } = require('./refusing-view');
const { isInPlace, refusingSource, refusingTarget, replaceView } = require('./replace-view');
const { reopening } = require('./revert');
const { findCollection, nameByUuid } = require('./server');
const { stays } = require('./step');
const { merged } = require('./ttl');

/**
 * @import { Split } from './state'
 * @import { Work } from './work'
 */

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
  await work.again(() => killOwnOperations(work));
  // Cut off or not: it is put in the place of the view that refuses, unless it is gone.
  const source = { db: from.db, name: from.name, stagingName: from.renamedTo, uuid: sourceUuid };
  const isThere = await work.again(
    async () =>
      (await findCollection(port, from.db, from.renamedTo)) !== null || isInPlace(port, source),
  );
  if (isThere) await replaceView(work, source, split.ttl.forward, refusingTarget(split, 'forward'));
  const copies = await copiesOf(work);
  const isBack = await work.again(() => isInPlace(port, source));
  if (!isBack && !keep)
    throw lastCopy(
      nsOf(from),
      `${into.db}.${into.stagingName}`,
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
 * @param {Split} split
 * @param {boolean} asked
 */
const isKept = ({ kept = false }, asked) => asked || kept;

/** @param {Work} work @throws {TuneError} TUNE-35010 */
async function checkNotSwitched(work) {
  const { _id, into, stagingUuid, planId, target, phase, mode } = work.split;
  if (
    !stagingUuid ||
    !(await stays(work, () => isInPlace(work.port, { ...into, uuid: stagingUuid })))
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

/** @param {Split} split @throws {TuneError} TUNE-35010 */
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
    () => reverse(work.split),
    () => persist(work, () => runSteps(work, cutoverSteps('reverse'))),
  );
}

/**
 * Where the new place was dropped by another: the old data gets its name again, as it was at the
 * cut or when it was last brought up to date.
 * @param {Work} work
 * @throws {TuneError} TUNE-35010 where the new place is there
 */
async function restoreOldData(work) {
  const { port, split } = work;
  const { into, stagingUuid } = split;
  const named = () => nameByUuid(port, into.db, stagingUuid);
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
  const ttl = merged(split.ttl.forward, split.ttl.reverse);
  // Who tries the other name must find a refusal there, and not make a new collection.
  await replaceView(work, reverse(split).to, ttl, {
    ...refusingSource(reverse(split)),
    isAlone: true,
  });
  await work.save({ phase: 'rolled-back', active: false });
}

module.exports = { abortSplit, rollBack, restoreOldData, checkHasWayBack };
