'use strict';

const guardrail = require('./pure/guardrail');
const { momentOf } = require('./pure/switch-cost');
const { TrialSeries } = require('../series/time-series');

/**
 * @import { Change, SettingName } from '../base/types'
 * @import { OrderConflict } from '../change/threshold-conflict'
 * @import { ChangeRun } from '../change/change-run'
 * @import { Step } from '../change/pure/steps'
 * @import { Sample } from '../server/pure/sample'
 * @import { Expected } from '../sizing/expected'
 * @import { Spec, GuardrailBreak } from './run-blocks'
 * @import { Block } from './pure/figures'
 * @import { ReferenceA } from './pure/guardrail'
 * @import { Side } from './pure/schedule'
 * @import { Cost, Switch } from './pure/switch-cost'
 * @import { Switching } from './switch-record'
 */

/**
 * Milliseconds between samples: A must be restored within 2 s of a broken limit. A sample costs the
 * server 1 ms.
 */
const SAMPLE_MS = 500;
/** Samples that are kept: the guardrail judges the last few seconds only. */
const KEPT_SAMPLES = 120;

/**
 * @typedef {{ say: string, force: boolean, conflict?: OrderConflict, left?: SettingName[] }}
 *   RestoreFailure `force`: no call may be sent, and an undo has to be forced; `left`: the only
 *   settings that could not be restored, because of `conflict`
 */

/**
 * A trial in progress: which of A and B is in effect, what was measured, and what other sessions
 * did.
 */
class TrialRun {
  /** The side that is in effect; null: not known. */
  activeSide = /** @type {Side | null} */ ('A');
  /** The side to which a switch is in progress. */
  targetSide = /** @type {Side | null} */ (null);
  /** The steps of the last switch. */
  steps = /** @type {Step[]} */ ([]);
  blocks = /** @type {Block[]} */ ([]);
  samplesOfA = /** @type {Sample[][]} */ ([]);
  referenceA = /** @type {ReferenceA | null} */ (null);
  sinceSwitch = /** @type {Sample[]} */ ([]);
  /** Every sample, for the chart. */
  rolling = new TrialSeries(SAMPLE_MS / 1000);
  /** Whether the effect of the last switch on the clients is over. */
  washed = true;
  guardNow = /** @type {{ [name: string]: number | null } | null} */ (null);
  broken = /** @type {GuardrailBreak | null} */ (null);
  /** The same settings, as far as other sessions have set them and they are in effect. */
  externalSettings = /** @type {Change} */ ({});
  /** Whether a call that was given up arrived after a later one. */
  hasLateCall = false;
  /** Why A may not be restored, or not completely. */
  restoreFailure = /** @type {RestoreFailure | null} */ (null);
  switching = /** @type {Switching | null} */ (null);
  switches = /** @type {Switch[]} */ ([]);
  /** The expected effect of B, from A's first seconds; null: not known. */
  expected = /** @type {Expected | null} */ (null);
  /** The costs of the blocks, with which the switches are compared. */
  costs = /** @type {Cost[]} */ ([]);

  /** @param {Spec} spec @param {ChangeRun} changeRun */
  constructor(spec, changeRun) {
    this.spec = spec;
    this.changeRun = changeRun;
  }

  /** Notes that the first call of a switch to a side is sent. @param {Side} side */
  leavesFor(side) {
    this.activeSide = null;
    this.targetSide = side;
  }

  /** @param {Side} side @param {Step[]} steps the steps of the switch */
  arrivedAt(side, steps) {
    this.activeSide = side;
    this.targetSide = null;
    this.steps = steps;
    this.sinceSwitch = [];
    this.washed = false;
  }

  /** Notes that A is effective without a call. */
  settleAtA() {
    this.activeSide = 'A';
    this.targetSide = null;
    this.hasLateCall = false;
  }

  /** @param {Sample} sample */
  sampled(sample) {
    this.rolling.add(sample);
    this.sinceSwitch.push(sample);
    this.switching?.moments.push(momentOf(sample));
    if (this.sinceSwitch.length > KEPT_SAMPLES) this.sinceSwitch.splice(1, 1);
  }

  washedOut() {
    this.washed = true;
  }

  /** @param {Block} block @param {Sample[]} samples */
  measured(block, samples) {
    this.blocks.push(block);
    this.rolling.addBlock(block.setting, samples);
    if (block.setting === 'A') this.learnFromA(samples);
  }

  /** @param {Sample[]} samples */
  learnFromA(samples) {
    this.samplesOfA.push(samples);
    this.referenceA = guardrail.learnFromA(this.spec.guardrail, this.samplesOfA);
  }

  /** @param {Expected | null} expected */
  expects(expected) {
    this.expected = expected;
  }

  /**
   * Says whether B breaks the guardrail. During the switch to B clients are stopped on purpose, for
   * half a second at a time: there only a stall counts.
   * @returns {boolean} whether B broke a limit
   */
  breaksGuardrail() {
    const { activeSide, referenceA, sinceSwitch, washed } = this;
    if (referenceA === null || (activeSide !== 'B' && this.targetSide !== 'B')) return false;
    const limits = activeSide === 'B' ? referenceA : { ...referenceA, limits: guardrail.NO_LIMITS };
    const { now, broken } = guardrail.checkGuardrail(sinceSwitch, limits);
    this.guardNow = now;
    if (broken === null) return false;
    this.broken = { ...broken, atMs: performance.now(), settling: activeSide !== 'B' || !washed };
    return true;
  }

  /** Clears the break: another session's settings may have caused it. */
  excuseB() {
    this.broken = null;
  }

  /** @param {Switching} switching recorded from its first call on */
  switchBegins(switching) {
    this.switching = switching;
  }

  /**
   * Notes that a switch has reached its first measured second, or was given up.
   * @param {Switch} what the switch with its cost
   */
  switchEnds(what) {
    this.switching = null;
    this.switches.push(what);
  }

  /**
   * Notes that a call which was given up has arrived: the active setting is not the last one sent.
   */
  noteLateCall() {
    this.hasLateCall = true;
  }

  /** Forgets the late call, which the following calls correct. */
  clearLateCall() {
    this.hasLateCall = false;
  }

  /** @param {Change} change the same settings, as other sessions set them */
  setByOthers(change) {
    Object.assign(this.externalSettings, change);
  }

  /**
   * Notes why A may not be restored; a reason that forbids every part of it takes precedence.
   * @param {RestoreFailure} why
   */
  noteRestoreFailure(why) {
    if (!this.restoreFailure?.force) this.restoreFailure = why;
  }

  /** Notes that only a part of A is in effect. */
  stopsHalfWay() {
    this.activeSide = null;
  }
}

module.exports = { TrialRun, SAMPLE_MS };
