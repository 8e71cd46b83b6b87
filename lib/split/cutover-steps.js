'use strict';

const { makeStagingName } = require('./pure/split-names');
const { catchUp, drain } = require('./catch-up');
const { compareAll, checkSame } = require('./restart');
const { cutOver, hasBegun } = require('./cutover');
const { PHASES, directionOf } = require('./directions');
const { checkPlaces, checkReady, checkStillAlike, renewTtl, ttlOf } = require('./preconditions');
const { refusingSource, replaceView } = require('./replace-view');
const { majorityTime } = require('./server');
const { sameIndexes } = require('./sync-indexes');

/**
 * @import { Way } from './directions'
 * @import { Phase, Split } from './state'
 * @import { Work } from './work'
 */

/**
 * One step from each phase. Each first checks what is there, so that it can be begun again wherever
 * it stopped.
 * @typedef {Readonly<Partial<Record<Phase, (work: Work) => Promise<void>>>>} Steps
 */

/**
 * The steps from a copy that follows its source to the other name that answers: a cutover forward,
 * a rollback in reverse.
 * @param {Way} way
 * @returns {Steps}
 */
function cutoverSteps(way) {
  const phases = PHASES[way];
  return Object.freeze({
    [phases.ready]: async (/** @type {Work} */ work) => {
      await prepare(work, way);
      const ttl = await ttlOf(work, directionOf(work.split, way));
      await work.save({ phase: phases.cutting, ttl });
    },
    [phases.cutting]: async (/** @type {Work} */ work) => {
      await cut(work, way);
      await work.save({ phase: phases.draining });
    },
    [phases.draining]: async (/** @type {Work} */ work) => {
      // A failover may have rolled the cut back, and another user may have dropped the view.
      await cut(work, way);
      await checkStillAlike(work, directionOf(work.split, way));
      await drain(work, directionOf(work.split, way));
      await work.save({ phase: phases.switching, ...(await AT_THE_SWITCH[way](work)) });
    },
    [phases.switching]: async (/** @type {Work} */ work) => {
      const direction = directionOf(work.split, way);
      await replaceView(work, direction.to, work.split.ttl[way], refusingSource(direction));
      await work.save(AFTER_THE_SWITCH[way](work.split));
    },
  });
}

/**
 * What is saved before the new name answers: where a rollback has to begin in the oplog.
 * @type {Readonly<Record<Way, (work: Work) => Promise<Partial<Split>>>>}
 */
const AT_THE_SWITCH = Object.freeze({
  forward: async (work) => ({
    reverseStartAt: await work.again(() => majorityTime(work.port)),
    reverseToken: null,
    broughtAt: new Date(),
  }),
  reverse: async () => ({}),
});

/**
 * What is saved once the new name answers. A late message may make a collection under the name that
 * the copy had, so that name is not used again.
 */
const AFTER_THE_SWITCH = Object.freeze({
  /** @param {Split} split @returns {Partial<Split>} */
  forward: ({ into, former, renamed, planId }) => ({
    phase: 'switched',
    into: { ...into, stagingName: makeStagingName(into.name, planId, renamed + 1) },
    former: [...former, into.stagingName],
    renamed: renamed + 1,
  }),
  /** @returns {Partial<Split>} */
  reverse: () => ({ phase: 'rolled-back', active: false }),
});

/**
 * Everything that can be done, or can fail, before the source is cut off.
 * @param {Work} work
 * @param {Way} way
 */
async function prepare(work, way) {
  const direction = () => directionOf(work.split, way);
  if (await work.again(() => hasBegun(work, direction()))) return;
  await work.again(() => checkPlaces(work, direction()));
  if (work.split.uncompared) await compareAll(work, way);
  checkSame(work.split, way);
  await catchUp(work, way);
  await sameIndexes(work, direction(), () => catchUp(work, way));
  await catchUp(work, way);
  await work.again(() => checkReady(work, direction()));
}

/**
 * Prepares again, and cuts the source off. After hours, or after an election that rolled a cut
 * back, there is as much to apply as before the first one.
 * @param {Work} work
 * @param {Way} way
 */
async function cut(work, way) {
  const prepareAgain = async () => {
    await prepare(work, way);
    await renewTtl(work, directionOf(work.split, way));
  };
  await prepareAgain();
  await cutOver(work, directionOf(work.split, way), prepareAgain);
}

/** Goes from phase to phase until no step is left. @param {Work} work @param {Steps} steps */
async function runSteps(work, steps) {
  for (let step = steps[work.split.phase]; step; step = steps[work.split.phase]) {
    work.throwIfInterrupted();
    work.say(work.split.phase);
    await step(work);
  }
}

module.exports = { cutoverSteps, runSteps };
