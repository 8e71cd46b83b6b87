'use strict';

const { attachSeries, rollingSeriesOf } = require('../series/chart-data');
const { settingsOf } = require('../config/change');
const { makeSchedule } = require('./pure/schedule');
const { collectDataBytes } = require('../server/facts');
const { markInProgress } = require('../change/change-lock');
const { specOf, beginTrial, runTrial } = require('./run-blocks');
const { conclude } = require('./conclude');
const { planTrial, refuseOpen } = require('./plan');
const { plannedReport, trialReport } = require('./trial-report');

/**
 * @import { Change, Context } from '../base/types'
 * @import { Config } from '../config/types'
 * @import { Limits } from './pure/guardrail'
 * @import { TrialMetric } from './pure/figures'
 * @import { Settings } from '../change/types'
 * @import { Facts } from '../server/pure/types'
 * @import { TrialRun } from './trial-run'
 */

/**
 * @typedef {{
 *   facts: Facts, settings: Settings
 * }} Known
 * @typedef {{
 *   change: Change, blocks: number, seconds: number,
 *   metric: TrialMetric, keep: 'if-better' | 'never',
 *   force?: boolean, guardrail?: Partial<Limits>
 * }} Wanted
 */

/** @param {Known} known @param {Wanted} wanted */
function plan(
  { facts, settings },
  { change, blocks, seconds, metric, force = false, guardrail = {} },
) {
  refuseOpen(settings);
  const planned = planTrial(change, settings, { force, cores: facts.cores });
  const spec = specOf({
    A: planned.before,
    B: planned.change,
    slots: makeSchedule(blocks, Math.random),
    seconds,
    metric,
    guardrail,
    role: facts.role,
    force,
  });
  return { planned, spec };
}

/** @param {Known} known @param {Wanted} wanted @param {Record<string, any>} given as typed */
function showTrial(known, wanted, given) {
  const { planned, spec } = plan(known, wanted);
  return plannedReport({ settings: known.settings, planned, spec, keep: wanted.keep, given });
}

/** @param {Context} ctx @param {Known} known @param {Wanted} wanted */
async function runTrialPlan(ctx, known, wanted) {
  const { planned, spec } = plan(known, wanted);
  const withData = await dataKnown(ctx, known, spec.B);
  const started = performance.now();
  const run = beginTrial(ctx, spec, known.settings);
  const letGo = markInProgress(run.changeRun.id);
  try {
    const early = await runTrial(run, withData);
    const conclusion = await conclude(run, early, wanted.keep);
    const data = await trialReport(ctx, {
      ...known,
      planned,
      run,
      early,
      conclusion,
      keep: wanted.keep,
      seconds: (performance.now() - started) / 1000,
    });
    return attachSeries(data, attachedSeries(run, known));
  } finally {
    letGo();
  }
}

/**
 * Adds the size of the data where a cache size is tried: its effect depends on the data in it.
 * @param {Context} ctx @param {Known} known @param {Change} tried
 */
const dataKnown = async (ctx, { facts, settings }, tried) => ({
  ...facts,
  config: settings.config,
  dataBytes:
    tried.cacheSizeGB === undefined || facts.dataBytes !== null
      ? facts.dataBytes
      : await collectDataBytes(ctx.port),
});

/**
 * Makes the chart's series, with the levels that both settings have in common.
 * @param {TrialRun} run
 * @param {Known} known
 */
const attachedSeries = ({ rolling, spec }, { facts, settings }) =>
  rollingSeriesOf(rolling, { ...facts, config: withoutTried(settings.config, spec.B) });

/**
 * @param {Config | null} config
 * @param {Change} tried
 * @returns {Config | null}
 */
const withoutTried = (config, tried) =>
  config && {
    ...config,
    ...Object.fromEntries(
      settingsOf(tried).map((setting) => [setting, { ...config[setting], value: null }]),
    ),
  };

module.exports = { showTrial, runTrialPlan };
