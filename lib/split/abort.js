'use strict';

const { callText } = require('../base/pure/printable');
const { TuneError } = require('../base/pure/errors');
const { AFTER_THE_SWITCH, rollbackStart } = require('./cutover-steps');
const { forward, nsOf } = require('./directions');
const { copiesOf, dropStep } = require('./drop');
const { lastCopy } = require('./finish');
const { giveExpiryBack } = require('./expiry-back');
const { checkNothingLate } = require('./late-writes');
const { blocksIn, cutWayOf } = require('./pure/phase-table');
const { ownId } = require('./pure/split-names');
const { killOwnOperations } = require('./running-operations');
const {
  checkNotAway,
  isViewOf,
  refusingSource,
  refusingTarget,
  replaceView,
} = require('./replace-view');
const { findCollection, findOccupant, nameByUuid } = require('./server');
const { isMajorityCommitted } = require('./majority');
const { keepsRefusing } = require('./used-by-others');
const { endedEarly, isInPlace, wayBack } = require('./where-it-stands');

/**
 * @import { CollectionId } from './server'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/**
 * Aborts a split: reopens the source, and drops the copy unless `keep`.
 * @param {SplitJob} job
 * @param {{ keep?: boolean }} [options] `keep`: the copy stays, under the name it has
 */
async function abortSplit(job, { keep: asked = false } = {}) {
  const { port, split } = job;
  const keep = isKept(split, asked);
  const { from, sourceUuid } = split;
  await checkNotSwitched(job);
  if (mayBeCut(split)) await checkCutOff(job, keep);
  await job.save({ phase: 'aborting', kept: keep });
  await job.again(() => killOwnOperations(job));
  // Cut off or not, the source replaces the view that refuses, unless the source is gone.
  const source = { db: from.db, name: from.name, stagingName: from.renamedTo, uuid: sourceUuid };
  const isThere = await job.again(
    async () =>
      (await findCollection(port, from.db, from.renamedTo)) !== null || isInPlace(port, source),
  );
  if (isThere) await replaceView(job, source, split.ttl.forward, refusingTarget(split, 'forward'));
  const copies = await copiesOf(job);
  const isBack = await job.again(() => isInPlace(port, source));
  if (!isBack && !keep) throw withoutSource(split, copies.length > 0);
  const keeps = isBack ? source : copies[0];
  await openSource(job, { isBack, keeps });
  const refuses = await dropBehind(job, keeps, keep ? [] : copies);
  await job.save({ phase: 'aborted', active: false, refuses, gone: goneOf(isBack) });
}

/**
 * Refuses to drop the copy where the source was cut off and has another name: it still exists, so
 * the copy is not all that is left. Before a cut a missing expiry may be intended.
 * @param {SplitJob} job @param {boolean} keep
 */
async function checkCutOff(job, keep) {
  const { from } = forward(job.split);
  if (!keep) await job.again(() => checkNotAway(job.port, from, { isAbort: true }));
  await giveExpiryBack(job, forward(job.split));
}

/**
 * Frees the name of a source that is gone: nothing will have it, and no later command would open
 * it.
 * @param {SplitJob} job
 * @param {{ isBack: boolean, keeps?: CollectionId | null }} data
 */
async function openSource(job, { isBack, keeps = null }) {
  if (isBack) return;
  const source = refusingSource(forward(job.split));
  const here = await job.again(() => findOccupant(job.port, source.place));
  if (isViewOf(here, source)) await dropStep(job, { keeps, view: source.place, copies: [] });
}

/**
 * @param {SplitJob} job
 * @param {CollectionId | undefined} keeps the collection that must exist; undefined where no data
 *   is dropped
 * @param {readonly CollectionId[]} copies
 * @returns {Promise<boolean>} whether the target keeps its view
 */
