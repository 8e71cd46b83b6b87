'use strict';

const { TuneError } = require('../base/pure/errors');
const { isPassing } = require('./retry');
const { startGuardian } = require('./guardian');
const { PHASE_TABLE, blocksIn, isLeftBehind, isUnfinished } = require('./pure/phase-table');
const { withLease } = require('./with-lease');

/**
 * @import { Guardian } from './guardian'
 * @import { Context } from './split-command'
 * @import { SplitJob } from './split-job'
 * @import { Split, SplitCommand } from './types'
 */

/**
 * @typedef {{ done: Map<string, Split>, failed: { split: Split, error: any }[], left: Split[] }}
 *   Outcome `done`: by the id of the split; `left`: the splits that were not begun
 */

/**
 * Runs a command on one collection after the other, beginning with those that may be blocked.
 * @param {Context} ctx
 * @param {SplitCommand} command
 * @param {readonly Split[]} splits
 * @returns {Promise<Split[]>} in their given order
 */
async function runOnEach(ctx, command, splits) {
  /** @type {Guardian | null} */ let guardian = null;
  const inOrder = splits.toSorted((a, b) => urgency(a) - urgency(b));
  const done = await oneByOne(inOrder, async (split) => {
    // A guardian that has taken over a split ends with that split.
    if (!guardian?.isAvailable()) guardian = await guardianFor(ctx, command, split);
    return runOne(ctx, { command, guardian }, split);
  }).finally(() => /** @type {Guardian | null} */ (guardian)?.end());
  return splits.flatMap(({ _id }) => done.get(_id) ?? []);
}

/**
 * Runs the splits one by one. Where one fails the others continue: a blocked split must not wait
 * for the fault of another one.
 * @param {readonly Split[]} splits
 * @param {(split: Split) => Promise<Split>} one
 * @returns {Promise<Map<string, Split>>} by the id of the split
 * @throws the first failure, with the outcome of the others
 */
async function oneByOne(splits, one) {
  /** @type {Outcome} */ const outcome = { done: new Map(), failed: [], left: [] };
  for (const split of splits)
    if (mustStop(outcome, split)) outcome.left.push(split);
    else
      await one(split).then(
        (now) => outcome.done.set(split._id, now),
        (error) => outcome.failed.push({ split, error }),
      );
  if (outcome.failed.length > 0) throw withOthers(outcome);
  return outcome.done;
}

/** Returns the urgency of a split; the lowest comes first. @param {Split} split */
function urgency(split) {
  if (split.reopened || blocksIn(split.phase, split.mode) !== false) return 0;
  return isUnfinished(split) ? 1 : 2;
}

/** These codes concern the server or this shell, so also every other split. */
const OF_ALL = Object.freeze(['TUNE-20006', 'TUNE-30009', 'TUNE-31003', 'TUNE-35019']);

/** Says whether the guardian of one split has ended: the next one gets its own. @param {any} error */
const hasEnded = ({ value }) => value === 'ended';

/**
 * Says whether no more is begun: where the disk is full, only splits that are cut off continue.
 * @param {Outcome} outcome
 * @param {Split} split
 */
const mustStop = ({ failed }, split) =>
  failed.some(
    ({ error }) =>
      !(error instanceof TuneError) ||
      (OF_ALL.includes(error.code) && !hasEnded(error)) ||
      (error.code === 'TUNE-35014' && !isUnfinished(split)),
  );

/**
 * Runs a command under the lease. The guardian watches from the lease on: a shell may also die
 * while it takes over a split that another one left.
 * @param {Context} ctx
 * @param {{ command: SplitCommand, guardian: Guardian | null }} how
 * @param {Split} split
 */
async function runOne(ctx, { command, guardian }, split) {
  let hasBegun = false;
  try {
    return await withLease(
      ctx,
      split,
      async (job) => {
        hasBegun = true;
        await runGuarded(guardian, job, command);
      },
      {
        allowLost: command.allowLost,
        onLease: (owner) => guardian?.watch(split._id, owner, command.undoes),
      },
    );
  } catch (error) {
    if (!hasBegun) guardian?.forget(split._id);
    throw error;
  }
}

/**
 * Returns the first failure, with the outcome of the other splits.
 * @param {Outcome} outcome @returns {any}
 */
