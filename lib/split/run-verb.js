'use strict';

const { TuneError } = require('../base/pure/errors');
const { report } = require('../text/report');
const { takeLease } = require('./lease');
const { retrying } = require('./retry');
const { checkPrimary } = require('./server');
const { reopenFirst } = require('./revert');
const { readNames } = require('./blocked-names');
const { recover } = require('./recover');
const { splitsOf } = require('./state');
const { SplitJob } = require('./split-job');
const { statusOfSplit } = require('./split-status');
const { PHASES } = require('./directions');
const { startGuardian } = require('./guardian');
const { stopped } = require('./stopped');

/**
 * @import { DataContext } from '../base/context'
 * @import { Guardian } from './guardian'
 * @import { Phase, Split } from './state'
 */

/**
 * What the commands of a split that is under way have in common.
 * @typedef {DataContext} Context
 * @typedef {{
 *   name: string, phases: readonly Phase[],
 *   fits?(split: Split): boolean, does(split: Split): string[] | Promise<string[]>,
 *   warns?(split: Split): Promise<string[]>, run(job: SplitJob): Promise<void>, guarded?: boolean,
 *   evenLost?: boolean
 * }} Verb
 *   `phases`: in which it can be done; `does`: what it would do, in sentences; `warns`: what stands
 *   in its way now;
 *   `guarded`: another process goes on where this one dies, false: that is not wanted; `evenLost`:
 *   also where a collection that was to get its name back is gone
 */

/**
 * @param {Context} ctx
 * @param {Verb} verb
 * @param {{ id: string | undefined, confirm: boolean | undefined, also?: Record<string, unknown> }}
 *   asked `also`: further options
 */
async function runVerb(ctx, verb, { id, confirm, also = {} }) {
  const all = await splitsOf(ctx.port, id, { phase: { $in: verb.phases } });
  const splits = all.filter(
    (split) => verb.phases.includes(split.phase) && (verb.fits?.(split) ?? true),
  );
  const plans = [...new Set(splits.map(({ planId }) => planId))];
  if (!confirm)
    return shown(
      verb.name,
      await wouldDo(verb, splits),
      plans.length === 0 ? null : confirmCall(verb.name, id ?? plans[0], also),
    );
  if (all.length === 0) throw noSuch(id);
  if (splits.length === 0)
    throw new TuneError(
      'TUNE-35010',
      `${verb.name} is not possible: ` +
        `${all.map(({ source, phase }) => `${source} is ${phase}`).join(', ')}.`,
      { value: all[0].phase, allowed: verb.phases },
    );
  checkOnePlan(verb.name, id, plans);
  const done = await doEach(ctx, verb, splits);
  return shown(
    verb.name,
    done.map((split) => ({ ...statusOfSplit(split), does: null })),
    null,
  );
}

/** @param {Context} ctx @param {Verb} verb @param {readonly Split[]} splits */
async function doEach(ctx, verb, splits) {
  /** @type {Guardian | null} */ let guardian = null;
  const done = [];
  try {
    for (const split of splits) {
      // One that has taken over a split ends with that.
      if (verb.guarded && split.mode === 'online' && !guardian?.isAvailable())
        guardian = await startGuardian(ctx);
      done.push(
        await withJob(
          ctx,
          split,
          async (job) => {
            checkPhase(verb, job.split);
            await guarded(guardian, job, verb.run);
          },
          { evenLost: verb.evenLost },
        ),
      );
    }
  } finally {
    guardian?.end();
  }
  return done;
}

/**
 * Runs the command with the guardian watching. If it fails when the source may be cut off, the
 * guardian takes over and this shell sends nothing more.
 * @param {Guardian | null} guardian
 * @param {SplitJob} job
 * @param {Verb['run']} does
 */
