'use strict';

const { TuneError } = require('../base/pure/errors');
const { stay } = require('./catch-up');
const { currentDirection, directionOf, forward, nsOf } = require('./directions');
const { advanceTo } = require('./advance');
const {
  COPY_PHASES,
  canCatchUp,
  cutWayOf,
  isLeftBehind,
  isUnfinished,
} = require('./pure/phase-table');
const { reconcileReverse, restartCopy, restartReverse } = require('./recopy');
const { splitsOf } = require('./state');
const { abortSplit } = require('./abort');
const { rollBack } = require('./rollback');
const { withLease } = require('./with-lease');
const { withRecovery } = require('./run-phases');
const { hasBegun, isInPlace } = require('./where-it-stands');

/**
 * @import { Context } from './split-command'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/** Continues from the phase in which a split was left. @param {SplitJob} job */
async function resume(job) {
  await goOn(job);
  await checkActive(job);
}

/** @param {SplitJob} job */
async function goOn(job) {
  const { phase, mode } = job.split;
  if (phase === 'aborting') return abortSplit(job);
  if (cutWayOf(phase) === 'reverse') return rollBack(job);
  if (phase === 'switched') return mode === 'online' ? reconcileReverse(job) : undefined;
  return advanceTo(job, cutWayOf(phase) === null ? 'ready' : 'switched');
}

/**
 * Refuses a collection that replaced the active one: the stream of the former has no events of it.
 * @param {SplitJob} job
 * @throws {TuneError} TUNE-35005
 */
async function checkActive(job) {
  if (!canCatchUp(job.split)) return;
  const { from } = currentDirection(job.split);
  if (await job.again(() => isInPlace(job.port, from))) return;
  throw new TuneError(
    'TUNE-35005',
    `${nsOf(from)} was dropped, renamed or replaced by another session: what was written there ` +
      'since is in no copy.',
    { value: nsOf(from) },
  );
}

/**
 * Continues in the place of a dead shell: a split that is cut off is completed or undone; any other
 * stays unchanged.
 * @param {Context} ctx
 * @param {string} id of one collection's split
 * @param {Set<string>} owners of the dead shell's lease, and of those that this process had since
 * @param {boolean} [undoes] its command was abort
 */
async function resumeSplit(ctx, id, owners, undoes = false) {
  const [split] = await splitsOf(ctx.port, id);
  if (!split) throw new TuneError('TUNE-35012', `There is no split "${id}".`, { value: id });
  if (!isUnfinished(split)) return;
  if (split.lease && !owners.has(split.lease.owner)) return;
  await withLease(
    ctx,
    split,
    async (job) => {
      // A save of the dead shell that was late cannot arrive any more.
      if (!isLeftBehind(job.split, undoes)) return;
      const way = cutWayOf(job.split.phase);
      const hasToGoOn =
        way === null
          ? job.split.phase === 'aborting'
          : await job.again(() => hasBegun(job, directionOf(job.split, way)));
      if (hasToGoOn) await resume(job);
    },
    { heir: split.lease?.owner ?? null, onLease: (owner) => owners.add(owner) },
  );
}

/** Begins again: with a new copy, or with a comparison of everything. @param {SplitJob} job */
async function restart(job) {
  const { phase, mode } = job.split;
  if (phase === 'switched' && mode === 'online') return restartReverse(job);
  if (!COPY_PHASES.includes(phase) && !(await isUndoneOffline(job)))
    throw new TuneError(
      'TUNE-35010',
      `${job.split.source} is ${phase}: the copy cannot be restarted.`,
      { value: phase, allowed: COPY_PHASES },
    );
  await restartCopy(job);
  return advanceTo(job, 'ready');
}

/**
 * Says whether an offline cut was undone. Online, the command that finds it saves an earlier phase.
 * @param {SplitJob} job
 */
const isUndoneOffline = async ({ port, split, again }) =>
  split.mode === 'offline' &&
  split.phase === 'switching' &&
  again(() => isInPlace(port, forward(split).from));

/**
 * Continues to apply writes, if possible: another shell may have continued meanwhile.
 * @param {SplitJob} job
 */
const stayIfPossible = async (job) =>
  canCatchUp(job.split) ? withRecovery(job, () => stay(job)) : undefined;

/**
 * Follows several collections. Where one fails the others stop too, so that their leases are free
 * when the error is thrown.
 * @param {Context} ctx
 * @param {Split[]} splits
 */
async function followAll(ctx, splits) {
  const failed = new AbortController();
  const signal = AbortSignal.any([ctx.signal, failed.signal]);
  const ended = await Promise.allSettled(
    splits.map((split) =>
      canCatchUp(split)
        ? withLease({ ...ctx, signal }, split, stayIfPossible).catch((error) => {
            failed.abort(failed.signal.reason ?? error);
            throw error;
          })
        : split,
    ),
  );
  if (failed.signal.aborted) throw failed.signal.reason;
  return ended.map((one, i) => (one.status === 'fulfilled' ? one.value : splits[i]));
}

module.exports = { followAll, restart, resume, resumeSplit };
