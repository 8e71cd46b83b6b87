'use strict';

const { interrupted } = require('../base/context');
const { awaitHostStep } = require('./wanted-steps');

/**
 * @import { Context } from '../base/types'
 * @import { WantedStep } from './wanted-steps'
 * @import { Session } from './session'
 * @import { Sequence } from './step-sequence'
 * @import { MeasuredStep } from './types'
 */

/**
 * @typedef {{
 *   ctx: Context, session: Session,
 *   inSequence: Sequence,
 *   wanted: WantedStep[], rechecks: number,
 *   waitSeconds: number
 * }} Way
 */

/**
 * Takes the steps in turn and measures after each; keeps what was measured, however the sequence
 * ends.
 * @param {Way} way
 * @returns {Promise<{ measured: MeasuredStep[], error: Error | null }>}
 */
async function measureSteps(way) {
  /** @type {MeasuredStep[]} */
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
 * @param {WantedStep} step
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
 * Measures once with the settings that are active.
 * @param {Way} way
 * @param {Pick<MeasuredStep, 'kind' | 'name' | 'number' | 'hostSteps'>} about
 * @returns {Promise<MeasuredStep>}
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
 * Makes the row of a step that was not taken.
 * @param {Pick<MeasuredStep, 'kind' | 'name' | 'number' | 'hostSteps'>} about
 * @param {string | null} why
 * @returns {MeasuredStep}
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

/** Adds to each row what its step gained. @param {MeasuredStep[]} measured */
function withGains(measured) {
  const real = measured.filter(({ took }) => took);
  const measuredSteps = gainsOf(real);
  return measured.map((step) => ({
    ...step,
    ...(step.took
      ? measuredSteps[real.indexOf(step)]
      : { opsPerSec: null, ratio: null, gain: null, drift: null }),
  }));
}

/**
 * @typedef {{ kind: 'baseline' | 'step', hostSteps: number, opsPerSec: number }} Measured in the
 *   order of time; `hostSteps`: how many steps on the machine were in place; a baseline in between
 *   cannot undo them
 * @typedef {{ ratio: number, gain: number, drift: number }} Gain `ratio`: to the
 *   baseline as it would have been then; `gain`: to the step before; `drift`: throughput of the
 *   baseline then, against the beginning
 */

/**
 * Computes what each step gained, corrected for the drift of the machine.
 * @param {readonly Measured[]} measured the first one is the baseline
 * @returns {Gain[]} one for each measurement
 */
function gainsOf(measured) {
  const drift = driftsOf(measured);
  const base = measured[0].opsPerSec;
  let before = 1;
  return measured.map(({ kind, opsPerSec }, i) => {
    const ratio = opsPerSec / (base * drift[i]);
    const gain = kind === 'step' ? ratio / before : 1;
    if (kind === 'step') before = ratio;
    return { ratio, gain, drift: drift[i] };
  });
}

/**
 * Computes the drift at each measurement: known where the baseline was measured, linear in between.
 * @param {readonly Measured[]} measured
 * @returns {number[]}
 */
function driftsOf(measured) {
  /** @type {{ at: number, factor: number, last: Measured }[]} */
  const known = [];
  measured.forEach((step, at) => {
    const before = known[known.length - 1];
    if (step.kind !== 'baseline') return;
    // With other steps on the machine this is another baseline, from which drift begins again.
    const factor =
      before === undefined || before.last.hostSteps !== step.hostSteps
        ? 1
        : step.opsPerSec / before.last.opsPerSec;
    known.push({ at, factor: (before?.factor ?? 1) * factor, last: step });
  });
  return measured.map((_, at) => {
    const left = /** @type {typeof known[0]} */ (known.findLast((point) => point.at <= at));
    const right = known.find((point) => point.at >= at) ?? left;
    return right.at === left.at
      ? left.factor
      : left.factor + ((right.factor - left.factor) * (at - left.at)) / (right.at - left.at);
  });
}

module.exports = { measureSteps, withGains, gainsOf };
