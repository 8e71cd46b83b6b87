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
 * Milliseconds: A must be restored within 2 s of a broken limit. A sample costs the server 1 ms.
 */
const SAMPLE_MS = 500;
/** The guardrail judges the last few seconds only. */
const KEPT_SAMPLES = 120;

/**
 * @typedef {{ say: string, force: boolean, conflict?: OrderConflict, left?: SettingName[] }} RestoreFailure
 *   `force`: nothing may be sent, and an undo has to be forced; `left`: what alone could not be
 *   restored, for its `conflict`
 */

/** A trial under way: which of A and B is in effect, what was measured, and what others did. */
class TrialRun {
  /** What is in effect; null: not known. */
  activeSide = /** @type {Side | null} */ ('A');
  /** Where it is on its way to. */
  targetSide = /** @type {Side | null} */ (null);
  /** Of the last switch. */
  steps = /** @type {Step[]} */ ([]);
  blocks = /** @type {Block[]} */ ([]);
  samplesOfA = /** @type {Sample[][]} */ ([]);
  referenceA = /** @type {ReferenceA | null} */ (null);
  sinceSwitch = /** @type {Sample[]} */ ([]);
  /** Every sample, to be drawn. */
  rolling = new TrialSeries(SAMPLE_MS / 1000);
  /** What the last switch did to the clients is over. */
  washed = true;
  guardNow = /** @type {{ [name: string]: number | null } | null} */ (null);
  broken = /** @type {GuardrailBreak | null} */ (null);
  /** What other sessions have set of the same, and is in effect. */
  externalSettings = /** @type {Change} */ ({});
  /** A call that was given up came after a later one. */
  hasLateCall = false;
  /** Why A may not be restored, or not whole. */
  restoreFailure = /** @type {RestoreFailure | null} */ (null);
  switching = /** @type {Switching | null} */ (null);
  switches = /** @type {Switch[]} */ ([]);
  /** What B is expected to do, from A's first seconds; null: not known. */
  expected = /** @type {Expected | null} */ (null);
  /** Of the blocks, to hold the switches against. */
  costs = /** @type {Cost[]} */ ([]);

  /** @param {Spec} spec @param {ChangeRun} changeRun */
  constructor(spec, changeRun) {
    this.spec = spec;
    this.changeRun = changeRun;
  }

  /** The first call to it goes out. @param {Side} side */
  leavesFor(side) {
    this.activeSide = null;
    this.targetSide = side;
  }

  /** @param {Side} side @param {Step[]} steps that led to it */
  arrivedAt(side, steps) {
    this.activeSide = side;
    this.targetSide = null;
    this.steps = steps;
    this.sinceSwitch = [];
    this.washed = false;
  }

  /** Nothing is to be sent for it. */
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
   * On the way to B clients are stopped on purpose, for half a second at a time: there only a stall
   * counts.
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

  /** It may have been what another session set. */
  excuseB() {
    this.broken = null;
  }

  /** @param {Switching} switching from its first call on */
  switchBegins(switching) {
    this.switching = switching;
  }

  /** Its first measured second has come, or it was given up. @param {Switch} what it cost */
  switchEnds(what) {
    this.switching = null;
    this.switches.push(what);
  }

  /** A call that was given up has come: what is in effect is not what was last sent. */
  noteLateCall() {
    this.hasLateCall = true;
  }

  /** What landed is set right by the calls that follow. */
  clearLateCall() {
    this.hasLateCall = false;
  }

  /** @param {Change} change what of the same settings others set */
  setByOthers(change) {
    Object.assign(this.externalSettings, change);
  }

  /** Where not even a part may be restored, that counts. @param {RestoreFailure} why */
  noteRestoreFailure(why) {
    if (!this.restoreFailure?.force) this.restoreFailure = why;
  }

  /** Only a part of A is in effect. */
  stopsHalfWay() {
    this.activeSide = null;
  }
}

module.exports = { TrialRun, SAMPLE_MS };