async function dropBehind(job, keeps, copies) {
  // Clients refused at the source may retry at the target; without a view an insert would make a
  // collection there.
  const refuses = await keepsRefusing(job);
  const view = refuses ? null : job.split.into;
  if (keeps || view) await dropStep(job, { keeps: keeps ?? null, view, copies });
  return refuses;
}

/** @param {Split} split @param {boolean} hasCopy */
function withoutSource({ _id, from, into }, hasCopy) {
  const call = callText('split.abort', _id, { keepCopy: true, confirm: true });
  return hasCopy
    ? lastCopy(
        nsOf(from),
        `${into.db}.${into.stagingName}`,
        `${call} ends the split and keeps the copy.`,
      )
    : new TuneError(
        'TUNE-35017',
        `${nsOf(from)} no longer exists, or another collection has its name, and its copy no longer ` +
          `exists either. ${call} ends the split.`,
        { value: nsOf(from) },
      );
}

/** @param {boolean} isBack @returns {'source' | null} */
const goneOf = (isBack) => (isBack ? null : 'source');

/**
 * Says whether the source may be cut off in this phase, or was before an unfinished abort.
 * @param {Split} split
 */
function mayBeCut({ phase, mode, history }) {
  const before = phase === 'aborting' ? (history.at(-2)?.phase ?? phase) : phase;
  return cutWayOf(before) === 'forward' || blocksIn(before, mode) === true;
}

/**
 * Says whether the copy stays: a resumed abort keeps it if the first one was called with `keep`.
 * @param {Split} split
 * @param {boolean} asked
 */
const isKept = ({ kept = false }, asked) => asked || kept;

/**
 * Says whether the copy had all writes before it could get its name. An abort that began before may
 * have reopened the source.
 * @param {Split} split
 */
const isDrained = ({ phase }) => phase === 'switching';

/** Completes the switch; documents of the target expire again. @param {SplitJob} job */
async function completeSwitch(job) {
  // Without the source nothing was drained: a later command reads the stream from here.
  const start = job.split.mode === 'online' ? await rollbackStart(job) : {};
  await job.save({ phase: 'switching', ...start });
  await replaceView(job, forward(job.split).to, job.split.ttl?.forward);
  await job.save(AFTER_THE_SWITCH.forward(job.split));
}

/** @param {SplitJob} job @throws {TuneError} TUNE-35004, TUNE-35010 */
async function checkNotSwitched(job) {
  const { _id, from, into, sourceUuid, stagingUuid, target, phase, mode } = job.split;
  if (
    !stagingUuid ||
    !(await isMajorityCommitted(job, () => isInPlace(job.port, { ...into, uuid: stagingUuid })))
  )
    return;
  // Another session gave the copy the name: the source takes the writes, and nothing was cut off.
  if (await job.again(() => isInPlace(job.port, { ...from, uuid: sourceUuid })))
    throw new TuneError(
      'TUNE-35004',
      `Another session renamed the copy to ${target}, and ${nsOf(from)} is active: ` +
        `${await wayBack(job.port, into, into.stagingName)}, then retry the command. It drops what was written to ` +
        `${target}; { keepCopy: true } keeps it.`,
      { value: target, waitsForPerson: true },
    );
  const hasSource = await job.again(() => nameByUuid(job.port, from.db, sourceUuid));
  // Without the source nothing can be applied any more.
  const isDoubtful = mode === 'offline' && job.split.needsFullCompare;
  if (hasSource && (isDoubtful || !isDrained(job.split)))
    throw await endedEarly(job, forward(job.split));
  await checkNothingLate(job, forward(job.split));
  await completeSwitch(job);
  const way =
    mode === 'offline' || !hasSource
      ? `a new plan moves it back, once ${callText('split.finish', _id, { confirm: true, open: true })} has dropped the old data.`
      : `${callText('split.rollback', ownId(job.split), { confirm: true })} rolls it back.`;
  throw new TuneError('TUNE-35010', `${target} is already active: ${way}`, { value: phase });
}

module.exports = { abortSplit };
