'use strict';

const { callText, renameText } = require('../base/pure/printable');
const { TuneError } = require('../base/pure/errors');
const { copiesOf, dropStep, oldDataOf } = require('./drop');
const { forward, nsOf } = require('./directions');
const { hasOther, refusingSource, usedBy } = require('./replace-view');
const { sameUuid } = require('./server');
const { successorOf } = require('./successor');
const { isInPlace } = require('./where-it-stands');

/**
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/**
 * The end of a split: what was kept for a way back is dropped, and names become free.
 *
 * @typedef {{ db: string, name: string, uuid: any }} Known
 */

/** @param {SplitJob} job @param {{ open: boolean }} options `open`: the old name becomes free */
async function finishSplit(job, { open }) {
  const { port, split } = job;
  const { phase, from, into, sourceUuid, stagingUuid } = split;
  if (phase === 'aborted') return finishAborted(job);
  if (phase === 'finished') return openOld(job);
  const [source, target] = [
    { db: from.db, name: from.name, uuid: sourceUuid },
    { db: into.db, name: into.name, uuid: stagingUuid },
  ];
  const [keeps, gone] =
    phase === 'rolled-back' ? [await heirOf(job, source), target] : [target, source];
  const copies = [...(await copiesOf(job)), ...(await oldDataOf(job))].filter(
    ({ uuid }) =>
      !sameUuid(uuid, keeps.uuid) && !(phase === 'rolled-back' && sameUuid(uuid, sourceUuid)),
  );
  if (!(await job.again(() => isInPlace(port, keeps))))
    return finishWithout(job, { keeps, gone, copies });
  // Over nothing a view would answer with nothing, as if there had never been anything.
  const isFree = phase === 'rolled-back' ? !(await hasOther(job)) : open;
  const view = isFree ? gone : null;
  await dropStep(job, {
    keeps,
    view,
    closed: phase === 'switched' && view === null ? refusingForGood(split) : null,
    copies,
  });
  await job.save({ phase: 'finished', active: false });
}

/**
 * What is at the old name once there is no way back: it refuses reads, too.
 * @param {Split} split
 */
const refusingForGood = (split) => ({
  ...refusingSource({ ...forward(split), reads: 'refused' }),
  isAlone: true,
});

/**
 * Where a later split has moved the source, its target has the data.
 * @param {Pick<SplitJob, 'port' | 'split' | 'again'>} job
 * @param {Known} source
 * @returns {Promise<Known>}
 */
async function heirOf({ port, split, again }, source) {
  const later = await again(() => successorOf(port, split));
  return later ? { ...later.into, uuid: later.stagingUuid } : source;
}

/**
 * Where the data is not in its place, none is dropped; of a rollback there is the view at the
 * target.
 * @param {SplitJob} job
 * @param {{ keeps: Known, gone: Known, copies: readonly Known[] }} what
 * @throws {TuneError} TUNE-35017
 */
async function finishWithout(job, { keeps, gone, copies }) {
  const { split } = job;
  if (copies.length > 0) throw lastCopy(nsOf(keeps), nsOf(copies[0]), wayOfLast(split, copies[0]));
  const isLeft = split.phase === 'rolled-back' && !(await hasOther(job));
  if (isLeft) await dropStep(job, { keeps: null, view: gone, copies });
  await job.save({ phase: 'finished', active: false });
}

/**
 * The view at the target of a split that was aborted, unless another split has it by now.
 * @param {SplitJob} job
 */
async function finishAborted(job) {
  const { from, into, sourceUuid, kept = false } = job.split;
  const source = { db: from.db, name: from.name, uuid: sourceUuid };
  const copies = kept ? [] : await copiesOf(job);
  const isBack = await job.again(() => isInPlace(job.port, source));
  if (!isBack && copies.length > 0)
    throw lastCopy(nsOf(source), nsOf(copies[0]), wayOfLast(job.split, copies[0]));
  const view = (await hasOther(job)) ? null : into;
  // Where no data is dropped, nothing has to be there instead.
  if (isBack || view) await dropStep(job, { keeps: isBack ? source : null, view, copies });
  await job.save({ phase: 'finished', active: false, refuses: false });
}

/** @param {string} gone @param {string} kept @param {string} way on */
const lastCopy = (gone, kept, way) =>
  new TuneError(
    'TUNE-35017',
    `${gone} no longer exists, or another collection has its name: ${kept} may be ` +
      `the only copy of its data, so nothing is dropped. ${way}`,
    { value: kept },
  );

/** @param {Split} split @param {{ db: string, name: string }} copy */
function wayOfLast({ phase, _id, into }, { db, name }) {
  if (phase === 'switched')
    return (
      `${callText('split.rollback', _id, { lost: true, confirm: true })} ` +
      'renames the old data to its source name.'
    );
  return `Rename it: ${renameText({ db, name }, `${into.name}_kept`)}, then retry the command.`;
}

/**
 * The old name of what is over, unless another split has it by now.
 * @param {SplitJob} job
 * @throws {TuneError} TUNE-35010
 */
async function openOld(job) {
  const { from, source } = job.split;
  const other = await usedBy(job, source);
  if (other)
    throw new TuneError('TUNE-35010', `${source} now belongs to the split ${other._id}.`, {
      value: other._id,
    });
  await dropStep(job, { keeps: null, view: from, copies: [] });
}

module.exports = { finishSplit, heirOf, lastCopy };
