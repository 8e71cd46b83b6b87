'use strict';

const { TuneError } = require('../base/pure/errors');
const { catchUp } = require('./catch-up');
const { copyOut } = require('./copy');
const { copyRanges } = require('./copy-ranges');
const { cutOver } = require('./cutover');
const { cutoverSteps } = require('./cutover-steps');
const { forward } = require('./directions');
const { cutWayOf } = require('./pure/phase-table');
const { buildIndexes } = require('./indexes');
const {
  checkAlike,
  checkStillCut,
  checkWhole,
  readAfterCut,
  sameOptions,
  stopExpiry,
} = require('./offline');
const { runPhases } = require('./run-phases');
const { createStaging, createTarget, stagingUuid } = require('./target');

/**
 * @import { PhaseHandlers } from './run-phases'
 * @import { SplitJob } from './split-job'
 */

/** Makes the copy and its indexes. @type {PhaseHandlers} */
const BEFORE_THE_CUT = Object.freeze({
  planned: async (job) => {
    await createTarget(job);
    await job.save({ phase: 'created' });
  },
  created: copy,
  copying: copy,
  indexing: async (job) => {
    await buildIndexes(job, () => catchUp(job));
    // The end of an earlier split of the same target may have dropped its view just when this one
    // began.
    await createTarget(job);
    await job.save({ phase: 'following' });
  },
});

/** @type {PhaseHandlers} */
const THE_CUT = cutoverSteps('forward');

/**
 * The phases without a stream of changes: the source is cut off before the copy.
 * @type {PhaseHandlers}
 */
const OFFLINE = Object.freeze({
  planned: async (job) => {
    await createTarget(job);
    await job.save({ phase: 'cutting' });
  },
  cutting: async (job) => {
    await cutOver(job, forward(job.split));
    await readAfterCut(job);
  },
  created: async (job) => {
    await checkStillCut(job);
    await stopExpiry(job);
    await sameOptions(job);
    await copy(job);
  },
  copying: async (job) => {
    await checkStillCut(job);
    await copy(job);
  },
  indexing: async (job) => {
    await checkStillCut(job);
    await buildIndexes(job, async () => {
      throw new TuneError(
        'TUNE-35008',
        `The documents of ${job.split.source} violate its own unique indexes.`,
        { value: job.split.source },
      );
    });
    await checkAlike(job);
    await job.save({ phase: 'switching' });
  },
  switching: async (job) => {
    await checkWhole(job);
    await THE_CUT.switching?.(job);
  },
});

/**
 * @param {SplitJob} job
 * @param {'ready' | 'switched'} goal `ready`: the target follows the source closely; an offline
 *   split continues to its end at once
 */
async function advanceTo(job, goal) {
  const goesOn = goal === 'switched' || cutWayOf(job.split.phase) === 'forward';
  const handlers =
    job.split.mode === 'offline' ? OFFLINE : { ...BEFORE_THE_CUT, ...(goesOn ? THE_CUT : {}) };
  await runPhases(job, 'forward', handlers, async () => {
    if (job.split.phase === 'following') await catchUp(job);
  });
}

/** Copies the documents, by $out or in ranges. @param {SplitJob} job */
async function copy(job) {
  await createStaging(job);
  await (job.split.method === 'ranges' ? copyRanges(job, () => catchUp(job)) : copyOut(job));
  await job.save({ phase: 'indexing', stagingUuid: await job.again(() => stagingUuid(job)) });
}

module.exports = { advanceTo };
