'use strict';

const { TuneError } = require('../base/pure/errors');
const { catchUp } = require('./catch-up');
const { copyOut } = require('./copy');
const { copyRanges } = require('./copy-ranges');
const { cutOver } = require('./cutover');
const { cutoverSteps, runSteps } = require('./cutover-steps');
const { forward } = require('./directions');
const { buildIndexes } = require('./indexes');
const { checkAlike, readAfterCut, sameOptions, stopExpiry } = require('./offline');
const { persist } = require('./persistently');
const { reopening } = require('./revert');
const { createStaging, createTarget, stagingUuid } = require('./target');

/**
 * @import { Steps } from './cutover-steps'
 * @import { Phase } from './state'
 * @import { Work } from './work'
 */

/** Makes the copy and its indexes. @type {Steps} */
const BEFORE_THE_CUT = Object.freeze({
  planned: async (work) => {
    await createTarget(work);
    await work.save({ phase: 'created' });
  },
  created: copy,
  copying: copy,
  indexing: async (work) => {
    await buildIndexes(work, () => catchUp(work));
    // The end of an earlier split of the same target may have dropped its view just when this one
    // began.
    await createTarget(work);
    await work.save({ phase: 'following' });
  },
});

/** @type {Steps} */
const THE_CUT = cutoverSteps('forward');

/**
 * Without a stream of changes the source is cut off before the copy.
 * @type {Steps}
 */
const OFFLINE = Object.freeze({
  planned: async (work) => {
    await createTarget(work);
    await work.save({ phase: 'cutting' });
  },
  cutting: async (work) => {
    await cutOver(work, forward(work.split));
    await readAfterCut(work);
  },
  created: async (work) => {
    await stopExpiry(work);
    await sameOptions(work);
    await copy(work);
  },
  copying: copy,
  indexing: async (work) => {
    await buildIndexes(work, async () => {
      throw new TuneError(
        'TUNE-35008',
        `The documents of ${work.split.source} do not fit into its own unique indexes.`,
        { value: work.split.source },
      );
    });
    await checkAlike(work);
    await work.save({ phase: 'switching' });
  },
  switching: THE_CUT.switching,
});

/**
 * @param {Work} work
 * @param {'ready' | 'switched'} goal `ready`: the target follows the source closely; an offline
 *   split goes to its end at once
 */
async function goOn(work, goal) {
  const goesOn = goal === 'switched' || isCutting(work.split.phase);
  const steps =
    work.split.mode === 'offline' ? OFFLINE : { ...BEFORE_THE_CUT, ...(goesOn ? THE_CUT : {}) };
  await reopening(
    work,
    () => forward(work.split),
    () =>
      persist(work, async () => {
        await runSteps(work, steps);
        if (work.split.phase === 'following') await catchUp(work);
      }),
  );
}

/** What has begun to cut goes to its end. @param {Phase} phase */
const isCutting = (phase) => phase === 'cutting' || phase === 'draining' || phase === 'switching';

/** Copies the documents, by $out or in ranges. @param {Work} work */
async function copy(work) {
  await createStaging(work);
  await (work.split.method === 'ranges' ? copyRanges(work, () => catchUp(work)) : copyOut(work));
  await work.save({ phase: 'indexing', stagingUuid: await work.again(() => stagingUuid(work)) });
}

module.exports = { goOn, isCutting };
