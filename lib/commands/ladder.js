'use strict';

const { defineCommand } = require('../base/pure/command');
const { number, flag } = require('../base/pure/options');
const { report } = require('../text/report');
const { gainsOf } = require('../bench/load/step-gains');
const { interrupted } = require('../base/context');
const { examine } = require('../observe/settings');
const { checkProcess } = require('../change/check-server');
const { planBench, LOAD_OPTIONS } = require('../bench/plan');
const { withSession, workerPoolFor, examineTarget } = require('../bench/session');
const { readSteps } = require('../bench/read-steps');
const { planSequence, makeSequence } = require('../bench/step-sequence');
const { awaitHostStep } = require('../bench/host-step');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { LadderStep } from '../bench/read-steps'
 * @import { Session } from '../bench/session'
 * @import { Sequence } from '../bench/step-sequence'
 * @import { Context } from '../base/types'
 * @import { Measured } from './types'
 */

const NAME = 'tune.ladder';
/**
 * The baseline is measured again after so many steps: on machines shared with others what drifts in
 * minutes is more than most steps gain.
 */
const RECHECKS = 2;
const WAIT_SECONDS = 600;

module.exports = defineCommand({
  name: 'ladder',
  group: 'bench',
  order: 2,
  takes: ['change', 'options'],
  usage: 'tune.ladder(steps, { confirm, … })',
  summary: 'What each of several steps gains, one on top of the other',
  details:
    'steps: a list of settings such as { cacheSizeGB: 2 }, and of what you do yourself: { ' +
    'host: "writeback-timing" }, a rule of tune.host(), or any script with what can be seen ' +
    'of it: { host: "sysctl -w …", check: { "writeback.dirtyBytes": 536870912 } }',
  options: {
    ...LOAD_OPTIONS,
    rechecks: {
      check: number({ min: 1, max: 100, integer: true }),
      default: RECHECKS,
      description: 'measure the baseline again after this many steps',
    },
    waitSeconds: {
      check: number({ min: 0, max: 86_400 }),
      default: WAIT_SECONDS,
      description: 'how long to wait for a step of yours',
    },
    keepSteps: {
      check: flag(),
      default: false,
      description: 'leave the settings of all steps in force',
    },
  },
  examples: [
    'tune.ladder([{ cacheSizeGB: 1 }, { evictionThreadsMax: 8 }], { seconds: 60 })',
    'tune ladder [{cacheSizeGB:1}] --records 999 --threads 8 --seconds 60 --confirm',
  ],
  changes: 'settings',
  run: ladder,
});

/**
 * What each of several steps gains, one on top of the other, under the same load; the settings are
 * as before at the end.
 * @param {Context} ctx
 * @param {unknown} steps a list: changes such as { cacheSizeGB: 2 }, and { host: "rule of
 *   tune.host() or a script", check } for what the person does
 * @param {{ rechecks: number, waitSeconds: number, keepSteps: boolean }} options
 * @param {Record<string, unknown>} given the options as they were given, `seconds` for each step
 * @returns {Promise<any>}
 * @throws {TuneError} as tune.bench() and tune.apply()
 */
async function ladder(ctx, steps, { rechecks, waitSeconds, keepSteps }, given) {
  const plan = planBench(NAME, given);
  readSteps(steps, null);
  const { facts, settings } = await examine(ctx);
  const wanted = readSteps(steps, settings.run.version);
  const changes = wanted.map((step) => (step.kind === 'engine' ? step.change : {}));
  const sequence = planSequence(settings, changes, { force: plan.force, cores: facts.cores });
  const target = await examineTarget(ctx, plan);
  const about = {
    host: target.host,
    version: target.version,
    workload: plan.workload.name,
    records: plan.records,
    seconds: plan.seconds,
    warmSeconds: plan.warmSeconds,
    database: plan.database,
  };
  if (!plan.confirm)
    return shown({
      ...about,
      dryRun: true,
      steps: wanted.map(({ kind, name }) => ({ kind, name })),
      before: sequence?.before ?? {},
    });
  await checkProcess(ctx, settings);
  const workerPool = workerPoolFor(ctx, NAME, await ctx.connection());
  return withSession(ctx, plan, { name: NAME, target, workerPool }, async (session) => {
    const inSequence = makeSequence(ctx, settings, sequence, plan.seconds);
    const way = { ctx, session, inSequence, wanted, rechecks, waitSeconds };
    const { measured, error } = await goUp(way);
    const left = await inSequence.end(keepSteps && error === null);
    if (measured.length === 0) throw error;
    return shown({
      ...about,
      ...session.count,
      dryRun: false,
      ...endOf(ctx, error),
      ...left,
      measuredSteps: withGains(measured),
      notTaken: measured.filter(({ took }) => !took).length,
    });
  });
}

