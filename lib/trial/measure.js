'use strict';

const { takeSample } = require('../server/sampler');
const { makeWindow } = require('../server/pure/window');
const { metricsOf } = require('../server/pure/metrics');
const { NO_FACTS } = require('../server/pure/facts');
const { count } = require('../base/pure/units');
const { sleep } = require('../base/context');
const { isWashedOut, isSettled } = require('./pure/wash-out');
const { figuresOf } = require('./pure/figures');
const { costOf, momentOf } = require('./pure/switch-cost');
const { checkServer } = require('../change/check-server');
const { EarlyEnd } = require('./early-end');
const { endSwitch, takeLatencies } = require('./switch-record');
const { SAMPLE_MS } = require('./trial-run');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Sample } from '../server/pure/sample'
 * @import { Block } from './pure/figures'
 * @import { Slot } from './pure/schedule'
 * @import { TrialRun } from './trial-run'
 */

/**
 * Milliseconds between samples after a switch: its effect on clients comes in its first seconds,
 * and is soon over.
 */
const CLOSE_SAMPLE_MS = 100;
const CLOSE_SECONDS = 2;

/**
 * Measures one block, after the wash-out.
 * @param {TrialRun} trial @param {Slot} slot
 * @returns {Promise<{ block: Block, samples: Sample[] }>}
 * @throws {EarlyEnd} when B breaks the guardrail
 */
async function measureBlock(trial, slot) {
  const { washOutSeconds, settled } = await washOut(trial, slot);
  const { port } = trial.changeRun.ctx;
  const before = await takeLatencies(port);
  endSwitch(trial, before);
  const samples = await sampleFor(trial, trial.spec.seconds, (seconds) =>
    line(trial, slot, `${seconds} of ${trial.spec.seconds} s`),
  );
  const after = await takeLatencies(port);
  trial.costs.push(costOf(samples.map(momentOf), before, after));
  const window = makeWindow(samples);
  return {
    block: {
      ...slot,
      at: window.from,
      seconds: window.seconds,
      washOutSeconds,
      settled,
      ...figuresOf(samples, before, after),
    },
    samples,
  };
}

/**
 * @param {TrialRun} trial
 * @param {Slot} slot
 * @returns {Promise<{ washOutSeconds: number, settled: boolean }>}
 */
async function washOut(trial, slot) {
  if (trial.washed) return { washOutSeconds: 0, settled: true };
  const started = performance.now();
  do {
    await sampleOnce(trial);
    const seconds = (performance.now() - started) / 1000;
    line(trial, slot, `settling for ${Math.round(seconds)} s`);
    await sleep(seconds < CLOSE_SECONDS ? CLOSE_SAMPLE_MS : SAMPLE_MS, trial.changeRun.ctx.signal);
  } while (!isWashedOut(trial.spec.washOut, trial.sinceSwitch));
  trial.washedOut();
  return {
    washOutSeconds: (performance.now() - started) / 1000,
    settled: isSettled(trial.spec.washOut, trial.sinceSwitch),
  };
}

/**
 * Samples at a fixed rate, and applies the guardrail where B is effective.
 * @param {TrialRun} trial @param {number} seconds @param {(seconds: number) => void} notify
 * @returns {Promise<Sample[]>}
 */
async function sampleFor(trial, seconds, notify) {
  /** @type {Sample[]} */
  const samples = [];
  const started = performance.now();
  for (let dueMs = 0; dueMs <= seconds * 1000; dueMs += SAMPLE_MS) {
    await sleep(Math.max(0, started + dueMs - performance.now()), trial.changeRun.ctx.signal);
    samples.push(await sampleOnce(trial));
    notify(Math.round(dueMs / 1000));
  }
  return samples;
}

/** @param {TrialRun} trial @returns {Promise<Sample>} @throws {EarlyEnd} */
async function sampleOnce(trial) {
  const sample = await takeSample(trial.changeRun.ctx.port);
  await refuseRestarted(trial, sample);
  trial.sampled(sample);
  if (trial.breaksGuardrail())
    throw new EarlyEnd('guardrail', 'B exceeded a limit of the guardrail.');
  return sample;
}

/**
 * Refuses a sample with less uptime than the one before: the server was restarted, or the driver
 * has followed an election to a member that was started later.
 * @param {TrialRun} trial
 * @param {Sample} sample
 * @throws {TuneError} TUNE-20010, which distinguishes the two
 * @throws {EarlyEnd} when the former server answers again
 */
async function refuseRestarted({ changeRun: { ctx, settings }, sinceSwitch }, sample) {
  if (makeWindow([...sinceSwitch.slice(-1), sample]).restarts === 0) return;
  await checkServer(ctx, settings);
  throw new EarlyEnd('disturbed', 'Another server answered during the block.');
}

/** @param {TrialRun} trial @param {Slot} slot @param {string} what */
function line(trial, { number, setting }, what) {
  const ops = metricsOf(makeWindow(trial.sinceSwitch.slice(-3)), NO_FACTS)['ops.perSec'];
  const limit = (/** @type {'readLatencyMs' | 'writeLatencyMs'} */ name) =>
    trial.referenceA?.limits[name] && trial.guardNow?.[name]
      ? `${count(trial.guardNow[name])}/${count(trial.referenceA.limits[name])}`
      : null;
  const [read, write] = [limit('readLatencyMs'), limit('writeLatencyMs')];
  const near = [...(read ? [`read ${read}`] : []), ...(write ? [`write ${write}`] : [])];
  const limits = setting === 'B' && near.length > 0 ? `, guardrail: ${near.join(', ')} ms` : '';
  trial.changeRun.ctx.progress(
    `${number === 0 ? 'first sample' : `block ${number} of ${trial.spec.slots.length}`}, ` +
      `${setting}: ${what}, ${count(ops)} ops/s${limits}`,
  );
}

module.exports = { measureBlock, sampleFor, sampleOnce, line };
