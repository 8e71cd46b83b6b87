'use strict';

const journal = require('./journal');
const { lateFor, unwritableWords, writeWhenPossible } = require('./late-lines');
const { externalChange, markOverwritten, markResent } = require('./external-change');
const { InterruptedWait } = require('./interrupted-wait');
const { shownConfig } = require('../config/engine-config');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Change, Context } from '../base/types'
 * @import { Counters } from '../server/pure/counters'
 * @import { ExternalChange } from './external-change'
 * @import { Closing, JournalLine } from './pure/journal'
 * @import { OwnCall } from './pure/timeline'
 * @import { Step } from './pure/steps'
 * @import { Settings, Plan } from './types'
 */

/**
 * @typedef {Extract<Step, { kind: 'set' }>} SetStep
 * @typedef {{ step: SetStep, atMs: number, sentAtMs: number }} UnansweredCall `sentAtMs`: of performance.now()
 */

/** A change in progress on one server: what was sent and answered, and what the journal has of it. */
class ChangeRun {
  /** The settings of the change that are effective. */
  sent = /** @type {Change} */ ({});
  /** Strings of a ramp, sent beside those of the plan. */
  rampCommands = /** @type {string[]} */ ([]);
  /** Values that are not read back as sent; `replaced`: settings that another session set after tune's call. */
  mismatches = /** @type {string[]} */ ([]);
  replaced = /** @type {string[]} */ ([]);
  /** Why the journal could not be written; the missing lines follow. */
  journalProblem = /** @type {string | null} */ (null);
  /** Every call that was sent and not refused. */
  sentCalls = /** @type {OwnCall[]} */ ([]);
  /** The changes that other sessions made meanwhile. */
  external = /** @type {ExternalChange[]} */ ([]);
  /** The string that another session had set when the last call came. */
  externalBeforeCall = /** @type {string | null} */ (null);
  /** A call that was sent and is not answered. */
  unansweredCall = /** @type {UnansweredCall | null} */ (null);
  /** Unanswered calls that others followed; they may still arrive. */
  lateCalls = /** @type {UnansweredCall[]} */ ([]);
  /** Whether the run restores the previous values; a journal error does not stop that. */
  isWayBack = false;
  /** Whether the log does not reach back to the last call. */
  hasLogGap = false;
  /** How long a rollback waits for levels. */
  interruptedWait = new InterruptedWait();
  /** Longest wait for a level, ms. */
  longestWaitMs = /** @type {number | undefined} */ (undefined);
  /** Size of the journal when it was last read, bytes. */
  journalSize = /** @type {number | undefined} */ (undefined);
  /** Reads counters during a wait for a level, where the effect on clients matters. */
  watch = /** @type {(() => Promise<Counters>) | undefined} */ (undefined);
  /** Rejects where the next call must not be made. */
  beforeCall = /** @type {((step: SetStep) => Promise<void>) | undefined} */ (undefined);

  /**
   * @param {{
   *   ctx: Context, plan: Plan, settings: Settings, id: string, atMs: number,
   *   written?: JournalLine[]
   * }} begun `written`: the lines that the journal has of it
   */
  constructor({ ctx, plan, settings, id, atMs, written = [] }) {
    this.ctx = ctx;
    this.plan = plan;
    this.settings = settings;
    this.id = id;
    this.written = written;
    /** The last string that the server accepted. */
    this.lastConfig = settings.history.lastString;
    /** When the last string was known to be `lastConfig`, by the server's clock. */
    this.knownAtMs = settings.readFromMs ?? atMs;
  }

  /**
   * Sets the rules for the calls from now on; a rule that is not named stays.
   * @param {{
   *   beforeCall?: (step: SetStep) => Promise<void>, longestWaitMs?: number,
   *   watch?: () => Promise<Counters>
   * }} rules
   */
  guardCalls(rules) {
    Object.assign(this, rules);
  }

