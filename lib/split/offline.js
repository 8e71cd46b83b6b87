'use strict';

const { TuneError } = require('../base/pure/errors');
const { changed } = require('./cut-mark');
const { restartCopy } = require('./recopy');
const { isThere } = require('./operations');
const { forward, nsOf } = require('./directions');
const { findCollection, nameByUuid } = require('./server');
const { runAtomicStep } = require('./atomic-step');
const { readNow, differencesBetween } = require('./target');
const { expireNever, expiresNever, readTtl } = require('./ttl');
const { ownId } = require('./pure/split-names');
const { compareInstead } = require('./verify');
const { endedEarly, isInPlace } = require('./where-it-stands');

/**
 * @import { SplitJob } from './split-job'
 */

/**
 * Splits without a change stream: the source is cut off before the copy, and the target gets its
 * options and indexes of that time.
 */

/** @param {SplitJob} job */
const renamedOf = ({ split: { from, sourceUuid } }) => ({
  db: from.db,
  name: from.renamedTo,
  uuid: sourceUuid,
});
/** @param {SplitJob} job */
const stagingOf = ({ split: { into } }) => ({ db: into.db, name: into.stagingName });

/**
 * Saves options, indexes and TTL times right after the cut, before any expiry is switched off, so
 * that a shell that starts here again reads the same.
 * @param {SplitJob} job
 */
async function readAfterCut(job) {
  const { port, again } = job;
  const { options, indexes } = await again(() => readNow(port, forward(job.split)));
  const times = await again(() => readTtl(port, renamedOf(job)));
  await job.save({ options, indexes, ttl: { ...job.split.ttl, forward: times }, phase: 'created' });
}

/**
 * Gives the source's options to the copy, which was made before the cut: it is still empty.
 * @param {SplitJob} job
 */
async function sameOptions(job) {
  const staging = stagingOf(job);
  const different = await job.again(async () =>
    (await findCollection(job.port, staging.db, staging.name))
      ? differencesBetween(job.port, renamedOf(job), staging)
      : [],
  );
  if (different.some((what) => !what.startsWith('the index '))) await restartCopy(job);
}

/**
 * Stops the expiry before the copy. Documents that have expired until then are in neither place.
 * @param {SplitJob} job
 */
async function stopExpiry(job) {
  const renamedTo = renamedOf(job);
  const { forward: ttl } = job.split.ttl;
  await runAtomicStep(job, {
    place: renamedTo,
    touches: [renamedTo],
    isDone: () => expiresNever(job.port, renamedTo, ttl),
    operations: async () => {
      const there = new Set((await readTtl(job.port, renamedTo)).map(({ name }) => name));
      return [
        isThere(renamedTo),
        ...ttl.filter(({ name }) => there.has(name)).map((one) => expireNever(renamedTo, one)),
      ];
    },
  });
}

/** @param {SplitJob} job @throws {TuneError} TUNE-35009 */
async function checkAlike(job) {
  const [renamedTo, staging] = [renamedOf(job), stagingOf(job)];
  const different = await job.again(() => differencesBetween(job.port, renamedTo, staging));
  if (different.length === 0) return;
  throw new TuneError(
    'TUNE-35009',
    `${nsOf(renamedTo)} and ${nsOf(staging)} differ in ${different.join(', ')}. Make ` +
      `the same change to ${nsOf(staging)}, or undo it.`,
    { value: different },
  );
}

/**
 * Checks that the source is still cut off. A person who undoes the cut by hand lets applications
 * write, and no stream of changes shows what; so may a person who gives the source any other name.
 * @param {SplitJob} job
 * @throws {TuneError} TUNE-35005
 */
async function checkStillCut(job) {
  const { port, split, again } = job;
  const { from } = forward(split);
  const name = await again(() => nameByUuid(port, from.db, from.uuid));
  if (name === undefined || name === from.renamedTo) return;
  // The cut may be done again by hand: then the copy lacks what was written meanwhile.
  await job.compareAllNext();
  throw changed(from, { by: 'rename', id: ownId(split) });
}

/**
 * Checks that the copy is whole before it answers.
 * @param {SplitJob} job
 * @throws {TuneError} TUNE-35004, TUNE-35005, TUNE-35015
 */
async function checkWhole(job) {
  const { port, split, again } = job;
  const { to } = forward(split);
  if (await again(() => isInPlace(port, to))) {
    if (split.needsFullCompare) throw await endedEarly(job, forward(split));
    return;
  }
  await checkStillCut(job);
  if (!split.needsFullCompare) return;
  await compareInstead(job, forward(split));
  await job.allCompared();
}

module.exports = { checkAlike, checkStillCut, checkWhole, readAfterCut, sameOptions, stopExpiry };
