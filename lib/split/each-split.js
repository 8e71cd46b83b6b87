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
 * @typedef {{ done: Map<string, Split>, failed: { split: Split, error: any }[], left: Split[] }} Outcome
 *   `done`: by the id of the split; `left`: what was not begun
 */

/**
 * One collection after the other, what may be blocked first.
 * @param {Context} ctx
 * @param {SplitCommand} command
 * @param {readonly Split[]} splits
 * @returns {Promise<Split[]>} in the order they were given
 */
async function runOnEach(ctx, command, splits) {
  /** @type {Guardian | null} */ let guardian = null;
  const inOrder = splits.toSorted((a, b) => urgency(a) - urgency(b));
  const done = await oneByOne(inOrder, async (split) => {
    // One that has taken over a split ends with that.
    if (!guardian?.isAvailable()) guardian = await guardianFor(ctx, command, split);
    return runOne(ctx, { command, guardian }, split);
  }).finally(() => /** @type {Guardian | null} */ (guardian)?.end());
  return splits.flatMap(({ _id }) => done.get(_id) ?? []);
}

/**
 * Where one fails the others go on: a split that is blocked must not wait for what is wrong with
 * another.
 * @param {readonly Split[]} splits
 * @param {(split: Split) => Promise<Split>} one
 * @returns {Promise<Map<string, Split>>} by the id of the split
 * @throws the first failure, with what became of the others
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

/** The lowest first. @param {Split} split */
function urgency(split) {
  if (split.reopened || blocksIn(split.phase, split.mode) !== false) return 0;
  return isUnfinished(split) ? 1 : 2;
}

/** They concern the server or this shell, so also every other split. */
const OF_ALL = Object.freeze(['TUNE-20006', 'TUNE-30009', 'TUNE-31003', 'TUNE-35019']);

/**
 * Whether nothing more is begun: where the disk is full, no more than what is cut off.
 * @param {Outcome} outcome
 * @param {Split} split
 */
const mustStop = ({ failed }, split) =>
  failed.some(
    ({ error }) =>
      !(error instanceof TuneError) ||
      OF_ALL.includes(error.code) ||
      (error.code === 'TUNE-35014' && !isUnfinished(split)),
  );

/**
 * The guardian watches from the lease on: a shell may also die while it takes over what another one
 * left.
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

/** The first failure, with what became of the others. @param {Outcome} outcome @returns {any} */
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
 * @returns {Promise<Guardian | null>} null: none is needed, or none can be had
 * @throws {TuneError} TUNE-35019 where one is required
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
    if (guardian && isLeftBehind(job.split, command.undoes) && !isFinal(error, job.split)) {
      const isHandedOver = guardian.handOver(id);
      if (error instanceof Object) Object.assign(error, { isHandedOver });
    } else guardian?.forget(id);
    throw error;
  }
}

/**
 * A command that was refused has begun nothing; and an abort that fails waits for a decision.
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
 * Asked again under the lease: before it another shell may have gone on.
 * @param {SplitCommand} command @param {Split} split
 */
const isAllowed = (command, split) =>
  command.phases.includes(split.phase) && (command.isAllowed?.(split) ?? true);

/**
 * What has ended must not stop the others of its plan.
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