/**
 * @typedef {{
 *   ctx: Context, session: Session,
 *   inSequence: Sequence,
 *   wanted: LadderStep[], rechecks: number,
 *   waitSeconds: number
 * }} Way
 */

/**
 * How the sequence ended.
 * @param {Context} ctx
 * @param {Error | null} error
 * @returns {{ ended: string, because: string | null }}
 */
function endOf({ signal }, error) {
  if (error === null) return { ended: 'complete', because: null };
  return signal.aborted
    ? { ended: 'interrupted', because: 'Ctrl-C ended it before all steps were measured.' }
    : { ended: 'failed', because: error.message };
}

/** @param {any} data */
const shown = (data) =>
  report(data, (ink) => require('../bench/pure/steps-text').renderSteps(data, ink));

/**
 * Whatever ends it, what was measured is kept.
 * @param {Way} way
 * @returns {Promise<{ measured: Measured[], error: Error | null }>}
 */
async function goUp(way) {
  /** @type {Measured[]} */
  const measured = [];
  try {
    let hostSteps = 0;
    measured.push(await measure(way, { kind: 'baseline', name: 'baseline', number: 0, hostSteps }));
    for (const [i, step] of way.wanted.entries()) {
      const { took, why } = await take(way, step, i);
      if (took && step.kind === 'host') hostSteps += 1;
      const about = {
        kind: /** @type {const} */ ('step'),
        name: step.name,
        number: i + 1,
        hostSteps,
      };
      measured.push(took ? await measure(way, about) : notTaken(about, why));
      if ((i + 1) % way.rechecks === 0 || i === way.wanted.length - 1) {
        await way.inSequence.back();
        measured.push(
          await measure(way, { kind: 'baseline', name: 'baseline again', number: 0, hostSteps }),
        );
      }
    }
    return { measured, error: null };
  } catch (error) {
    return { measured, error: /** @type {Error} */ (error) };
  }
}

/**
 * Takes one step: waits for the person, or sets it.
 * @param {Way} way
 * @param {LadderStep} step
 * @param {number} i
 * @returns {Promise<{ took: boolean, why: string | null }>}
 */
async function take({ ctx, inSequence, waitSeconds }, step, i) {
  const taken =
    step.kind === 'host' ? await awaitHostStep(ctx, step, waitSeconds) : { took: true, why: null };
  await inSequence.to(i);
  return taken;
}

/**
 * Measures once, with what is in effect.
 * @param {Way} way
 * @param {Pick<Measured, 'kind' | 'name' | 'number' | 'hostSteps'>} about
 * @returns {Promise<Measured>}
 */
async function measure({ session, ctx }, about) {
  const sample = await session.measure();
  if (sample.ended !== 'complete') throw sample.error ?? interrupted();
  if (ctx.signal.aborted) throw interrupted();
  const { p50 = null, p95 = null, p99 = null } = sample.latencyMs ?? {};
  return {
    ...about,
    took: true,
    why: null,
    opsPerSec: sample.opsPerSec,
    p50Ms: p50,
    p95Ms: p95,
    p99Ms: p99,
    stalls: sample.stalls?.count ?? null,
    serverCores: sample.serverCores,
  };
}

/**
 * The row of a step that was not taken.
 * @param {Pick<Measured, 'kind' | 'name' | 'number' | 'hostSteps'>} about
 * @param {string | null} why
 * @returns {Measured}
 */
const notTaken = (about, why) => ({
  ...about,
  took: false,
  why,
  opsPerSec: 0,
  p50Ms: null,
  p95Ms: null,
  p99Ms: null,
  stalls: null,
  serverCores: null,
});

/** Each row with what its step gained. @param {Measured[]} measured */
function withGains(measured) {
  const real = measured.filter(({ took }) => took);
  const measuredSteps = gainsOf(real);
  return measured.map((one) => ({
    ...one,
    ...(one.took
      ? measuredSteps[real.indexOf(one)]
      : { opsPerSec: null, ratio: null, gain: null, drift: null }),
  }));
}
