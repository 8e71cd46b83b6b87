'use strict';

const { defineCommand, confirmOption } = require('../base/pure/command');
const { flag, number, oneOf } = require('../base/pure/options');
const { checkChange, plainChange } = require('../config/check-change');
const { TRIAL_METRIC_NAMES } = require('../trial/pure/figures');
const { attachSeries, attachedSeries } = require('../series/chart-data');
const { report } = require('../text/report');
const { requestedChange, checkHost } = require('../change/plan-change');
const { examine } = require('../observe/settings');
const { checkProcess } = require('../change/check-server');
const { guardrailOption } = require('../trial/pure/guardrail');
const { showTrial, runTrialPlan } = require('../trial/run-trial-plan');
const { VENDOR } = require('../change/pure/risks');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Option } from '../base/pure/options'
 * @import { Report } from '../text/report'
 * @import { Limits } from '../trial/pure/guardrail'
 * @import { TrialMetric } from '../trial/pure/figures'
 * @import { Context } from '../base/types'
 * @import { TrialData } from '../trial/types'
 */

/** Two pairs are the fewest that have a spread. */
const BLOCKS = Object.freeze({ min: 4, max: 200 });
/**
 * Four pairs show an effect of 10% where blocks of half a minute differ by 3%
 * (docs/evidence/trials.md).
 */
const USUAL_BLOCKS = 8;

module.exports = defineCommand({
  name: 'trial',
  group: 'Test',
  order: 1,
  takes: ['change', 'options'],
  usage: 'tune.trial(change, { confirm, blocks, … })',
  summary: 'A/B-tests a change under live load',
  details:
    'It runs under the live load and answers better, worse, same or inconclusive, ' +
    'with ratio and confidence interval. When the new setting hurts, and after ' +
    'Ctrl-C, the old one is back within 2 s. A smaller cache or a lower trigger ' +
    'goes back in steps, within 20 s; the answer has the cost of each switch',
  options: {
    confirm: confirmOption('only what would be sent is shown'),
    force: {
      check: flag(),
      default: false,
      description: 'go on although it looks unsafe, or another session changed it',
    },
    blocks: {
      check: evenNumber(BLOCKS),
      default: USUAL_BLOCKS,
      description: 'how many, an even number',
    },
    blockSeconds: {
      check: number({ min: 1, max: 3600 }),
      default: 30,
      description: 'of each block, counted after it has settled',
    },
    metric: {
      check: oneOf(TRIAL_METRIC_NAMES),
      default: 'opsPerSec',
      description: '"opsPerSec", "readLatencyMs", "writeP99Ms", …',
    },
    keep: {
      check: oneOf(['if-better', 'never']),
      default: 'if-better',
      description: '"if-better" or "never"',
    },
    guardrail: {
      check: guardrailOption(),
      description: 'limits for B: { readLatencyMs, writeLatencyMs, appWaitRatio, errors }',
    },
  },
  examples: [
    'tune.trial({ evictionThreadsMax: 8 })',
    'tune.trial({ evictionThreadsMax: 8 }, { confirm: true, blocks: 4, blockSeconds: 2, keep: ' +
      '"never" })',
    'tune trial --cacheSizeGB 0.5 --metric readP95Ms',
  ],
  changes: 'settings',
  onMongos: 'connect to the primary of the shard that is slow: a trial is about one cache',
  risks: [
    VENDOR,
    'It runs a candidate that may be worse, under live load, for half of the time.',
    'The guardrail ends a trial after clients were slowed down for about 3 s, not before.',
    'Each switch changes the running server. A cache that was made smaller has to be filled again.',
    'If the shell is killed while B is active, B stays active until tune.undo() or a restart.',
    'When B is proven better, it stays active, unless { keep: "never" }.',
  ],
  run: trial,
});

/**
 * @typedef {{
 *   confirm: boolean, force: boolean, blocks: number, blockSeconds: number, metric: TrialMetric,
 *   keep: 'if-better' | 'never', guardrail?: Partial<Limits>
 * }} TrialOptions
 */

/**
 * Tries a change under the load that is there: the setting as it is (A) and the one proposed (B)
 * take turns, block by block, and the pairs of blocks are compared. Without `confirm` it shows what
 * it would do, and changes nothing.
 * @param {Context} ctx
 * @param {unknown} what a change such as { cacheSizeGB: 4 }, or an advice that has one
 * @param {TrialOptions} options
 * @param {Record<string, unknown>} given the options as they were given
 * @returns {Promise<TrialData &
 *   Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx, TUNE-3xxxx, TUNE-40001
 */
async function trial(ctx, what, options, given) {
  const { change, host, warnings } = requestedChange('tune.trial', what);
  checkChange(plainChange(change), null);
  const { facts, settings } = await examine(ctx);
  checkHost(host, settings.run.host);
  if (options.confirm) await checkProcess(ctx, settings);
  const { blockSeconds: seconds, ...rest } = options;
  const wanted = {
    ...rest,
    seconds,
    change: checkChange(plainChange(change), settings.run.version),
  };
  const data = options.confirm
    ? await runTrialPlan(ctx, { facts, settings }, wanted)
    : showTrial({ facts, settings }, wanted, given);
  data.warnings.unshift(...warnings);
  return shown(data);
}

/** The answer, with the time series of the trial. @template {TrialData} T @param {T} data */
function shown(data) {
  const chartData = attachedSeries(data);
  const made = report(data, (ink) =>
    require('../trial/pure/trial-text').renderTrial(data, ink, chartData),
  );
  return chartData === null ? made : attachSeries(made, chartData);
}

/**
 * An option that is an even number.
 * @param {{ min: number, max: number }} limits
 * @returns {Option}
 */
function evenNumber(limits) {
  const { allowed, schema } = number({ ...limits, integer: true });
  return {
    allowed: `an even number${allowed.replace('a whole number', '')}: half of them for each setting`,
    schema: (v) => v.pipe(schema(v), v.multipleOf(2)),
  };
}
