'use strict';

const { callText, renameText } = require('../base/pure/printable');
const { TuneError } = require('../base/pure/errors');
const { copiesOf, dropStep, madeLate, oldDataOf } = require('./drop');
const { forward, nsOf } = require('./directions');
const { giveExpiryBack } = require('./expiry-back');
const { keepCalls, refusingForGood } = require('./keep-last');
const { isOfOther, usedBy } = require('./used-by-others');
const { findCollection, nameByUuid, sameUuid } = require('./server');
const { successorOf } = require('./successor');
const { isInPlace } = require('./where-it-stands');

/**
 * @import { Dropped } from './drop'
 * @import { CollectionId, Port } from './server'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/** Ends a split: data kept for a rollback is dropped, and names become free. */

/**
 * @param {SplitJob} job
 * @param {{ open: boolean }} options `open`: the old name becomes free
 * @throws {TuneError} TUNE-35017
 */
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
  const isThere = await job.again(() => isInPlace(port, keeps));
  if (!isThere && copies.length > 0)
    throw lastCopy(nsOf(keeps), nsOf(copies[0]), await wayOfLast(job, copies));
  const { view, closed } = await atOtherName(job, gone, open);
  // Where no data is dropped, nothing has to exist in its place.
  if (isThere || view || closed)
    await dropStep(job, {
      keeps: isThere ? keeps : null,
      view,
      closed,
      copies,
      empty: await emptyOf(job, copies),
    });
  await expireAgain(job);
  await job.save({ phase: 'finished', active: false });
}

/**
 * Lets the old data expire again where another session has given it its name back: no later command
 * does this.
 * @param {SplitJob} job
 */
const expireAgain = async (job) =>
  job.split.phase === 'switched' && giveExpiryBack(job, forward(job.split));

/** @param {SplitJob} job @param {readonly CollectionId[]} copies */
const emptyOf = async (job, copies) =>
  (await madeLate(job)).filter(({ uuid }) => !copies.some((one) => sameUuid(one.uuid, uuid)));

/**
 * Says what becomes of the name whose data is dropped. A view on a missing collection returns no
 * documents, so the name must refuse reads too.
 * @param {SplitJob} job
 * @param {CollectionId} name
 * @param {boolean} open
 * @returns {Promise<Pick<Dropped, 'view' | 'closed'>>}
 */
async function atOtherName(job, name, open) {
  if (job.split.phase === 'rolled-back')
    return { view: (await isOfOther(job)) ? null : name, closed: null };
  return open ? { view: name, closed: null } : { view: null, closed: refusingForGood(job.split) };
}

/**
 * Returns the collection that has the data: where a later split has moved the source, its target
 * has it.
 * @param {Pick<SplitJob, 'port' | 'split' | 'again'>} job
 * @param {CollectionId} source
 * @returns {Promise<CollectionId>}
 */
async function heirOf({ port, split, again }, source) {
  const later = await again(() => successorOf(port, split));
  return later ? { ...later.into, uuid: later.stagingUuid } : source;
}

/**
 * Drops the view at the target of an aborted split, unless another split has it by now.
 * @param {SplitJob} job
 */
async function finishAborted(job) {
  const { from, into, sourceUuid, kept = false } = job.split;
  const source = { db: from.db, name: from.name, uuid: sourceUuid };
  const copies = kept ? [] : await copiesOf(job);
  const isBack = await job.again(() => isInPlace(job.port, source));
  if (!isBack && copies.length > 0)
    throw lastCopy(nsOf(source), nsOf(copies[0]), await wayOfLast(job, copies));
  const view = (await isOfOther(job)) ? null : into;
  // Where no data is dropped, nothing has to exist in its place.
  if (isBack || view) await dropStep(job, { keeps: isBack ? source : null, view, copies });
  await job.save({ phase: 'finished', active: false, refuses: false });
}

/** @param {string} gone @param {string} kept @param {string} way the commands that continue */
const lastCopy = (gone, kept, way) =>
  new TuneError(
    'TUNE-35017',
    `${gone} no longer exists, or another collection has its name: ${kept} may be ` +
      `the only copy of its data, so nothing is dropped. ${way}`,
    { value: kept },
  );

/**
 * @param {SplitJob} job
 * @param {readonly CollectionId[]} copies
 * @returns {Promise<string>}
 */
async function wayOfLast({ port, split, again }, copies) {
  const back = split.phase === 'switched' ? await again(() => wayBack(port, split, copies)) : null;
  if (back) return back;
  const calls = await again(() => keepCalls(port, split, copies[0]));
  return `Rename it: ${calls.join(', then ')}, then retry the command.`;
}

/**
 * Returns how the copy gets the target's name back, only where no collection has that name: it
 * would be taken from its writers.
 * @param {Port} port
 * @param {Split} split
 * @param {readonly CollectionId[]} copies
 * @returns {Promise<string | null>}
 */
async function wayBack(port, { _id, into, sourceUuid, stagingUuid }, copies) {
  const there = await findCollection(port, into.db, into.name);
  if (there !== null && there.type !== 'view') return null;
  const now = await nameByUuid(port, into.db, stagingUuid);
  if (now !== undefined) return there ? null : renamedBack({ db: into.db, name: now }, into.name);
  if (!copies.some(({ uuid }) => sameUuid(uuid, sourceUuid))) return null;
  return (
    `${callText('split.rollback', _id, { lost: true, confirm: true })} ` +
    'renames the old data to its source name.'
  );
}

/** @param {{ db: string, name: string }} place @param {string} name */
const renamedBack = (place, name) =>
  `${nsOf(place)} has its data: run ${renameText(place, name)}, then retry the command.`;

/**
 * Opens the old name of a split that is over, unless another split has it by now.
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
