'use strict';

const { TuneError } = require('../base/pure/errors');
const { flag } = require('../base/pure/options');
const { report } = require('../text/report');
const { takeLease } = require('./lease');
const { asUsersRead } = require('./lost-record');
const { isPassing, retrying } = require('./retry');
const { checkConnections, checkPrimary } = require('./server');
const { reopenFirst } = require('./undo-cut');
const { readNames } = require('./blocked-names');
const { recover } = require('./rename-staging');
const { splitsOf } = require('./state');
const { SplitJob } = require('./split-job');
const { statusOfSplit } = require('./split-status');
const { isUnfinished } = require('./pure/phase-table');
const { startGuardian } = require('./guardian');

/**
 * @import { DataContext } from '../base/context'
 * @import { Guardian } from './guardian'
 * @import { Phase } from './state'
 * @import { Split, SplitCommand } from './types'
 */

/**
 * What the commands of a split that is under way have in common.
 * @typedef {DataContext} Context
 */

/**
 * @param {Context} ctx
 * @param {SplitCommand} command
 * @param {{ id: string | undefined, confirm: boolean | undefined, also?: Record<string, unknown> }}
 *   asked `also`: further options
 * @returns {Promise<ReturnType<typeof doneReport>>}
 */
async function runSplitCommand(ctx, command, { id, confirm, also = {} }) {
  const all = await splitsOf(ctx.port, id, { phase: { $in: command.phases } });
  const splits = all.filter((split) => isAllowed(command, split));
  const plans = [...new Set(splits.map(({ planId }) => planId))];
  if (all.length === 0 && (confirm || id !== undefined)) throw noSuch(id);
  if (!confirm)
    return splitsReport(
      command.name,
      await wouldDo(command, splits),
      plans.length === 0 ? null : confirmCall(command.name, id ?? plans[0], also),
    );
  if (splits.length === 0) throw notAllowed(command, all);
  checkOnePlan(command.name, id, plans);
  return doneReport(command.name, await runOnEach(ctx, command, splits));
}

/**
 * One collection after the other.
 * @param {Context} ctx
 * @param {SplitCommand} command
 * @param {readonly Split[]} splits
 * @returns {Promise<Split[]>}
 */
async function runOnEach(ctx, command, splits) {
  /** @type {Guardian | null} */ let guardian = null;
  const done = [];
  try {
    for (const split of splits) {
      // One that has taken over a split ends with that.
      if (!guardian?.isAvailable()) guardian = await guardianFor(ctx, command, split);
      done.push(
        await withLease(
          ctx,
          split,
          async (job) => {
            if (!isAllowed(command, job.split)) throw notAllowed(command, [job.split]);
            await runGuarded(guardian, job, command.run);
          },
          { allowLost: command.allowLost },
        ),
      );
    }
  } catch (error) {
    throw withDone(error, done);
  } finally {
    guardian?.end();
  }
  return done;
}

