'use strict';

const { writeWhenPossible } = require('./deferred-lines');
const { externalChange, markOverwritten } = require('./external-change');
const { settingsIn } = require('../config/effective-config');

/**
 * @import { Context } from '../base/context'
 * @import { Change } from '../config/setting-table'
 * @import { Settings } from '../observe/settings'
 * @import { Counters } from '../server/pure/counters'
 * @import { ExternalChange } from './external-change'
 * @import { Closing, Group, JournalLine, TrialPlan } from './pure/journal'
 * @import { Step } from './pure/steps'
 */

/**
 * @typedef {Extract<Step, { kind: 'set' }>} SetStep
 * @typedef {{
 *   action: 'apply' | 'undo' | 'trial', undoes: string | null, change: Change, before: Change,
 *   steps: Step[], trial?: TrialPlan, group?: Group, force?: boolean,
 *   unsettled?: boolean, lines?: JournalLine[], onlySecondary?: boolean
 * }} Plan `lines`: gets what is written into the journal, for whoever must not depend on the file;
 *   `onlySecondary`: a member that has become the primary is not changed
 * @typedef {{ step: SetStep, atMs: number }} OnItsWay
 */

/** A change under way on one server: what was sent, what came back, and what the journal has of it. */
class ChangeRun {
  /** What is effective of the change. */
  sent = /** @type {Change} */ ({});
  /** Strings sent beside those of the plan, on the way down. */
  onTheWayDown = /** @type {string[]} */ ([]);
  /** Settings that do not read back as they were sent. */
  mismatches = /** @type {string[]} */ ([]);
  /** Why the journal could not be written; what is missing in it follows. */
  journalProblem = /** @type {string | null} */ (null);
  /** Every string that was sent. */
  calls = /** @type {string[]} */ ([]);
  /** What another session set meanwhile. */
  external = /** @type {ExternalChange[]} */ ([]);
  /** What another session had set when the last call came. */
  overtaken = /** @type {string | null} */ (null);
  /** A call that is sent and not answered. */
  onItsWay = /** @type {OnItsWay | null} */ (null);
  /** Calls not answered before others were, which may still arrive. */
  lost = /** @type {OnItsWay[]} */ ([]);
  /** It restores the previous values; a journal error does not stop that. */
  isWayBack = false;
  /** The log does not reach back to the last call. */
  gap = false;
  /** Longest wait for a level, ms. */
  longestWaitMs = /** @type {number | undefined} */ (undefined);
  /** Size of the journal when it was last read, bytes. */
  journalSize = /** @type {number | undefined} */ (undefined);
  /** How counters are read while a level is waited for, where what clients feel matters. */
  watch = /** @type {(() => Promise<Counters>) | undefined} */ (undefined);
  /** Rejects where the next call must not be made. */
  beforeCall = /** @type {((step: SetStep) => Promise<void>) | undefined} */ (undefined);

  /**
   * @param {{ ctx: Context, plan: Plan, settings: Settings, id: string, atMs: number }} begun
   */
  constructor({ ctx, plan, settings, id, atMs }) {
    this.ctx = ctx;
    this.plan = plan;
    this.settings = settings;
    this.id = id;
    /** The last string the server accepted. */
    this.last = settings.history.lastString;
    /** When the last string was known to be `last`, by the server's clock. */
    this.knownAtMs = atMs;
  }

  /** @param {SetStep} step @param {number} atMs */
  sending(step, atMs) {
    if (this.onItsWay !== null) this.lost.push(this.onItsWay);
    this.onItsWay = { step, atMs };
  }

  /**
   * @param {SetStep} step
   * @param {{ atMs: number, was: string | null }} answer `was`: the string before it
   */
  accepted(step, { atMs, was }) {
    const hasArrived = (/** @type {string} */ config) =>
      this.lost.some((one) => one.step.config === config);
    if (was !== null && this.last !== null && was !== this.last && !hasArrived(was))
      this.overtakenBy(was);
    // The same string once more would change nothing.
    this.lost = this.lost.filter((one) => ![was, step.config].includes(one.step.config));
    markOverwritten(this.external, step.change);
    Object.assign(this.sent, step.change);
    this.onItsWay = null;
    this.accept(step.config, atMs);
    this.note({ kind: 'sent', id: this.id, atMs, command: step.config, was });
  }

  /**
   * The effective string is sent once more, to repair a call that was refused.
   * @param {string} config
   * @param {number} atMs
   */
  askingAgain(config, atMs) {
    this.note({ kind: 'asking', id: this.id, atMs, command: config, again: true });
  }

  /**
   * @param {string} config
   * @param {{ atMs: number, was: string | null, expected: string | null }} answer `expected`: what
   *   the server showed before it
   */
  acceptedAgain(config, { atMs, was, expected }) {
    if (was !== null && expected !== null && was !== expected) this.overtakenBy(was);
    markOverwritten(this.external, settingsIn(config));
    this.calls.push(config);
    this.accept(config, atMs);
    this.note({ kind: 'sent', id: this.id, atMs, command: config, was, again: true });
  }

  /** @param {string} was the string of another session */
  overtakenBy(was) {
    this.overtaken = was;
    this.noteExternal([was]);
  }

  /** @param {string} config @param {number} atMs */
  accept(config, atMs) {
    this.last = config;
    this.knownAtMs = atMs;
  }

  /**
   * The server has been changed already: a journal that has become unwritable is reported, and does
   * not stop the rest. What is missing in it follows.
   * @param {JournalLine} line
   */
  note(line) {
    this.plan.lines?.push(line);
    const problem = writeWhenPossible(this.ctx.home, line);
    if (problem === null) return;
    const { message } = /** @type {Error} */ (problem.cause ?? problem);
    this.journalProblem =
      `[TUNE-40001] The journal in ${this.ctx.home} could not be written (${message}). What is ` +
      'missing in it follows as soon as it can be, while this shell is open.';
  }

  /** Each string once. @param {readonly string[]} configs what another session set */
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
      planned: this.last,
    });
  }

  /** @param {Pick<Closing, 'outcome' | 'after' | 'verified' | 'reason'>} outcome */
  close(outcome) {
    this.note({ kind: 'outcome', id: this.id, at: new Date().toISOString(), ...outcome });
  }
}

module.exports = { ChangeRun };
