'use strict';

const { TuneError } = require('../base/pure/errors');
const { makeStagingName } = require('./pure/split-names');
const { checkSame, compareForward } = require('./restart');
const { copyOut } = require('./copy');
const { buildIndexes } = require('./indexes');
const { copyRanges } = require('./copy-ranges');
const { cutOver, hasBegun } = require('./cutover');
const { refusingSource, replaceView } = require('./replace-view');
const { catchUp, drain } = require('./catch-up');
const { forward } = require('./directions');
const { checkAlike, readAfterCut, sameOptions, stopExpiry } = require('./offline');
const { persist } = require('./persistently');
const { checkReady, checkStillAlike, renewTtl, ttlOf } = require('./preconditions');
const { reopening } = require('./revert');
const { majorityTime } = require('./server');
const { sameIndexes } = require('./sync-indexes');
const { createStaging, createTarget, stagingUuid } = require('./target');

/**
 * @import { Phase } from './state'
 * @import { Work } from './work'
 */

/**
 * One step from each phase. Each first looks at what is there, so that it can be begun again
 * wherever it was left.
 * @type {Readonly<Partial<Record<Phase, (work: Work) => Promise<void>>>>}
 */
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

/** @type {typeof BEFORE_THE_CUT} */
const THE_CUT = Object.freeze({
  following: async (work) => {
    await prepare(work);
    await work.save({ phase: 'cutting', ttl: await ttlOf(work, forward(work.split)) });
  },
  cutting: async (work) => {
    await cutForth(work);
    await work.save({ phase: 'draining' });
  },
  draining: async (work) => {
    // Somebody may have taken the view away, or made a collection in its place.
    await cutForth(work);
    await checkStillAlike(work, forward(work.split));
    await drain(work, forward(work.split));
    await work.save({
      phase: 'switching',
      reverseStartAt: await work.again(() => majorityTime(work.port)),
      reverseToken: null,
      broughtAt: new Date(),
    });
  },
  switching: switchOver,
});

/**
 * Without a stream of changes the source is cut off before the copy.
 * @type {typeof BEFORE_THE_CUT}
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
  switching: switchOver,
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
        for (let step = steps[work.split.phase]; step; step = steps[work.split.phase]) {
          work.throwIfInterrupted();
          work.say(work.split.phase);
          await step(work);
        }
        if (work.split.phase === 'following') await catchUp(work);
      }),
  );
}

/** What has begun to cut goes to its end. @param {Phase} phase */
const isCutting = (phase) => phase === 'cutting' || phase === 'draining' || phase === 'switching';

/** @param {Work} work */
async function copy(work) {
  await createStaging(work);
  await (work.split.method === 'ranges' ? copyRanges(work, () => catchUp(work)) : copyOut(work));
  await work.save({ phase: 'indexing', stagingUuid: await work.again(() => stagingUuid(work)) });
}

/** @param {Work} work */
async function prepare(work) {
  if (await work.again(() => hasBegun(work, forward(work.split)))) return;
  if (work.split.uncompared) await compareForward(work);
  checkSame(work.split, 'forward');
  await catchUp(work);
  await sameIndexes(work, forward(work.split), () => catchUp(work));
  await catchUp(work);
  await checkReady(work);
}

/** @param {Work} work */
async function prepareRestart(work) {
  await prepare(work);
  await renewTtl(work, forward(work.split));
}

/** @param {Work} work */
async function cutForth(work) {
  // Whoever goes on after hours, or after an election that took a cut back, has as much to bring
  // over.
  await prepareRestart(work);
  await cutOver(work, forward(work.split), () => prepareRestart(work));
}

/** @param {Work} work */
async function switchOver(work) {
  await replaceView(
    work,
    forward(work.split).to,
    work.split.ttl.forward,
    refusingSource(forward(work.split)),
  );
  // What is late may make a collection of the name that the copy had.
  const { into, former, renamed, planId } = work.split;
  await work.save({
    phase: 'switched',
    into: { ...into, stagingName: makeStagingName(into.name, planId, renamed + 1) },
    former: [...former, into.stagingName],
    renamed: renamed + 1,
  });
}

module.exports = { goOn, isCutting };