/** What the same call did before it failed. @param {any} error @param {readonly Split[]} done */
function withDone(error, done) {
  if (done.length === 0 || !(error instanceof TuneError)) return error;
  const names = done.map(({ source, phase }) => `${source} (${phase})`).join(', ');
  error.message = `${error.message} Already done by the same call: ${names}.`;
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
 * @param {SplitCommand['run']} run
 */
async function runGuarded(guardian, job, run) {
  const id = job.split._id;
  guardian?.watch(id, job.lease.owner);
  try {
    await run(job);
    guardian?.forget(id);
  } catch (error) {
    if (guardian && isUnfinished(job.split) && !isFinal(error, job.split)) {
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

/** @param {SplitCommand} command @param {readonly Split[]} splits */
const notAllowed = ({ name, phases }, splits) =>
  new TuneError(
    'TUNE-35010',
    `${name} is not possible: ` +
      `${splits.map(({ source, phase }) => `${source} is ${phase}`).join(', ')}.`,
    { value: splits[0].phase, allowed: phases },
  );

/** @param {SplitCommand} command @param {readonly Split[]} splits */
async function wouldDo(command, splits) {
  const rows = [];
  for (const split of splits)
    rows.push({
      ...statusOfSplit(split),
      does: [...(await command.preview(split)), ...((await command.obstacles?.(split)) ?? [])],
    });
  return rows;
}

/**
 * Nothing is done to more than was named.
 * @param {string} name
 * @param {string | undefined} id
 * @param {readonly string[]} plans
 * @throws {TuneError} TUNE-10004
 */
function checkOnePlan(name, id, plans) {
  if (id === undefined && plans.length > 1)
    throw new TuneError(
      'TUNE-10004',
      `${name}: ${plans.length} plans are in a phase for it, ${plans.join(', ')}: name one.`,
      { value: plans, allowed: 'the id of a plan' },
    );
}

/** @param {'online' | 'offline'} mode @param {boolean} wanted @returns {string[]} */
function guardianSays(mode, wanted) {
  if (mode === 'offline')
    return [
      'Both namespaces are blocked until it is done. If this shell dies, type ' +
        'tune.split.resume(id, { confirm: true }).',
    ];
  return [
    wanted
      ? 'If this shell dies, a second process (the guardian) completes it or cancels ' +
        'it within seconds.'
      : 'If this shell dies, both namespaces stay blocked until tune.split.resume(id, ' +
        '{ confirm: true }).',
  ];
}

/** @param {string | undefined} id */
const noSuch = (id) =>
  new TuneError(
    'TUNE-35012',
    id === undefined ? 'No split is in a phase for this command.' : `There is no split "${id}".`,
    { value: id },
  );

/** @param {string} name @param {string} id @param {Record<string, unknown>} also */
const confirmCall = (name, id, also) =>
  `${name}("${id}", { ` +
  `${[...Object.entries(also).filter(([, value]) => value !== undefined), ['confirm', true]].map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ')} })`;

/**
 * Under the lease, which is given back however it ends.
 * @param {Context} ctx
 * @param {Split} split
 * @param {(job: SplitJob) => Promise<void>} what
 * @param {{ heir?: string | null, allowLost?: boolean, onLease?(owner: string): void }} [how] `heir`:
 *   owner of a lease that is known to be dead; `allowLost`: see SplitCommand
 * @returns {Promise<Split>} as it is then
 */
async function withLease(ctx, split, what, { heir = null, allowLost = false, onLease } = {}) {
  const lease = await checkPrimary(ctx.port, ctx.signal)
    .then(async () => {
      checkConnections(ctx.port, split.mode);
      const taken = await takeLease(ctx.port, split._id, ctx.signal, heir);
      onLease?.(taken.owner);
      return taken;
    })
    .catch(async (error) => {
      throw await asUsersRead(ctx, error, split);
    });
  /** @type {SplitJob | null} */ let job = null;
  try {
    // Another shell may have gone on before this one had the lease.
    job = new SplitJob(ctx, await readAgain(ctx, split._id), lease);
    if (job.doubt) await recover(job);
    await reopenFirst(job, allowLost);
    await what(job);
    return { ...job.split, lease: null };
  } catch (error) {
    const now = job?.split ?? split;
    throw await asUsersRead(ctx, error, { ...now, ...(await readNames(ctx.port, now)) });
  } finally {
    ctx.progress(null);
    // Unless all that was sent is known to be over, the next owner recovers first. If this fails
    // too, the lease runs out by itself.
    await (job?.isQuiet ? lease.release() : lease.leave()).catch(() => undefined);
  }
}

/** @param {Context} ctx @param {string} id @returns {Promise<Split>} @throws {TuneError} TUNE-35012 */
async function readAgain({ port, signal }, id) {
  const [split] = await retrying(signal, () => splitsOf(port, id));
  if (!split) throw noSuch(id);
  return split;
}

const DONE = Object.freeze({ does: /** @type {string[] | null} */ (null) });
/** What the collections are like now. @param {string} command @param {readonly Split[]} splits */
const doneReport = (command, splits) =>
  splitsReport(
    command,
    splits.map((split) => ({ ...statusOfSplit(split), ...DONE })),
    null,
  );

/**
 * @param {string} [when] it matters
 * @returns the option `guardian` of a command
 */
const guardianOption = (when) => ({
  check: flag(),
  default: true,
  description: `false: without guardian, the process that continues if this shell dies${when ? ` ${when}` : ''}`,
});

/**
 * @template {ReturnType<typeof statusOfSplit> & { does: string[] | null }} T
 * @param {string} command
 * @param {T[]} splits
 * @param {string | null} confirm
 * @returns `splits.does`: what would be done, in sentences; null: nothing is only shown
 */
function splitsReport(command, splits, confirm) {
  const data = { command, dryRun: splits.every(({ does }) => does !== null), splits, confirm };
  return report(data, (ink) => require('./pure/split-text').renderSplits(data, ink));
}

module.exports = {
  runSplitCommand,
  runOnEach,
  wouldDo,
  doneReport,
  guardianOption,
  guardianSays,
  withLease,
  noSuch,
  splitsReport,
  checkOnePlan,
};
