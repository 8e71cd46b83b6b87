'use strict';

const { TuneError } = require('../base/pure/errors');
const { copiesOf, dropStep, oldDataOf } = require('./drop');
const { isInPlace } = require('./replace-view');
const { forward, nsOf } = require('./directions');
const { hasOther, usedBy } = require('./refusing-view');
const { sameUuid } = require('./server');

/**
 * @import { Split } from './state'
 * @import { Work } from './work'
 */

/**
 * The end of a split: what was kept for a way back is dropped, and names become free.
 *
 * @typedef {{ db: string, name: string, uuid: any }} Known
 */

/** @param {Work} work @param {{ open: boolean }} options `open`: the old name becomes free */
async function finishSplit(work, { open }) {
  const { port, split } = work;
  const { phase, from, into, sourceUuid, stagingUuid, reads } = split;
  if (phase === 'aborted') return finishAborted(work);
  if (phase === 'finished') return openOld(work);
  const [source, target] = [
    { db: from.db, name: from.name, uuid: sourceUuid },
    { db: into.db, name: into.name, uuid: stagingUuid },
  ];
  const [keeps, gone] = phase === 'rolled-back' ? [source, target] : [target, source];
  const copies = [...(await copiesOf(work)), ...(await oldDataOf(work))].filter(
    ({ uuid }) => !sameUuid(uuid, keeps.uuid),
  );
  if (!(await work.again(() => isInPlace(port, keeps))))
    return finishWithout(work, { keeps, gone, copies });
  // Over nothing a view would answer with nothing, as if there had never been anything.
  const isFree = phase === 'rolled-back' ? !(await hasOther(work)) : open;
  const view = isFree ? gone : null;
  await dropStep(work, {
    keeps,
    view,
    refuses: phase === 'switched' && view === null && reads === 'view' ? forward(split) : null,
    copies,
  });
  await work.save({ phase: 'finished', active: false });
}

/**
 * Where the data is not in its place, none is dropped; of a rollback there is the view at the
 * target.
 * @param {Work} work
 * @param {{ keeps: Known, gone: Known, copies: readonly Known[] }} what
 * @throws {TuneError} TUNE-35017
 */
async function finishWithout(work, { keeps, gone, copies }) {
  const { split } = work;
  if (copies.length > 0) throw lastCopy(nsOf(keeps), nsOf(copies[0]), wayOfLast(split, copies[0]));
  const isLeft = split.phase === 'rolled-back' && !(await hasOther(work));
  if (isLeft) await dropStep(work, { keeps: null, view: gone, copies });
  await work.save({ phase: 'finished', active: false });
}

/**
 * The view at the target of a split that was aborted, unless another split has it by now.
 * @param {Work} work
 */
async function finishAborted(work) {
  const { from, into, sourceUuid, kept = false } = work.split;
  const source = { db: from.db, name: from.name, uuid: sourceUuid };
  const copies = kept ? [] : await copiesOf(work);
  const isBack = await work.again(() => isInPlace(work.port, source));
  if (!isBack && copies.length > 0)
    throw lastCopy(nsOf(source), nsOf(copies[0]), wayOfLast(work.split, copies[0]));
  const view = (await hasOther(work)) ? null : into;
  // Where no data is dropped, nothing has to be there instead.
  if (isBack || view) await dropStep(work, { keeps: isBack ? source : null, view, copies });
  await work.save({ phase: 'finished', active: false, refuses: false });
}

/** @param {string} gone @param {string} kept @param {string} way on */
const lastCopy = (gone, kept, way) =>
  new TuneError(
    'TUNE-35017',
    `${gone} is gone, or another collection has its name: ${kept} may be the only copy of ` +
      `its data, so nothing is dropped. ${way}`,
    { value: kept },
  );

/** @param {Split} split @param {{ db: string, name: string }} copy */
function wayOfLast({ phase, _id, into }, { db, name }) {
  if (phase === 'switched')
    return (
      `tune.split.rollback(${JSON.stringify(_id)}, { lost: true, confirm: true }) gives the ` +
      'old data its name again.'
    );
  return (
    'Give it a name of its own, ' +
    `db.getSiblingDB(${JSON.stringify(db)}).getCollection(${JSON.stringify(name)}).renameCollection(${JSON.stringify(`${into.name}_kept`)}), ` +
    'then the same command again.'
  );
}

/**
 * The old name of what is over, unless another split has it by now.
 * @param {Work} work
 * @throws {TuneError} TUNE-35010
 */
async function openOld(work) {
  const { from, source } = work.split;
  const other = await usedBy(work, source);
  if (other)
    throw new TuneError('TUNE-35010', `${source} belongs to the split ${other._id} by now.`, {
      value: other._id,
    });
  await dropStep(work, { keeps: null, view: from, copies: [] });
}

module.exports = { finishSplit, lastCopy };
