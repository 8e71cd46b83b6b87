'use strict';

const { withdrawLast } = require('./atomic-step');
const { directionOf } = require('./directions');
const { isMajorityCommitted } = require('./majority');
const { makeStagingName, renamedName } = require('./pure/split-names');
const { hasBegun } = require('./where-it-stands');

/**
 * @import { Way } from './pure/phase-table'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/**
 * Names the source after its cut. Its rename to that name is the mark of the cut in the stream of
 * changes, so each cut has another name.
 */

/**
 * @param {Split} split
 * @param {Way} way
 * @returns {Partial<Split>}
 */
function nextCutName({ renamed: before, from, into, planId }, way) {
  const renamed = before + 1;
  return way === 'forward'
    ? { renamed, from: { ...from, renamedTo: renamedName(from.name, planId, renamed) } }
    : { renamed, into: { ...into, stagingName: makeStagingName(into.name, planId, renamed) } };
}

/**
 * Takes a new name before a cut that may have been done and undone by hand: the mark of that cut is
 * still ahead in the stream.
 * @param {SplitJob} job
 * @param {Way} way
 */
async function takeNewName(job, way) {
  const { renamedTo } = directionOf(job.split, way).from;
  if (job.unusedName === renamedTo) return;
  job.unusedName = null;
  const isUncut = async () => {
    await withdrawLast(job);
    return !(await hasBegun(job, directionOf(job.split, way)));
  };
  // An election may roll back what undid the cut: then only the old name has the data.
  if (!(await isMajorityCommitted(job, isUncut))) return;
  await job.save(nextCutName(job.split, way));
  job.unusedName = directionOf(job.split, way).from.renamedTo;
}

module.exports = { nextCutName, takeNewName };
