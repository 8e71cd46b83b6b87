'use strict';

const { many } = require('../base/pure/units');
const { TuneError } = require('../base/pure/errors');
const { bucketsOf } = require('./pure/split-names');
const { findOccupant, hasBuckets } = require('./server');
const { ownCollation, readDemand } = require('./dependents');
const { nsOf, currentDirection } = require('./directions');
const { giveExpiryBack } = require('./expiry-back');
const { checkNoBuild } = require('./index-builds');
const { filterLosesOrder } = require('./pure/definitions');
const { exists, isSplitView, isStaging, readSource, differencesBetween } = require('./target');
const { readTtl } = require('./ttl');
const { hasBegun, isInPlace, replacedError } = require('./where-it-stands');
const { SMALL_STATUS } = require('../server/pure/commands');
const { canCatchUp } = require('./pure/phase-table');
const { checkSame } = require('./recopy');

/**
 * @import { Direction } from './directions'
 * @import { Port } from './server'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/**
 * Checks before the cut, in either direction, everything that could fail between the cut and the
 * new name's first answer.
 */

/**
 * Checks that both collections exist as they were made, and that the name is free for the switch.
 * @param {Pick<SplitJob, 'port'>} job
 * @param {Direction} direction
 * @throws {TuneError} TUNE-35004, TUNE-35005
 */
async function checkPlaces({ port }, { from, to }) {
  if (!(await isInPlace(port, from))) throw replacedError(from);
  const staging = `${to.db}.${to.stagingName}`;
  if (!(await isStaging(port, to)))
    throw new TuneError(
      'TUNE-35005',
      `The staging copy ${staging} was dropped or replaced. ${nsOf(from)} stays active.`,
      { value: staging },
    );
  const there = await findOccupant(port, to);
  if (there && !isSplitView(there)) throw exists(to, there, ` ${nsOf(from)} stays active.`);
  // The view that has to refuse here would be one of a time series.
  if (await hasBuckets(port, from)) throw bucketsLeft(from);
}

/** @param {Direction['from']} from its name: only the buckets of a time series are left there */
function bucketsLeft(from) {
  const buckets = `${from.db}.${bucketsOf(from.name)}`;
  return new TuneError(
    'TUNE-35004',
    `${buckets} is left of a time series of another session. ${nsOf(from)} stays active. ` +
      `Drop ${buckets} alone, then retry the command.`,
    { value: nsOf(from) },
  );
}

/**
 * @param {Pick<SplitJob, 'port' | 'split'>} job
 * @param {Direction} direction
 * @param {{ indexes?: boolean }} [which] `indexes` false: leaves out the indexes, which
 *   sync-indexes.js makes or drops later
 * @throws {TuneError} TUNE-35004, TUNE-35005, TUNE-35008, TUNE-35009, TUNE-35016, TUNE-35020
 */
async function checkReady({ port, split }, direction, { indexes = true } = {}) {
  const { from, to } = direction;
  await checkPlaces({ port }, direction);
  const staging = { db: to.db, name: to.stagingName };
  const different = (await differencesBetween(port, from, staging)).filter(
    (what) => indexes || !what.startsWith('the index '),
  );
  if (different.length > 0)
    throw new TuneError(
      'TUNE-35009',
      `${nsOf(from)} and ${nsOf(staging)} differ in ${different.join(', ')}. Make ` +
        `the same change to ${nsOf(staging)}, or undo it in ${nsOf(from)}. ` +
        `${nsOf(from)} stays active.`,
      { value: different },
    );
  await checkValidator(port, from);
  for (const place of [from, staging]) await checkNoBuild(port, place);
  await readDemand(port, from, await ownCollation(port, direction));
  if (split.pendingConflicts.length > 0)
    throw new TuneError(
      'TUNE-35008',
      `${split.pendingConflicts.length} documents of ${nsOf(from)} are pending ` +
        '(unique conflict): another document still has their value in ' +
        `${nsOf(staging)}. ${nsOf(from)} stays active.`,
      { value: split.pendingConflicts },
    );
}

/**
 * Refuses a validator that loses the order of fields: whether another one has the same order cannot
 * be seen.
 * @param {Port} port
 * @param {Direction['from']} from
 */
async function checkValidator(port, from) {
  const { options } = await readSource(port, from);
  if (!filterLosesOrder(options?.validator)) return;
  throw new TuneError(
    'TUNE-35009',
    `The validator of ${nsOf(from)} contains a document with several fields, one ` +
      'with a number as its name, and JavaScript would put that one first. Remove the ' +
      `validator in both places. ${nsOf(from)} stays active.`,
    { value: ['the option validator'] },
  );
}

/**
 * Checks that both sides still agree: after the cut the source cannot change, but between the last
 * check and the cut another user may have made an index, or changed an option.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @throws {TuneError} TUNE-35009
 */
async function checkStillAlike({ port, again }, { from, to }) {
  const [renamedTo, staging] = [
    { db: from.db, name: from.renamedTo },
    { db: to.db, name: to.stagingName },
  ];
  const different = await again(() => differencesBetween(port, renamedTo, staging));
  if (different.length > 0)
    throw new TuneError(
      'TUNE-35009',
      `${nsOf(from)} was changed just before the cutover: ${nsOf(staging)} does not ` +
        `have the same ${different.join(', ')}.`,
      { value: different },
    );
}

/**
 * Returns what is saved before a cut: which times of expiry it switches off.
 * @param {SplitJob} job
 * @param {Direction} direction
 */
const ttlOf = async (job, { way, from }) => ({
  ...job.split.ttl,
  [way]: await job.again(() => readTtl(job.port, from)),
});

/**
 * Reads the times of expiry again: they may change until the cut has begun.
 * @param {SplitJob} job
 * @param {Direction} direction
 */
async function renewTtl(job, direction) {
  if (await job.again(() => hasBegun(job, direction))) return;
  await giveExpiryBack(job, direction);
  const ttl = await ttlOf(job, direction);
  if (JSON.stringify(ttl) !== JSON.stringify(job.split.ttl)) await job.save({ ttl });
}

/**
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<string[]>} the obstacles to a cutover now, or to a rollback, a sentence each
 */
async function obstaclesOf(port, split) {
  if (!canCatchUp(split)) return [];
  const direction = currentDirection(split);
  const found = [
    ...(await blockedNow(async () => {
      if (!split.needsFullCompare) checkSame(split, direction.way);
    })),
    ...(await blockedNow(() => checkReady({ port, split }, direction, { indexes: false }))),
  ];
  const open = await openTransactions(port);
  if (!open) return found;
  return [
    ...found,
    `${many(open, 'transaction is', 'transactions are')} open on this server: the ` +
      `${direction.way === 'forward' ? 'cutover' : 'rollback'} waits for each, ` +
      'including read-only ones, and fails after 30 s.',
  ];
}

/** @param {() => Promise<unknown>} check @returns {Promise<string[]>} */
async function blockedNow(check) {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof TuneError)) throw error;
    return [`Blocked now: ${error.message.replace(/^\[[^\]]*\] /, '')}`];
  }
}

/** @param {Port} port @returns {Promise<number | null>} null: not known */
async function openTransactions(port) {
  const status = await port.adminCommand(SMALL_STATUS).catch(() => null);
  return status?.transactions ? Number(status.transactions.currentOpen) : null;
}

module.exports = {
  blockedNow,
  checkPlaces,
  checkReady,
  checkStillAlike,
  renewTtl,
  ttlOf,
  obstaclesOf,
};
