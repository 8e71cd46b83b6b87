'use strict';

const { showChange } = require('../config/change');
const { commandsOf } = require('../change/pure/steps');
const { rampEstimateOf, rampEstimateWords, SWITCH_SECONDS } = require('./pure/ramp-estimate');
const { switchCostOf } = require('./pure/switch-cost');
const { configuredValues } = require('../change/plan-change');
const { settingsAfter } = require('../observe/settings');
const { confText } = require('../config/conf-lines');
const { FIRST_A_SECONDS } = require('./run-blocks');
const { isNotRestored } = require('./close-journal');
const { callText } = require('../base/pure/printable');
const { needsForce } = require('../change/undo-call');
const { undoCall } = require('./restore-a');

/**
 * @import { Planned } from '../change/plan-change'
 * @import { Change, Context } from '../base/types'
 * @import { Conclusion } from './conclude'
 * @import { EarlyEnd } from './early-end'
 * @import { Spec, GuardrailBreak } from './run-blocks'
 * @import { Settings } from '../change/types'
 * @import { Facts } from '../server/pure/types'
 * @import { TrialRun } from './trial-run'
 * @import { TrialData } from './types'
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
  blockSeconds: spec.seconds,
  keep,
  commands: commandsOf(planned.steps),
  order: spec.slots.map(({ setting }) => setting).join(''),
});

/**
 * Reports what a trial would do.
 * @param {{
 *   settings: Settings, planned: Planned, spec: Spec, keep: TrialData['keep'],
 *   given: Record<string, any>
 * }} parts
 * @returns {TrialData}
 */
function plannedReport(parts) {
  const { settings, planned, spec, given } = parts;
  const { slots, seconds, washOut, guardrail } = spec;
  const alike = common(parts);
  const down = (/** @type {'minSeconds' | 'maxSeconds'} */ which) =>
    alike.rampEstimate.reduce((sum, way) => sum + (way[which] ?? 0), 0) * (slots.length / 2);
  const inAll = (/** @type {number} */ washed, /** @type {number} */ downSeconds) =>
    Math.min(FIRST_A_SECONDS, seconds) +
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
    expected: null,
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
    guardrail: { limits: null, given: guardrail, broken: null },
    externalChanges: [],
    warnings: [
      ...alike.rampEstimate.map((way) => rampEstimateWords(way, spec[way.to])),
      ...planned.warnings,
      ...settings.notes,
    ],
    notes: [],
    switchCost: switchCostOf([], []),
    conf: null,
    undo:
      parts.keep === 'never'
        ? null
        : callText('undo', { confirm: true, force: needsForce(planned, settings) }),
    confirm: `tune.trial(${showChange(spec.B)}, { ${options} })`,
  };
}

/**
 * Reports what a trial found.
 * @param {Context} ctx
 * @param {{
 *   facts: Facts, settings: Settings, planned: Planned,
 *   run: TrialRun, early: EarlyEnd | null,
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
  const { conf, why } = kept
    ? await linesToKeep(ctx, { facts, settings, change: run.spec.B })
    : confText(null, null);
  return {
    ...common({ settings, planned, spec: run.spec, keep }),
    id,
    dryRun: false,
    ...judged,
    expected: run.expected,
    kept,
    seconds,
    longestSeconds: null,
    blocks: run.blocks,
    ended: early?.kind ?? 'complete',
    switchCost: switchCostOf(run.switches, run.costs),
    guardrail: {
      limits: run.referenceA?.limits ?? null,
      given: run.spec.guardrail,
      broken: brokenOf(run.broken),
    },
    externalChanges: run.changeRun.external,
    warnings: [...planned.drifting, ...warnings, ...[why ?? []].flat()],
    notes,
    conf,
    undo: kept || isLeftOpen(run) ? undoCall(run).undo : null,
    confirm: null,
  };
}

/**
 * @param {Context} ctx
 * @param {{ facts: Facts, settings: Settings, change: Change }} kept `settings`: before the trial
 */
async function linesToKeep(ctx, { facts, settings, change }) {
  const after = await settingsAfter(ctx, facts);
  return confText(change, (after ?? settings).config);
}

/** @param {TrialRun} run */
const isLeftOpen = (run) => run.changeRun.lateCalls.length > 0 || isNotRestored(run);

/** @param {GuardrailBreak | null} broken */
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