  /** Begins the rollback, which restores the previous values and which Ctrl-C does not end. */
  startWayBack() {
    this.isWayBack = true;
    this.interruptedWait.hear(this.ctx.signal);
    this.ctx = { ...this.ctx, signal: new AbortController().signal };
  }

  /** @param {SetStep} step @param {number} atMs */
  sending(step, atMs) {
    if (this.unansweredCall !== null) this.lateCalls.push(this.unansweredCall);
    this.unansweredCall = { step, atMs, sentAtMs: performance.now() };
    this.sentCalls.push({ config: step.config, atMs });
  }

  /** Notes that the server itself refused the call: no part of it can arrive later. */
  callRefused() {
    const call = this.unansweredCall;
    this.forgetUnanswered();
    this.unansweredCall = null;
    if (call === null) return;
    this.note({ kind: 'refused', id: this.id, atMs: call.atMs, command: call.step.config });
  }

  /** Forgets the call: the log has no line of a refused one. */
  forgetUnanswered() {
    if (this.unansweredCall === null) return;
    const { step, atMs } = this.unansweredCall;
    this.sentCalls = this.sentCalls.filter(
      (call) => call.config !== step.config || call.atMs !== atMs,
    );
  }

  /** The string that the last check before a call saw; null: another session set something. */
  get stringBefore() {
    return this.external.length > 0 ? null : this.lastConfig;
  }

  /** Notes a shown string: it may be a call whose answer was lost. @param {string} config that the server shows */
  noteShown(config) {
    const call = this.unansweredCall;
    if (config === this.lastConfig) return;
    if (call?.step.config === config)
      return this.accepted(call.step, { atMs: call.atMs, was: this.stringBefore });
    const late = this.lateCalls.find(({ step }) => step.config === config);
    if (late) this.lateCallArrived(late, { isEffective: true, isLast: true });
  }

  /** Counts an unanswered call as effective from here on. */
  countUnanswered() {
    Object.assign(this.sent, this.unansweredCall?.step.change);
  }

  /**
   * Notes that a call which was given up has arrived.
   * @param {UnansweredCall} call
   * @param {{ isEffective: boolean, isLast: boolean }} how `isLast`: the server shows its string
   */
  lateCallArrived(call, { isEffective, isLast }) {
    this.lateCalls = this.lateCalls.filter((other) => other !== call);
    if (!isEffective) return;
    Object.assign(this.sent, call.step.change);
    if (isLast) this.lastConfig = call.step.config;
  }

  /** @param {string | null} config the string of another session */
  noteActive(config) {
    this.lastConfig = config;
  }

  /** @param {boolean} hasGap whether the log does not reach back to the last call */
  noteLogGap(hasGap) {
    this.hasLogGap = hasGap;
  }

  /** @param {string} config a string sent beside those of the plan */
  noteRampCommand(config) {
    this.rampCommands.push(shownConfig(config));
  }

  /** @param {string} text a value that is not read back as sent @param {string[]} [replaced] */
  noteMismatch(text, replaced = []) {
    this.mismatches.push(text);
    this.replaced.push(...replaced);
  }

  /** @returns {string | null} what another session had set when the last call came; returned once */
  takeExternalBeforeCall() {
    const config = this.externalBeforeCall;
    this.externalBeforeCall = null;
    return config;
  }

  /**
   * @param {number} size bytes of the journal
   * @returns {boolean} whether the size has changed since the last question
   */
  hasJournalChanged(size) {
    const hasChanged = size !== this.journalSize;
    this.journalSize = size;
    return hasChanged;
  }

