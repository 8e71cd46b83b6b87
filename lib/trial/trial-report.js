'use strict';

const { showChange } = require('../config/change');
const { commandsOf } = require('../change/pure/steps');
const { rampEstimateOf, rampEstimateWords, SWITCH_SECONDS } = require('./pure/ramp-estimate');
const { switchCostOf } = require('./pure/switch-cost');
const { configuredValues } = require('../change/plan-change');
const { settingsAfter } = require('../observe/settings');
const { confText } = require('../change/conf-text');
const { FIRST_SAMPLE_SECONDS } = require('./experiment');
const { isBlocked } = require('./close-journal');
const { undoCall } = require('./restore-a');

/**
 * @import { Context } from '../base/context'
 * @import { ExternalChange } from '../change/external-change'
 * @import { Planned } from '../change/plan-change'
 * @import { Change } from '../config/setting-table'
 * @import { Settings } from '../observe/settings'
 * @import { Facts } from '../server/pure/facts'
 * @import { Conclusion } from './conclude'
 * @import { EarlyEnd, EndKind } from './early-end'
 * @import { Spec, Trial, Tripped } from './experiment'
 * @import { TrialVerdict } from './pure/decide'
 * @import { Block } from './pure/figures'
 * @import { Limits } from './pure/guardrail'
 * @import { TrialJudgement } from './pure/judge'
 * @import { TrialMetric } from './pure/metrics'
 * @import { GoingDown } from './pure/ramp-estimate'
 * @import { SwitchCost } from './pure/switch-cost'
 */

/**
 * @typedef {{
 *   id: string | null, at: Date, host: string | null, version: string | null, dryRun: boolean,
 *   metric: TrialMetric, a: Change, b: Change,
 *   verdict: TrialVerdict | null, ratio: number | null,
 *   low: number | null, high: number | null, because: string | null, moreBlocks: number | null,
 *   effects: TrialJudgement['effects'], blocks: Block[],
 *   order: string, pairs: number, seconds: number, longestSeconds: number | null,
 *   secondsPerBlock: number, keep: 'if-better' | 'never', kept: boolean, effective: 'A' | 'B' | null,
 *   verified: boolean | null, ended: 'complete' | EndKind | null,
 *   guard: { limits: Limits | null, given: Partial<Limits>, broken: { what: string, kind: string |
 *     null, value: number | null, limit: number | null, backMs: number | null, recovered: boolean |
 *     null } | null },
 *   externalChanges: ExternalChange[],
 *   rampEstimate: GoingDown[],
 *   switchCost: SwitchCost,
 *   commands: ReturnType<typeof commandsOf>, warnings: string[], notes: string[],
 *   conf: string | null, undo: string | null, confirm: string | null
 * }} TrialData `ratio`, `low`, `high`: B ÷ A of `metric`; `verdict`: null where it is only shown;
 *   `seconds`: all it took, or would take; `order`: the
 *   settings of the blocks; `rampEstimate`: what is known of the switches to a smaller cache or a
 *   lower trigger before they are made; `switchCost`:
 *   what all switches did to the clients, beside the measured seconds; `externalChanges`: what
 *   another session set while a switch was on its way
 */

/** @param {{ settings: Settings, planned: Planned, spec: Spec, keep: TrialData['keep'] }} parts */
const common = ({ settings, planned, spec, keep }) => ({
  rampEstimate: rampEstimateOf({
    A: spec.A,
    B: spec.B,
    raw: configuredValues(settings),
    live: settings.live,
  }),
  at: new Date(),
  host: settings.run.host,
  version: settings.run.version,
  metric: spec.metric,
  a: spec.A,
  b: spec.B,
  secondsPerBlock: spec.seconds,
  keep,
  commands: commandsOf(planned.steps),
  order: spec.slots.map(({ setting }) => setting).join(''),
});

/**
 * What a trial would do.
 * @param {{
 *   settings: Settings, planned: Planned, spec: Spec, keep: TrialData['keep'],
 *   given: Record<string, any>
 * }} parts
 * @returns {TrialData}
 */
function plannedReport(parts) {
  const { settings, planned, spec, given } = parts;
  const { slots, seconds, washOut, guard } = spec;
  const alike = common(parts);
  const down = (/** @type {'minSeconds' | 'maxSeconds'} */ which) =>
    alike.rampEstimate.reduce((sum, way) => sum + (way[which] ?? 0), 0) * (slots.length / 2);
  const inAll = (/** @type {number} */ washed, /** @type {number} */ downSeconds) =>
    Math.min(FIRST_SAMPLE_SECONDS, seconds) +
    slots.length * (seconds + washed + SWITCH_SECONDS.plain) +
    downSeconds;
  const options = Object.entries({ ...given, confirm: true })
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ');
  return {
    ...alike,
    id: null,
    dryRun: true,
    verdict: null,
    ratio: null,
    low: null,
    high: null,
    because: null,
    moreBlocks: null,
    effects: {},
    blocks: [],
    pairs: slots.length / 2,
    seconds: inAll(washOut.minSeconds, down('minSeconds')),
    longestSeconds: inAll(washOut.maxSeconds, down('maxSeconds')),
    kept: false,
    effective: 'A',
    verified: null,
    ended: null,
    guard: { limits: null, given: guard, broken: null },
    externalChanges: [],
    warnings: [
      ...alike.rampEstimate.map((way) => rampEstimateWords(way, spec[way.to])),
      ...planned.warnings,
      ...settings.notes,
    ],
    notes: [],
    switchCost: switchCostOf([], []),
    conf: null,
    undo: null,
    confirm: `tune.trial(${showChange(spec.B)}, { ${options} })`,
  };
}

/**
 * What a trial found.
 * @param {Context} ctx
 * @param {{
 *   facts: Facts, settings: Settings, planned: Planned,
 *   run: Trial, early: EarlyEnd | null,
 *   conclusion: Conclusion, keep: TrialData['keep'], seconds: number
 * }} parts
 * @returns {Promise<TrialData>}
 */
async function trialReport(
  ctx,
  { facts, settings, planned, run, early, conclusion, keep, seconds },
) {
  const { kept, warnings, notes, ...judged } = conclusion;
  const { id } = run.changeRun;
  const after = kept ? await settingsAfter(ctx, facts) : null;
  return {
    ...common({ settings, planned, spec: run.spec, keep }),
    id,
    dryRun: false,
    ...judged,
    kept,
    seconds,
    longestSeconds: null,
    blocks: run.blocks,
    ended: early?.kind ?? 'complete',
    switchCost: switchCostOf(run.switches, run.costs),
    guard: { limits: run.ofA?.limits ?? null, given: run.spec.guard, broken: brokenOf(run.broken) },
    externalChanges: run.changeRun.external,
    warnings,
    notes,
    conf: kept ? confText(run.spec.B, (after ?? settings).config) : null,
    undo: kept || isLeftOpen(run) ? undoCall(id, run.blocked) : null,
    confirm: null,
  };
}

/** @param {Trial} run */
const isLeftOpen = (run) => run.changeRun.lateCalls.length > 0 || isBlocked(run);

/** @param {Tripped | null} broken */
const brokenOf = (broken) =>
  broken && {
    what: broken.what,
    kind: broken.kind ?? null,
    value: broken.value,
    limit: broken.limit,
    backMs: broken.backMs ?? null,
    recovered: broken.recovered ?? null,
  };

module.exports = { plannedReport, trialReport };
