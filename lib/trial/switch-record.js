'use strict';

const { HISTOGRAM_STATUS } = require('../server/pure/commands');
const { readHistograms } = require('../server/pure/latency-histogram');
const { costOf } = require('./pure/switch-cost');
const { commandsOf } = require('../change/pure/steps');

/**
 * @import { Port } from '../base/context'
 * @import { Step } from '../change/pure/steps'
 * @import { Histograms } from '../server/pure/latency-histogram'
 * @import { Moment } from './pure/switch-cost'
 * @import { TrialRun } from './trial-run'
 */

/**
 * A switch in progress, from its first call to the first measured second.
 * @typedef {{
 *   to: 'A' | 'B', at: Date, startedMs: number, activeMs: number | null, isDown: boolean,
 *   calls: number, moments: Moment[],
 *   before: Histograms | null
 * }} Switching `startedMs`, `activeMs`: times of performance.now()
 */

/** @param {Port} port @returns {Promise<Histograms>} */
const takeLatencies = async (port) => readHistograms(await port.adminCommand(HISTOGRAM_STATUS));

/**
 * Begins the record of a switch; an interrupted switch that continues to the same setting is one
 * switch.
 * @param {TrialRun} trial @param {'A' | 'B'} setting
 */
async function beginSwitch(trial, setting) {
  if (trial.switching?.to === setting) return;
  endSwitch(trial, null);
  const before = await takeLatencies(trial.changeRun.ctx.port).catch(() => null);
  trial.switchBegins({
    to: setting,
    at: new Date(),
    startedMs: performance.now(),
    activeMs: null,
    isDown: false,
    calls: 0,
    moments: [],
    before,
  });
}

/** @param {TrialRun} trial @param {Histograms | null} after null: they could not be read */
function endSwitch(trial, after) {
  const { switching } = trial;
  if (switching === null) return;
  const { to, at, startedMs, activeMs, isDown, calls, moments, before } = switching;
  trial.switchEnds({
    to,
    at,
    isDown,
    calls,
    seconds: activeMs === null ? null : (activeMs - startedMs) / 1000,
    settlingSeconds:
      activeMs === null || !trial.washed ? null : (performance.now() - activeMs) / 1000,
    ...costOf(moments, before, after),
  });
}

/**
 * @param {TrialRun} trial @param {readonly Step[]} steps
 * @param {() => Promise<void>} act runs the steps
 */
async function countCalls({ switching, changeRun }, steps, act) {
  const before = changeRun.rampCommands.length;
  try {
    await act();
    if (switching)
      Object.assign(switching, {
        activeMs: performance.now(),
        calls: switching.calls + commandsOf(steps).length,
      });
  } finally {
    if (switching) {
      switching.isDown ||= steps.some(({ kind }) => kind === 'wait');
      switching.calls += changeRun.rampCommands.length - before;
    }
  }
}

module.exports = { beginSwitch, countCalls, endSwitch, takeLatencies };
