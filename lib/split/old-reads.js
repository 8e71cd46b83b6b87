'use strict';

const { command, isNoCollection } = require('./operations');
const { forward, viewInPlace } = require('./directions');
const { findCollection } = require('./server');
const { runAtomicStep } = require('./atomic-step');
const { isSplitView } = require('./target');

/**
 * @import { Direction } from './directions'
 * @import { Op } from './operations'
 * @import { CollectionName, Port } from './server'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/**
 * Makes the view at the source's name that answers reads with old data. While a rollback has cut
 * the target off it refuses: a client that tries both names must not find old data where the newest
 * was.
 */

/** @param {Port} port @param {{ from: CollectionName }} direction */
async function answersReads(port, { from }) {
  const there = await findCollection(port, from.db, from.name);
  return isSplitView(there) && there.options.pipeline[0].$match.$comment !== undefined;
}

/** Returns the view that refuses reads, too. @param {Direction} direction */
const refusingView = (direction) => viewInPlace({ ...direction, reads: 'refused' });

/**
 * Makes the operations that refuse reads, in the step with which a rollback cuts the target off.
 * @param {Port} port @param {Split} split @returns {Promise<Op[]>}
 */
async function refuseReads(port, split) {
  const direction = forward(split);
  return (await answersReads(port, direction))
    ? [isNoCollection(direction.from, refusingView(direction))]
    : [];
}

/**
 * Makes the operations that let the view find the old data under another name, in the step that
 * renames it. A view that another user has made there stays unchanged.
 * @param {Port} port
 * @param {Split} split
 * @param {{ renamedTo: string, isTargetCut: boolean }} how
 * @returns {Promise<Op[]>}
 */
async function followRename(port, split, { renamedTo, isTargetCut }) {
  const direction = forward(split);
  const { db, name } = direction.from;
  if (split.reads !== 'view' || !isSplitView(await findCollection(port, db, name))) return [];
  const view = (isTargetCut ? refusingView : viewInPlace)({
    ...direction,
    from: { ...direction.from, renamedTo },
  });
  return [command(db, { collMod: name, ...view })];
}

/**
 * Lets the view answer reads again where the target was not cut off after all.
 * @param {SplitJob} job
 */
async function answerReadsAgain(job) {
  const { port, split } = job;
  if (split.reads !== 'view') return;
  const direction = forward(split);
  const { db, name } = direction.from;
  await runAtomicStep(job, {
    place: { db, name },
    touches: [{ db, name }],
    isDone: async () =>
      !isSplitView(await findCollection(port, db, name)) || answersReads(port, direction),
    operations: async () => [isNoCollection({ db, name }, viewInPlace(direction))],
  });
}

module.exports = { answersReads, refuseReads, followRename, answerReadsAgain };
