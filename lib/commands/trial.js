'use strict';

const { checkOptions, flag, number, oneOf } = require('../base/pure/options');
const { checkChange, plainChange } = require('../config/check-change');
const { TRIAL_METRIC_NAMES } = require('../trial/pure/metrics');
const { attachSeries, attachedSeries } = require('../series/chart-data');
const { report } = require('../text/report');
const { requestedChange, checkHost } = require('../change/requested-change');
const { examine } = require('../observe/examine');
const { guardrailOption } = require('../trial/guardrail-option');
const { showTrial, runTrialPlan } = require('../trial/run-trial-plan');

/**
 * @import { Context } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Option } from '../base/pure/options'
 * @import { Report } from '../text/report'
 * @import { Limits } from '../trial/pure/guardrail'
 * @import { TrialMetric } from '../trial/pure/metrics'
 * @import { TrialData } from '../trial/trial-report'
 */

/** Two pairs are the fewest that have a spread. */
const BLOCKS = Object.freeze({ min: 4, max: 200 });
const OPTIONS = {
  confirm: flag(),
  force: flag(),
  blocks: evenNumber(BLOCKS),
  seconds: number({ min: 1, max: 3600 }),
  metric: oneOf(TRIAL_METRIC_NAMES),
  keep: oneOf(['if-better', 'never']),
  guard: guardrailOption(),
};
/**
 * Four pairs tell an effect of a tenth where blocks of half a minute differ by 3 %
 * (docs/evidence/trials.md).
 */
const DEFAULTS = Object.freeze({
  blocks: 8,
  seconds: 30,
  metric: /** @type {const} */ ('opsPerSec'),
  keep: /** @type {const} */ ('if-better'),
});

/**
 * @typedef {{
 *   confirm?: boolean, force?: boolean, blocks?: number, seconds?: number,
 *   metric?: TrialMetric, keep?: 'if-better' | 'never',
 *   guard?: Partial<Limits>
 * }} TrialOptions `seconds`: of each block, what is washed out after a switch not among them;
 *   `force`: also outside the safe range
 */

/**
 * Tries a change under the load that is there: the setting as it is (A) and the one proposed (B)
 * take turns, block by block, and the pairs of blocks are compared. Without `confirm` it shows what
 * it would do, and changes nothing.
 * @param {Context} ctx
 * @param {unknown} what a change such as { cacheSizeGB: 4 }, or an advice that has one
 * @param {TrialOptions} [options]
 * @returns {Promise<TrialData &
 *   Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx, TUNE-3xxxx, TUNE-40001
 */
async function trial(ctx, what, options) {
  const given = checkOptions('tune.trial', OPTIONS, options);
  const { change, host, warnings } = requestedChange('tune.trial', what);
  checkChange(plainChange(change), null);
  const { facts, settings } = await examine(ctx);
  checkHost(host, settings.run.host);
  const wanted = {
    ...DEFAULTS,
    ...given,
    change: checkChange(plainChange(change), settings.run.version),
  };
  const data = given.confirm
    ? await runTrialPlan(ctx, { facts, settings }, wanted)
    : showTrial({ facts, settings }, wanted, given);
  data.warnings.unshift(...warnings);
  return shown(data);
}

/** @template {TrialData} T @param {T} data */
function shown(data) {
  const chartData = attachedSeries(data);
  const made = report(data, (ink) =>
    require('../trial/pure/trial-text').renderTrial(data, ink, chartData),
  );
  return chartData === null ? made : attachSeries(made, chartData);
}

/** @param {{ min: number, max: number }} limits @returns {Option} */
function evenNumber(limits) {
  const { allowed, schema } = number({ ...limits, integer: true });
  return {
    allowed: `an even number${allowed.replace('a whole number', '')}: half of them for each setting`,
    schema: (v) => v.pipe(schema(v), v.multipleOf(2)),
  };
}

module.exports = { trial };
