'use strict';

const { TuneError } = require('../errors');
const { createTarget, readSource, workingUuid } = require('./target');
const { copyOut } = require('./copy');
const { buildIndexes } = require('./indexes');
const { copyRanges } = require('./copy-ranges');
const { cutOff, putInPlace } = require('./cut');
const { makeFollower } = require('./follow');
const { back, forth } = require('./names');
const { majorityTime } = require('./server');
const { compareInstead, compareTail } = require('./verify');

/** @typedef {import('./work').Work} Work @typedef {import('./state').Phase} Phase */

/** Bringing the rest over takes about as long as one is behind, and so long writers wait. */
const STEADY_MS = 1_000;

/**
 * One step from each phase. Each first looks at what is there, so that it can be begun again wherever it was left.
 * @type {Readonly<Partial<Record<Phase, (work: Work) => Promise<void>>>>}
 */
const BEFORE_THE_CUT = Object.freeze({
  planned: async (work) => {
    await work.again(() => createTarget(work));
    await work.save({ phase: 'created' });
  },
  created: copy,
  copying: copy,
  indexing: async (work) => {
    await buildIndexes(work, () => catchUp(work));
    await work.save({ phase: 'following' });
  },
});

/** @type {typeof BEFORE_THE_CUT} */
const THE_CUT = Object.freeze({
  following: async (work) => {
    await catchUp(work);
    await work.again(() => workingUuid(work));
    await sameShape(work);
    await work.save({ phase: 'cutting' });
  },
  cutting: async (work) => {
    await work.again(() => cutOff(work, forth(work.split), () => catchUp(work)));
    await work.save({ phase: 'draining' });
  },
  draining: async (work) => {
    // What only the primary had of it is gone with that primary.
    await work.again(() => cutOff(work, forth(work.split)));
    await drain(work, forth(work.split));
    await work.save({ phase: 'switching', backStartAt: await work.again(() => majorityTime(work.port)), backToken: null, broughtAt: new Date() });
  },
  switching: switchOver,
});

/** Without a stream of changes the source is cut off before the copy. @type {typeof BEFORE_THE_CUT} */
const OFFLINE = Object.freeze({
  planned: async (work) => {
    await work.again(() => createTarget(work));
    await work.save({ phase: 'cutting' });
  },
  cutting: async (work) => {
    await work.again(() => cutOff(work, forth(work.split)));
    await work.save({ phase: 'created' });
  },
  created: copy,
  copying: copy,
  indexing: async (work) => {
    await buildIndexes(work, async () => { throw new TuneError('TUNE-35008', `The documents of ${work.split.source} do not fit into its own unique indexes.`, { value: work.split.source }); });
    await work.save({ phase: 'switching' });
  },
  switching: switchOver,
});

/**
 * @param {Work} work @param {'ready' | 'switched'} goal `ready`: the target follows the source closely; an offline split goes to its end at once
 */
async function goOn(work, goal) {
  const steps = work.split.mode === 'offline' ? OFFLINE : { ...BEFORE_THE_CUT, ...(goal === 'switched' || isCutting(work.split.phase) ? THE_CUT : {}) };
  for (let step = steps[work.split.phase]; step; step = steps[work.split.phase]) {
    work.safePoint();
    work.say(work.split.phase);
    await step(work);
  }
  if (work.split.phase === 'following') await catchUp(work);
}

/** What has begun to cut goes to its end. @param {Phase} phase */
const isCutting = (phase) => phase === 'cutting' || phase === 'draining' || phase === 'switching';

/** @param {Work} work */
async function copy(work) {
  await (work.split.method === 'ranges' ? copyRanges(work, () => catchUp(work)) : copyOut(work));
  await work.save({ phase: 'indexing', workingUuid: await work.again(() => workingUuid(work)) });
}

/** @param {Work} work */
const catchUp = (work) => keepUp(work, forth(work.split));
/** So that a rollback has little left to bring over. @param {Work} work */
const catchUpBack = (work) => keepUp(work, back(work.split));

/** @param {Work} work @param {import('./names').Leg} leg */
async function keepUp(work, leg) {
  await following(work, leg, (follower) => follower.until(({ idle, lagMs }) => idle || lagMs < STEADY_MS, 'following'));
}

/** Brings over what is written, until Ctrl-C. @param {Work} work */
async function stay(work) {
  const leg = work.split.phase === 'switched' ? back(work.split) : forth(work.split);
  try {
    await following(work, leg, (follower) => follower.until(() => work.signal.aborted, 'following'));
  } catch (error) {
    if (!work.signal.aborted || /** @type {any} */ (error).code !== 'TUNE-30009') throw error;
  }
}

/**
 * After the cut: what was written until then, to the last event.
 * @param {Work} work @param {import('./names').Leg} leg
 */
async function drain(work, leg) {
  try {
    await following(work, leg, (follower) => follower.until(({ cut }) => cut, 'draining'));
    await compareTail(work, leg);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'TUNE-35007') throw error;
    await compareInstead(work, leg);
  }
}

/** @template T @param {Work} work @param {import('./names').Leg} leg @param {(follower: import('./follow').Follower) => Promise<T>} what */
async function following(work, leg, what) {
  const follower = makeFollower(work, leg);
  try {
    return await what(follower);
  } finally {
    await follower.close();
  }
}

/** @param {Work} work */
async function switchOver(work) {
  await work.again(() => putInPlace(work, forth(work.split).to));
  // What most members have of this, they have of all before it.
  await work.save({ phase: 'switching' });
  await work.again(() => putInPlace(work, forth(work.split).to));
  await work.save({ phase: 'switched' });
}

/** Somebody may have made an index meanwhile. @param {Work} work */
async function sameShape({ port, split }) {
  const now = await readSource(port, split.from);
  const shape = (/** @type {{ options: any, indexes: any[] }} */ { options, indexes }) => JSON.stringify([options, [...indexes].sort((a, b) => (a.name < b.name ? -1 : 1))]);
  if (shape(now) !== shape(split)) {
    throw new TuneError('TUNE-35009', `The indexes or options of ${split.source} are not those any more that it had when the split began. Change them back, or do the same to ${split.into.db}.${split.into.working}: it is not done by itself.`, { value: split.source });
  }
}

module.exports = { goOn, catchUp, catchUpBack, stay, drain, isCutting };
