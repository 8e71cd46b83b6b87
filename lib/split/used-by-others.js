'use strict';

const { reverse } = require('./directions');
const { wasIn } = require('./pure/phase-table');
const { isViewOf, refusingSource, refusingTarget } = require('./replace-view');
const { findOccupant } = require('./server');
const { findSplits } = require('./state');
const { canBeOpened, movedOnFrom } = require('./successor');
const { isSplitView } = require('./target');

/**
 * @import { Closed } from './replace-view'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/** Finds names of a split that other splits use, too. */

/**
 * Says whether this split must not drop the refusing view at the target: another unfinished split
 * has the name, or the view is that of a finished one.
 * @param {Pick<SplitJob, 'port' | 'split' | 'again'>} job
 */
const isOfOther = async (job) =>
  (await isUsed(job)) ||
  Boolean(await job.again(() => movedOnFrom(job.port, job.split, job.split.target))) ||
  isOthersView(job, [
    refusingTarget(job.split, 'forward'),
    // This is the view of a rollback, or of an earlier split that moved the data away from here.
    refusingSource(reverse(job.split)),
  ]);

/** @param {Pick<SplitJob, 'port' | 'split' | 'again'>} job */
const isUsed = async (job) => Boolean(await usedBy(job, job.split.target));

/**
 * @param {Pick<SplitJob, 'port' | 'split' | 'again'>} job
 * @param {string} name
 * @returns {Promise<Split | undefined>} another unfinished split
 */
async function usedBy({ port, split: { _id }, again }, name) {
  const [other] = await again(() =>
    findSplits(port, {
      _id: { $ne: _id },
      $and: [
        { $or: [{ source: name }, { target: name }] },
        { $or: [{ active: true }, { phase: 'rolled-back' }, { refuses: true }] },
      ],
    }),
  );
  return other;
}

/**
 * Says whether the name still refuses; a name that refused before counts too: only a finish opens
 * the old name of a finished split.
 * @param {SplitJob} job
 */
const keepsRefusing = async (job) =>
  wasIn(job.split, 'cutting') ||
  (await isUsed(job)) ||
  isOthersView(job, [refusingTarget(job.split, 'forward')]);

/**
 * Says whether another split made the view at the target, and a finish of another one can still
 * open it.
 * @param {Pick<SplitJob, 'port' | 'split' | 'again'>} job
 * @param {readonly Closed[]} own
 */
async function isOthersView({ port, split, again }, own) {
  const there = await again(() => findOccupant(port, split.into));
  if (!isSplitView(there) || own.some((one) => isViewOf(there, one))) return false;
  return again(() => canBeOpened(port, split, split.target));
}

module.exports = { isOfOther, keepsRefusing, usedBy };
