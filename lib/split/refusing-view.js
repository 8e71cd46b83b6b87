'use strict';

const { refusingTarget } = require('./replace-view');
const { findCollection } = require('./server');
const { findSplits } = require('./state');
const { isSplitView } = require('./target');

/**
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/**
 * Whether the view at the target of a split stays when that split ends.
 */

/**
 * Whether the refusing view at the target is that of another split that is not finished, too.
 * @param {SplitJob} job
 */
const hasOther = async (job) => Boolean(await usedBy(job, job.split.target, ['target']));

/**
 * @param {SplitJob} job
 * @param {string} name
 * @param {readonly ('source' | 'target')[]} [as]
 * @returns {Promise<Split | undefined>} another split that is not finished
 */
async function usedBy({ port, split: { _id }, again }, name, as = ['source', 'target']) {
  const [other] = await again(() =>
    findSplits(port, {
      _id: { $ne: _id },
      $and: [
        { $or: as.map((part) => ({ [part]: name })) },
        { $or: [{ active: true }, { phase: 'rolled-back' }, { refuses: true }] },
      ],
    }),
  );
  return other;
}

/**
 * Also where it refused before: the old name of a split that is finished is opened by a finish
 * only.
 * @param {SplitJob} job
 */
const keepsRefusing = async (job) =>
  wasCut(job.split) || (await hasOther(job)) || refusedBefore(job);

/** @param {Split} split */
const wasCut = ({ history }) => history.some(({ phase }) => phase === 'cutting');

/** Whether another split made the view at the target. @param {SplitJob} job */
async function refusedBefore({ port, split, again }) {
  const { place, view } = refusingTarget(split, 'forward');
  const there = await again(() => findCollection(port, place.db, place.name));
  return (
    isSplitView(there) && JSON.stringify(there.options.pipeline) !== JSON.stringify(view.pipeline)
  );
}

module.exports = { keepsRefusing, hasOther, usedBy, wasCut };
