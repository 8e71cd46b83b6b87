'use strict';

const { TuneError } = require('../base/pure/errors');
const { workingName } = require('./pure/split-names');
const { checkSame, compareForth } = require('./anew');
const { copyOut } = require('./copy');
const { buildIndexes } = require('./indexes');
const { copyRanges } = require('./copy-ranges');
const { cutOff, hasBegun } = require('./cut');
const { closedSource, putInPlace } = require('./put');
const { catchUp, drain } = require('./following');
const { forth } = require('./names');
const { checkAlike, readAfterCut, sameOptions, stopExpiry } = require('./offline');
const { persist } = require('./persist');
const { checkReady, checkStillAlike, renewTtl, ttlOf } = require('./ready');
const { reopening } = require('./reopen');
const { majorityTime } = require('./server');
const { sameIndexes } = require('./same-indexes');
const { createStaging, createTarget, workingUuid } = require('./target');

/** @typedef {import('./work').Work} Work @typedef {import('./state').Phase} Phase */

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
    await work.save({ phase: 'cutting', ttl: await ttlOf(work, forth(work.split)) });
  },
  cutting: async (work) => {
    await cutForth(work);
    await work.save({ phase: 'draining' });
  },
  draining: async (work) => {
    // Somebody may have taken the view away, or made a collection in its place.
    await cutForth(work);
    await checkStillAlike(work, forth(work.split));
    await drain(work, forth(work.split));
    await work.save({
      phase: 'switching',
      backStartAt: await work.again(() => majorityTime(work.port)),
      backToken: null,
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
    await cutOff(work, forth(work.split));
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
    () => forth(work.split),
    () =>
      persist(work, async () => {
        for (let step = steps[work.split.phase]; step; step = steps[work.split.phase]) {
          work.safePoint();
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
  await work.save({ phase: 'indexing', workingUuid: await work.again(() => workingUuid(work)) });
}

/** @param {Work} work */
async function prepare(work) {
  if (await work.again(() => hasBegun(work, forth(work.split)))) return;
  if (work.split.uncompared) await compareForth(work);
  checkSame(work.split, 'forth');
  await catchUp(work);
  await sameIndexes(work, forth(work.split), () => catchUp(work));
  await catchUp(work);
  await checkReady(work);
}

/** @param {Work} work */
async function prepareAnew(work) {
  await prepare(work);
  await renewTtl(work, forth(work.split));
}

/** @param {Work} work */
async function cutForth(work) {
  // Whoever goes on after hours, or after an election that took a cut back, has as much to bring
  // over.
  await prepareAnew(work);
  await cutOff(work, forth(work.split), () => prepareAnew(work));
}

/** @param {Work} work */
async function switchOver(work) {
  await putInPlace(
    work,
    forth(work.split).to,
    work.split.ttl.forth,
    closedSource(forth(work.split)),
  );
  // What is late may make a collection of the name that the copy had.
  const { into, former, renamed, planId } = work.split;
  await work.save({
    phase: 'switched',
    into: { ...into, working: workingName(into.name, planId, renamed + 1) },
    former: [...former, into.working],
    renamed: renamed + 1,
  });
}

module.exports = { goOn, isCutting };
