'use strict';

const { TuneError } = require('../base/pure/errors');
const { makeStagingName } = require('./pure/split-names');
const { lastComparison } = require('./comparisons');
const { copiesOf, dropStep } = require('./drop');
const { catchUp } = require('./catch-up');
const { killOwnOperations } = require('./running-operations');
const { directionOf, forward } = require('./directions');
const { giveExpiryBack } = require('./expiry-back');
const { withRecovery } = require('./run-phases');
const { dropSurplus } = require('./sync-indexes');
const { majorityTime, serverTime, write } = require('./server');
const { isStaging, sourceName } = require('./target');
const { expireNever, expiringIn } = require('./ttl');
const { compare, verifiedOf } = require('./verify');
const { isInPlace, wayBack } = require('./where-it-stands');

/**
 * @import { Direction } from './directions'
 * @import { Way } from './pure/phase-table'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/**
 * Handles an oplog that has lost writes: before the cutover with a new copy, after it with a
 * comparison of everything.
 */

/**
 * Drops the copy and makes a new one, because the changes since the first one are unknown.
 * @param {SplitJob} job
 */
async function restartCopy(job) {
  const { phase, mode, from, into, sourceUuid, planId, formerNames, renamed, ttl } = job.split;
  // This check comes before any change: without a source the copy may be the last one.
  await job.again(() => sourceName(job.port, forward(job.split)));
  await checkNotAtTarget(job);
  await job.again(() => killOwnOperations(job));
  const copies = await copiesOf(job);
  // The new copy has another name: a shell that takes over before the old copy is dropped must not
  // mistake that for the new one, and keep what was deleted since.
  const stagingName = makeStagingName(into.name, planId, renamed + 1);
  // An offline source is cut off before the copy, unless another session undid that.
  const isCut = mode === 'offline' && phase !== 'planned' && !(await isUncut(job));
  const begins = isCut ? 'created' : 'planned';
  await job.save({
    phase: begins,
    token: null,
    startAt: null,
    copiedTo: null,
    copied: 0,
    pendingConflicts: [],
    stagingUuid: null,
    verified: null,
    needsFullCompare: false,
    into: { ...into, stagingName },
    formerNames: [...formerNames, into.stagingName],
    renamed: renamed + 1,
    // The next cut reads the expiring indexes again.
    ...(mode === 'offline' && !isCut && { ttl: { ...ttl, forward: [] } }),
  });
  await dropStep(job, { keeps: { ...from, uuid: sourceUuid }, view: null, copies });
}

/**
 * Says whether the source has its name again, and then lets its documents expire again.
 * @param {SplitJob} job
 */
async function isUncut(job) {
  const direction = forward(job.split);
  if (!(await job.again(() => isInPlace(job.port, direction.from)))) return false;
  await giveExpiryBack(job, direction);
  return true;
}

/**
 * Refuses to restart where the copy has the name of the target: it takes writes, and would be
 * forgotten.
 * @param {SplitJob} job
 * @throws {TuneError} TUNE-35004
 */
async function checkNotAtTarget({ port, split, again }) {
  const { into, stagingUuid, target } = split;
  const place = { ...into, uuid: stagingUuid };
  if (!stagingUuid || !(await again(() => isInPlace(port, place)))) return;
  throw new TuneError(
    'TUNE-35004',
    `Another session renamed the copy to ${target}. Stop its writers, then ` +
      `${await wayBack(port, into, into.stagingName)}, then retry the command. It drops what was written to ` +
      `${target}; a copy with a new name is kept.`,
    { value: target, waitsForPerson: true },
  );
}

/**
 * Restarts after the switch, where the oplog has lost writes to the target: everything is compared,
 * and copied back.
 * @param {SplitJob} job
 */
async function restartReverse(job) {
  // Until everything is compared it is not known what was missed, so a rollback must not pass it.
  await job.save({
    reverseStartAt: await job.again(() => majorityTime(job.port)),
    reverseToken: null,
    pendingConflicts: [],
    needsFullCompare: true,
  });
  await reconcileReverse(job);
}

/** Applies the writes of the target to the old data. @param {SplitJob} job */
const reconcileReverse = (job) =>
  withRecovery(job, () => (job.split.needsFullCompare ? compareAll : catchUp)(job, 'reverse'));

/**
 * Compares every document, and copies those that differ again.
 * @param {SplitJob} job @param {Way} way
 */
async function compareAll(job, way) {
  const direction = directionOf(job.split, way);
  await dropSurplus(job, direction);
  const appliedAt = await job.again(() => serverTime(job.port));
  const found = await compare(job, direction, () => catchUp(job, way));
  await job.save({
    verified: verifiedOf(found),
    needsFullCompare: found.differences.length > 0,
    appliedAt,
    readUntil: appliedAt,
  });
}

/**
 * Stops the expiry of the copy. After a switch that stopped half-way documents expire in it: no
 * event says which are gone, so everything is compared.
 * @param {SplitJob} job @param {Direction} direction
 */
async function stopExpiryOfCopy(job, { to }) {
  const copy = { db: to.db, name: to.stagingName, uuid: to.uuid };
  const expiring = await job.again(async () =>
    (await isStaging(job.port, to)) ? expiringIn(job.port, copy) : [],
  );
  if (expiring.length === 0) return;
  await job.save({ needsFullCompare: true });
  for (const one of expiring)
    await job.again(() => write(job.port, copy.db, expireNever(copy, one).o));
}

/**
 * Refuses where the sides differ: a document that is not the same in the place that will answer
 * would be lost by a cutover, or by a rollback.
 * @param {Split} split
 * @param {Way} way
 * @throws {TuneError} TUNE-35015
 */
function checkSame(split, way) {
  const { source, target } = split;
  const verified = lastComparison(split);
  if (!verified || verified.differences === 0) return;
  const [both, answers] =
    way === 'forward'
      ? [`${source} and ${target}`, source]
      : [`${target} and of the old data of ${source}`, target];
  throw new TuneError(
    'TUNE-35015',
    `${verified.differences} documents of ${both} differed at the last comparison. ` +
      `${answers} stays active.`,
    { value: verified.differences },
  );
}

module.exports = {
  restartCopy,
  restartReverse,
  reconcileReverse,
  checkSame,
  compareAll,
  stopExpiryOfCopy,
};
