'use strict';

const { checkOptions, flag, number, oneOf } = require('../base/pure/options');
const { checkChange, plainChange } = require('../config/check-change');
const { TRIAL_METRIC_NAMES } = require('../trial/pure/metrics');
const { keepTrace, traceOf } = require('../series/trace');
const { report } = require('../text/report');
const { askedChange, checkHost } = require('../change/asked-change');
const { examine } = require('../observe/examine');
const { guardOption } = require('../trial/guard-option');
const { showTrial, performTrial } = require('../trial/perform');

/** Two pairs are the fewest that have a spread. */
const BLOCKS = Object.freeze({ min: 4, max: 200 });
const OPTIONS = {
  confirm: flag(),
  force: flag(),
  blocks: evenNumber(BLOCKS),
  seconds: number({ min: 1, max: 3600 }),
  metric: oneOf(TRIAL_METRIC_NAMES),
  keep: oneOf(['if-better', 'never']),
  guard: guardOption(),
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
 *   metric?: import('../trial/pure/metrics').TrialMetric, keep?: 'if-better' | 'never',
 *   guard?: Partial<import('../trial/pure/guard').Limits>
 * }} TrialOptions `seconds`: of each block, what is washed out after a switch not among them;
 *   `force`: also outside the safe range
 */

/**
 * Tries a change under the load that is there: the setting as it is (A) and the one proposed (B)
 * take turns, block by block, and the pairs of blocks are compared. Without `confirm` it shows what
 * it would do, and changes nothing.
 * @param {import('../base/context').Context} ctx
 * @param {unknown} what a change such as { cacheSizeGB: 4 }, or an advice that has one
 * @param {TrialOptions} [options]
 * @returns {Promise<import('../trial/trial-report').TrialData &
 *   import('../text/report').Report>}
 * @throws {import('../base/pure/errors').TuneError} TUNE-1xxxx, TUNE-2xxxx, TUNE-3xxxx, TUNE-40001
 */
async function trial(ctx, what, options) {
  const given = checkOptions('tune.trial', OPTIONS, options);
  const { change, host } = askedChange('tune.trial', what);
  checkChange(plainChange(change), null);
  const { facts, settings } = await examine(ctx);
  checkHost(host, settings.run.host);
  const wanted = {
    ...DEFAULTS,
    ...given,
    change: checkChange(plainChange(change), settings.run.version),
  };
  return shown(
    given.confirm
      ? await performTrial(ctx, { facts, settings }, wanted)
      : showTrial({ facts, settings }, wanted, given),
  );
}

/** @template {import('../trial/trial-report').TrialData} T @param {T} data */
function shown(data) {
  const trace = traceOf(data);
  const made = report(data, (ink) =>
    require('../trial/pure/trial-text').renderTrial(data, ink, trace),
  );
  return trace === null ? made : keepTrace(made, trace);
}

/** @param {{ min: number, max: number }} limits @returns {import('../base/pure/options').Option} */
function evenNumber(limits) {
  const { allowed, schema } = number({ ...limits, integer: true });
  return {
    allowed: `an even number${allowed.replace('a whole number', '')}: half of them for each setting`,
    schema: (v) => v.pipe(schema(v), v.multipleOf(2)),
  };
}

module.exports = { trial };
