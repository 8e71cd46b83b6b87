'use strict';

const { callText } = require('../base/pure/printable');
const { defineCommand } = require('../base/pure/command');
const { number, flag } = require('../base/pure/options');
const { report } = require('../text/report');
const { readFactsAndSettings } = require('../observe/settings');
const { checkProcess } = require('../change/check-server');
const { planBench, LOAD_OPTIONS } = require('../bench/plan');
const { withSession, workerPoolFor, examineTarget } = require('../bench/session');
const { readSteps } = require('../bench/wanted-steps');
const { planSequence, makeSequence } = require('../bench/step-sequence');
const { measureSteps, withGains } = require('../bench/measure-steps');
const { VENDOR } = require('../change/pure/risks');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Report } from '../text/report'
 * @import { Left, SequencePlan } from '../bench/step-sequence'
 * @import { Session } from '../bench/session'
 * @import { WantedStep } from '../bench/wanted-steps'
 * @import { BenchPlan, MeasuredStep, Target } from '../bench/types'
 * @import { StepSequence } from '../bench/pure/types'
 * @import { Context } from '../base/types'
 */

const NAME = 'tune.bench.steps';
/**
 * The baseline is measured again after this many steps: on shared machines the drift of minutes is
 * larger than most gains.
 */
const RECHECKS = 2;
const WAIT_SECONDS = 600;

module.exports = defineCommand({
  name: 'bench.steps',
  group: 'Test',
  order: 2,
  takes: ['change', 'options'],
  usage: 'tune.bench.steps(steps, { confirm, … })',
  summary: 'Measures the cumulative gain of a list of changes',
  details:
    'steps: a list of settings such as { cacheSizeGB: 2 }, and of steps that you run ' +
    'on the machine: { host: "host-writeback-timing" }, a rule of tune.host(), or ' +
    'any script with a check of its result: { host: "sysctl -w …", check: { ' +
    '"writeback.dirtyBytes": 536870912 } }',
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
      description: 'how long to wait for a host step that you apply',
    },
    keepSteps: {
      check: flag(),
      default: false,
      description: 'leave the settings of all steps active',
    },
  },
  examples: [
    'tune.bench.steps([{ cacheSizeGB: 1 }, { evictionThreadsMax: 8 }], { seconds: 60 })',
    'tune bench steps [{cacheSizeGB:1}] --threads 8 --seconds 60 --confirm',
  ],
  changes: 'settings',
  onMongos: 'connect to a mongod of the same kind: a cluster has many caches',
  risks: [
    VENDOR,
    'It runs the load of tune.bench(), with its risks.',
    'It changes settings of the running server one after the other, and reverts them at the end.',
    'If the shell is killed, settings stay active until tune.undo() or a restart.',
    'Steps that you run on the machine are not reverted.',
  ],
  run: benchSteps,
});

/**
 * What each of several steps gains, one on top of the other, under the same load; the settings are
 * as before at the end.
 * @param {Context} ctx
 * @param {unknown} steps a list of changes such as { cacheSizeGB: 2 }, and of { host: "rule of
 *   tune.host() or a script", check } for steps that the person takes
 * @param {{ rechecks: number, waitSeconds: number, keepSteps: boolean }} options
 * @param {Record<string, unknown>} given the options as they were given, `seconds` for each step
 * @returns {Promise<(ReturnType<typeof planned> | ReturnType<typeof answered>) & Report>}
 * @throws {TuneError} as tune.bench() and tune.apply()
 */
async function benchSteps(ctx, steps, { rechecks, waitSeconds, keepSteps }, given) {
  const plan = planBench(NAME, given);
  readSteps(steps, null);
  const { facts, settings } = await readFactsAndSettings(ctx);
  const wanted = readSteps(steps, settings.run.version);
  const changes = wanted.map((step) => (step.kind === 'engine' ? step.change : {}));
  const sequence = planSequence(settings, changes, { force: plan.force, cores: facts.cores });
  const target = await examineTarget(ctx, plan);
  if (!plan.confirm)
    return shown(
      planned(aboutPlan(plan, target), wanted, sequence, {
        keepSteps,
        confirm: callText('bench.steps', steps, { ...plan.given, confirm: true }),
      }),
    );
  await checkProcess(ctx, settings);
  const workerPool = workerPoolFor(ctx, NAME, await ctx.connection());
  return withSession(ctx, plan, { name: NAME, target, workerPool }, async (session) => {
    const inSequence = makeSequence(ctx, settings, sequence, plan.seconds);
    const { measured, error } = await measureSteps({
      ctx,
      session,
      inSequence,
      wanted,
      rechecks,
      waitSeconds,
    });
    const left = await inSequence.end(keepSteps && error === null);
    if (measured.length === 0) throw error;
    return shown(
      answered(aboutPlan(plan, target), session.count, measured, {
        ...endOf(ctx, error),
        ...left,
        warnings: [...(sequence?.warnings ?? []), ...(left.warnings ?? [])],
      }),
    );
  });
}

/** The plan, as the answer shows it. @param {BenchPlan} plan @param {Target} target */
const aboutPlan = ({ workload, records, seconds, warmSeconds, database }, { host, version }) => ({
  host,
  version,
  workload: workload.name,
  records,
  seconds,
  warmSeconds,
  database,
});

/**
 * Makes the answer of a dry run.
 * @param {ReturnType<typeof aboutPlan>} about
 * @param {readonly WantedStep[]} wanted
 * @param {SequencePlan | null} sequence
 * @param {{ keepSteps: boolean, confirm: string }} call `confirm`: the same call with confirm
 */
const planned = (about, wanted, sequence, call) => ({
  ...about,
  dryRun: /** @type {true} */ (true),
  steps: wanted.map(({ kind, name }) => ({ kind, name })),
  before: sequence?.before ?? {},
  warnings: sequence?.warnings ?? [],
  ...call,
});

/**
 * Makes the answer after the sequence.
 * @param {ReturnType<typeof aboutPlan>} about
 * @param {Session['count']} count
 * @param {MeasuredStep[]} measured
 * @param {Omit<Left, 'ended' | 'because'> & ReturnType<typeof endOf> & { warnings: string[] }} end
 */
const answered = (about, count, measured, end) => ({
  ...about,
  ...count,
  dryRun: /** @type {false} */ (false),
  ...end,
  measuredSteps: withGains(measured),
  notTaken: measured.filter(({ took }) => !took).length,
});

/**
 * Finds how the sequence ended.
 * @param {Context} ctx
 * @param {Error | null} error
 * @returns {{
 *   ended: 'complete' | 'interrupted' | 'failed' | 'disturbed' | 'lost', because: string | null
 * }}
 */
function endOf({ signal }, error) {
  if (error === null) return { ended: 'complete', because: null };
  return signal.aborted
    ? { ended: 'interrupted', because: 'Ctrl-C ended it before all steps were measured.' }
    : { ended: 'failed', because: error.message };
}

/** @template {StepSequence} T @param {T} data @returns {T & Report} */
const shown = (data) =>
  report(data, (ink) => require('../bench/pure/steps-text').renderSteps(data, ink));
