'use strict';

const { defineCommand, confirmOption } = require('../base/pure/command');
const { flag, number, oneOf } = require('../base/pure/options');
const { checkChange, plainChange, checkForm } = require('../config/change');
const { TRIAL_METRIC_NAMES } = require('../trial/pure/figures');
const { attachSeries, attachedSeries } = require('../series/chart-data');
const { alsoWhole, report } = require('../text/report');
const { requestedChange, checkHost } = require('../change/plan-change');
const { readFactsAndSettings } = require('../observe/settings');
const { checkProcess } = require('../change/check-server');
const { guardrailOption } = require('../trial/pure/guardrail');
const { showTrial, runTrialPlan } = require('../trial/run-trial-plan');
const { BLOCKS } = require('../trial/pure/schedule');
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
    'with ratio and confidence interval. If clients suffer, and after Ctrl-C, the ' +
    'setting from before the trial (A) is active again within 2 s. From a larger cache or a higher ' +
    'trigger it is restored in steps, within 20 s; the answer has the cost of each ' +
    'switch',
  options: {
    confirm: confirmOption('a DRY RUN shows what would be sent'),
    force: {
      check: flag(),
      default: false,
      description: 'continue although it looks unsafe, or another session changed it',
    },
    blocks: {
      check: evenNumber(BLOCKS),
      default: USUAL_BLOCKS,
      description: 'number of blocks, even',
    },
    blockSeconds: {
      check: number({ min: 1, max: 3600 }),
      default: 30,
      description: 'measured seconds of each block, after it has settled',
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
    'The guardrail ends a trial only after clients were slow for about 3 s.',
    'Each switch changes the running server. A smaller cache evicts data, which ' +
      'later has to be read again.',
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
  checkForm(plainChange(change));
  const { facts, settings } = await readFactsAndSettings(ctx);
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

/** Makes the answer, with the time series of the trial. @template {TrialData} T @param {T} data */
function shown(data) {
  const chartData = attachedSeries(data);
  const drawn = (/** @type {{ isWhole?: boolean }} */ how) =>
    report(data, (ink) =>
      require('../trial/pure/trial-text').renderTrial(data, ink, chartData, how),
    );
  const made = alsoWhole(drawn({}), drawn({ isWhole: true }));
  return chartData === null ? made : attachSeries(made, chartData);
}

/**
 * Makes an option that takes an even number.
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
