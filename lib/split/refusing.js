'use strict';

const { closedTarget } = require('./cut');
const { findCollection } = require('./server');
const { findSplits } = require('./state');
const { isOurs } = require('./target');

/**
 * Whether the view at the target of a split stays when that split ends.
 * @typedef {import('./work').Work} Work
 */

/**
 * Whether the refusing view at the target is that of another split that is not finished, too.
 * @param {Work} work
 */
async function hasOther({ port, split: { _id, target }, again }) {
  return (
    (
      await again(() =>
        findSplits(port, {
          target,
          _id: { $ne: _id },
          $or: [{ active: true }, { phase: 'rolled-back' }, { refuses: true }],
        }),
      )
    ).length > 0
  );
}

/**
 * Also where it refused before: the old name of a split that is finished is opened by a finish
 * only.
 * @param {Work} work
 */
const goesOnRefusing = async (work) =>
  wasCut(work.split) || (await hasOther(work)) || refusedBefore(work);

/** @param {import('./state').Split} split */
const wasCut = ({ history }) => history.some(({ phase }) => phase === 'cutting');

/** Whether another split made the view at the target. @param {Work} work */
async function refusedBefore({ port, split, again }) {
  const { place, view } = closedTarget(split, 'forth');
  const there = await again(() => findCollection(port, place.db, place.name));
  return isOurs(there) && JSON.stringify(there.options.pipeline) !== JSON.stringify(view.pipeline);
}

module.exports = { goesOnRefusing, hasOther, wasCut };