async function guarded(guardian, job, does) {
  const id = job.split._id;
  guardian?.watch(id, job.lease.owner);
  try {
    await does(job);
    guardian?.forget(id);
  } catch (error) {
    // A command that was refused has begun nothing.
    const isRefused = /** @type {any} */ (error)?.code === 'TUNE-35010';
    if (guardian && !isRefused && mayBeCut(job.split)) {
      const isHandedOver = guardian.handOver(id);
      if (error instanceof Object) Object.assign(error, { isHandedOver });
    } else guardian?.forget(id);
    throw error;
  }
}

/** @param {Split} split */
const mayBeCut = ({ phase, reopened }) =>
  Boolean(reopened) ||
  Object.values(PHASES).some(({ ready: _ready, ...cutting }) =>
    Object.values(cutting).includes(/** @type {any} */ (phase)),
  );

/**
 * Under the lease: before it another shell may have gone on.
 * @param {Verb} verb
 * @param {Split} split
 * @throws {TuneError} TUNE-35010
 */
function checkPhase(verb, split) {
  if (verb.phases.includes(split.phase) && (verb.fits?.(split) ?? true)) return;
  throw new TuneError(
    'TUNE-35010',
    `${verb.name} is not possible: ${split.source} is ${split.phase}.`,
    { value: split.phase, allowed: verb.phases },
  );
}

/** @param {Verb} verb @param {readonly Split[]} splits */
async function wouldDo(verb, splits) {
  const rows = [];
  for (const split of splits)
    rows.push({
      ...statusOfSplit(split),
      does: [...(await verb.does(split)), ...(verb.warns ? await verb.warns(split) : [])],
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
      'Both names refuse until it is done. If this shell dies, type tune.split.resume(id, { ' +
        'confirm: true }).',
    ];
  return [
    wanted
      ? 'If this shell dies meanwhile, a second process (the guardian) goes on or rolls back ' +
        'within seconds.'
      : 'If this shell dies meanwhile, both names refuse until tune.split.resume(id, { ' +
        'confirm: true }).',
  ];
}

/** @param {string | undefined} id */
const noSuch = (id) =>
  new TuneError(
    'TUNE-35012',
    id === undefined ? 'No split is in a phase for that.' : `There is no split "${id}".`,
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
 * @param {{ heir?: string | null, evenLost?: boolean, onLease?(owner: string): void }} [how] `heir`:
 *   owner of a lease that is known to be dead; `evenLost`: see Verb
 * @returns {Promise<Split>} as it is then
 */
async function withJob(ctx, split, what, { heir = null, evenLost = false, onLease } = {}) {
  const lease = await checkPrimary(ctx.port, ctx.signal)
    .then(async () => {
      const taken = await takeLease(ctx.port, split._id, ctx.signal, heir);
      onLease?.(taken.owner);
      return taken;
    })
    .catch((error) => {
      throw stopped(error, split, ctx.signal);
    });
  /** @type {SplitJob | null} */ let job = null;
  try {
    // Another shell may have gone on before this one had the lease.
    const [now] = await retrying(ctx.signal, () => splitsOf(ctx.port, split._id));
    job = new SplitJob(ctx, now, lease);
    if (job.doubt) await recover(job);
    await reopenFirst(job, evenLost);
    await what(job);
    return { ...job.split, lease: null };
  } catch (error) {
    const now = job?.split ?? split;
    throw stopped(error, { ...now, ...(await readNames(ctx.port, now)) }, ctx.signal);
  } finally {
    ctx.progress(null);
    // Unless all that was sent is known to be over, the next owner recovers first. If this fails
    // too, the lease runs out by itself.
    await (job?.isQuiet ? lease.release() : lease.leave()).catch(() => undefined);
  }
}

/**
 * @template {ReturnType<typeof statusOfSplit> & { does: string[] | null }} T
 * @param {string} command
 * @param {T[]} splits
 * @param {string | null} confirm
 */
function shown(command, splits, confirm) {
  const data = { command, dryRun: splits.every(({ does }) => does !== null), splits, confirm };
  return report(data, (ink) => require('./pure/split-text').renderSplits(data, ink));
}

module.exports = { runVerb, guardianSays, withJob, noSuch, shown, checkOnePlan };