function withOthers({ done, failed: [{ error }, ...more], left }) {
  if (!(error instanceof TuneError)) return error;
  const names = (/** @type {Iterable<Split>} */ splits) =>
    [...splits].map(({ source, phase }) => `${source} (${phase})`).join(', ');
  error.message = [
    error.message,
    ...more.map((one) => `Also failed: ${one.error.message}`),
    ...(done.size > 0 ? [`Done by the same call: ${names(done.values())}.`] : []),
    ...(left.length > 0 ? [`Not begun by it: ${names(left)}.`] : []),
  ].join(' ');
  return error;
}

/**
 * @param {Context} ctx @param {SplitCommand} command @param {Split} split
 * @returns {Promise<Guardian | null>} null: no guardian is needed, or none can be started
 * @throws {TuneError} TUNE-35019 where a guardian is required
 */
async function guardianFor(ctx, { guardian = 'none' }, split) {
  if (guardian === 'none' || split.mode !== 'online') return null;
  if (guardian === 'required') return startGuardian(ctx);
  return isUnfinished(split) ? startGuardian(ctx).catch(() => null) : null;
}

/**
 * Runs the command with the guardian watching. If it fails when the source may be cut off, the
 * guardian takes over and this shell sends nothing more.
 * @param {Guardian | null} guardian
 * @param {SplitJob} job
 * @param {SplitCommand} command
 */
async function runGuarded(guardian, job, command) {
  const id = job.split._id;
  job.isUnguarded = () => command.guardian === 'required' && guardian?.isAvailable() === false;
  guardian?.watch(id, job.lease.owner, command.undoes);
  try {
    if (!isAllowed(command, job.split)) throw notAllowed(command, [job.split]);
    await command.run(job);
    guardian?.forget(id);
  } catch (error) {
    leaveToGuardian(guardian, job, { command, error });
    throw error;
  }
}

/**
 * Hands a split over to the guardian where it may be cut off.
 * @param {Guardian | null} guardian @param {SplitJob} job
 * @param {{ command: SplitCommand, error: any }} failed
 */
function leaveToGuardian(guardian, { split }, { command: { undoes }, error }) {
  const isLeft = isLeftBehind(split, undoes);
  if (!guardian || isFinal(error, split) || !(isLeft || mayBeSaved(error, split)))
    return guardian?.forget(split._id);
  const isHandedOver = guardian.handOver(split._id) && isLeft;
  if (error instanceof Object) Object.assign(error, { isHandedOver });
}

/**
 * Says whether an abort may be written down although no answer said so: the guardian reads it.
 * @param {any} error @param {Split} split
 */
const mayBeSaved = (error, split) =>
  isUnfinished(split) && (isPassing(error) || error?.code === 'TUNE-20006');

/**
 * Says whether a failure is final: a refused command has begun nothing, and an abort that fails
 * waits for a decision.
 * @param {any} error @param {Split} split
 */
const isFinal = (error, { phase }) =>
  error?.code === 'TUNE-35010' ||
  error?.waitsForPerson ||
  (phase === 'aborting' &&
    error instanceof TuneError &&
    error.code !== 'TUNE-30009' &&
    !isPassing(error));

/**
 * Says whether a command is allowed. It is asked again under the lease: before that another shell
 * may have continued.
 * @param {SplitCommand} command @param {Split} split
 */
const isAllowed = (command, split) =>
  command.phases.includes(split.phase) && (command.isAllowed?.(split) ?? true);

/**
 * Leaves out splits that have ended: they must not stop the others of their plan.
 * @param {Split[]} splits
 */
function notOver(splits) {
  const left = splits.filter(({ phase }) => PHASE_TABLE[phase]?.stage !== 'over');
  return left.length > 0 ? left : splits;
}

/** @param {SplitCommand} command @param {readonly Split[]} splits */
const notAllowed = (command, splits) =>
  new TuneError(
    'TUNE-35010',
    `${command.name} is not possible: ` +
      `${splits.map(({ source, phase }) => `${source} is ${phase}`).join(', ')}.`,
    {
      value: splits[0].phase,
      allowed: command.phases.filter((phase) => isAllowed(command, { ...splits[0], phase })),
    },
  );

module.exports = { notOver, runOnEach, oneByOne, isAllowed, notAllowed };