  /**
   * @param {SetStep} step
   * @param {{ atMs: number, was: string | null, answeredAtMs?: number, askedAtMs?: number }} answer `was`: the string
   *   before it; `atMs`, `answeredAtMs`: the server logged the call between these; `askedAtMs`: when it was sent,
   *   where that is another moment
   */
  accepted(step, { atMs, was, answeredAtMs, askedAtMs = atMs }) {
    const hasArrived = (/** @type {string} */ config) =>
      this.lateCalls.some((one) => one.step.config === config);
    if (was !== null && this.lastConfig !== null && was !== this.lastConfig && !hasArrived(was))
      this.overtakenBy(was);
    // A late call with the same string would change nothing.
    this.lateCalls = this.lateCalls.filter((one) => ![was, step.config].includes(one.step.config));
    markOverwritten(this.external, step.change);
    Object.assign(this.sent, step.change);
    this.unansweredCall = null;
    this.accept({ config: step.config, atMs, answeredAtMs }, askedAtMs);
    this.note({ kind: 'sent', id: this.id, atMs, command: step.config, was, answeredAtMs });
  }

  /**
   * Notes that the effective string is sent once more, to repair a refused call.
   * @param {string} config
   * @param {number} atMs
   */
  askingAgain(config, atMs) {
    this.forgetUnanswered();
    this.sentCalls.push({ config, atMs });
    this.note({ kind: 'asking', id: this.id, atMs, command: config, again: true });
  }

  /**
   * @param {string} config
   * @param {{
   *   atMs: number, was: string | null, expected: string | null, answeredAtMs?: number
   * }} answer `expected`: what the server showed before the call
   */
  acceptedAgain(config, { atMs, was, expected, answeredAtMs }) {
    if (was !== null && expected !== null && was !== expected) this.overtakenBy(was);
    markResent(this.external, config);
    this.accept({ config, atMs, answeredAtMs });
    const sent = { kind: /** @type {const} */ ('sent'), id: this.id, atMs, command: config, was };
    this.note({ ...sent, again: true, answeredAtMs });
  }

  /** @param {string} was the string of another session */
  overtakenBy(was) {
    this.externalBeforeCall = was;
    this.noteExternal([was]);
  }

  /** @param {OwnCall} answer @param {number} [askedAtMs] */
  accept({ config, atMs, answeredAtMs }, askedAtMs = atMs) {
    const call = this.sentCalls.findLast((one) => one.config === config && one.atMs === askedAtMs);
    Object.assign(call ?? {}, { atMs, answeredAtMs });
    this.lastConfig = config;
    this.knownAtMs = atMs;
  }

  /**
   * Writes a line after the server was changed: an unwritable journal stops nothing, and gets the line when it can.
   * @param {JournalLine} line
   */
  note(line) {
    this.written.push(line);
    const problem = writeWhenPossible(this.ctx.home, line);
    if (problem === null) return;
    this.journalProblem = unwritableWords(this.ctx.home, problem);
  }

  /** Notes each string once. @param {readonly string[]} configs strings of another session */
  noteExternal(configs) {
    const fresh = [...new Set(configs)].filter((config) =>
      this.external.every(({ values }) => values.config !== config),
    );
    if (fresh.length === 0) return;
    this.external.push(...fresh.map((config) => externalChange(config)));
    this.note({
      kind: 'external',
      id: this.id,
      atMs: Date.now() + (this.settings.run.clockMs ?? 0),
      configs: fresh,
      planned: this.lastConfig,
    });
  }

  /** @param {Pick<Closing, 'outcome' | 'after' | 'verified' | 'reason' | 'result'>} outcome */
  close(outcome) {
    this.note({ kind: 'outcome', id: this.id, at: new Date().toISOString(), ...outcome });
    try {
      this.restoreJournal();
    } catch (_unwritable) {
      // The change is made; note() has reported the lines that it could not write.
    }
  }

  /**
   * Writes the lines of this change again where the journal was cut or removed.
   * @throws {TuneError} TUNE-40001, TUNE-40002
   */
  restoreJournal() {
    const { home } = this.ctx;
    const kept = this.written.filter((line) => !lateFor(home).includes(line));
    if (journal.restoreLines(home, kept)) this.journalProblem = journal.lostWords(home);
  }
}

module.exports = { ChangeRun };
