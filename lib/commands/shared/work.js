'use strict';

const { writeLine } = require('../../apply/journal');
const { readServerRun } = require('../../collect/server-run');
const { sameRun } = require('../../model/journal');
const { TuneError } = require('../../errors');

/**
 * A change on its way, and what the journal gets to know of it.
 * @typedef {import('../../context').Context} Context
 * @typedef {import('../../model/knobs').Change} Change
 * @typedef {import('./settings').Settings} Settings
 * @typedef {import('../../plan/steps').Step} Step
 * @typedef {Extract<Step, { kind: 'set' }>} SetStep
 * @typedef {import('../../model/journal').TrialPlan} TrialPlan
 * @typedef {{ action: 'apply' | 'undo' | 'trial', undoes: string | null, change: Change, before: Change, steps: Step[], trial?: TrialPlan, group?: import('../../model/journal').Group }} Plan
 * @typedef {{
 *   ctx: Context, plan: Plan, settings: Settings, id: string, sent: Change, onTheWayDown: string[], mismatches: string[], journalProblem: string | null,
 *   last: string | null, overtaken: string | null, onItsWay: { step: SetStep, atMs: number } | null, longestWaitMs?: number, watch?: () => Promise<import('../../model/metrics').Metrics>
 * }} Work `sent`: what is in force of it; `onTheWayDown`: strings sent beside those of the plan; `last`: the last string the server
 *   accepted; `overtaken`: what somebody else had set when the last call came; `onItsWay`: sent, not answered; `watch`: how it is looked
 *   while a level is waited for, where somebody minds what clients feel
 */

/** @param {Work} work @param {SetStep} step @param {{ atMs: number, was: string | null, unanswered?: string }} answer `unanswered`: a call before it that may have arrived */
function accepted(work, step, { atMs, was, unanswered }) {
  if (was !== null && work.last !== null && was !== work.last && was !== unanswered) work.overtaken = was;
  Object.assign(work.sent, step.change);
  Object.assign(work, { onItsWay: null, last: step.config });
  note(work, { kind: 'sent', id: work.id, atMs, command: step.config, was });
}

/**
 * The server has been changed already: a journal that has become unwritable is said, but does not stop the rest.
 * @param {Work} work @param {import('../../model/journal').Line} line
 */
function note(work, line) {
  try {
    writeLine(work.ctx.home, line);
  } catch (error) {
    work.journalProblem = /** @type {Error} */ (error).message;
  }
}

/** @param {Work} work @param {Pick<import('../../model/journal').Closing, 'outcome' | 'after' | 'verified' | 'reason'>} outcome */
const close = (work, outcome) => note(work, { kind: 'outcome', id: work.id, at: new Date().toISOString(), ...outcome });

/**
 * A failover or a new connection in between must not be changed.
 * @param {Context} ctx @param {Settings} settings @returns {Promise<number>} the server's clock less ours
 */
async function checkServer({ port }, settings) {
  const now = await readServerRun(port);
  if (sameRun(now, settings.run)) return now.clockMs ?? 0;
  throw new TuneError('TUNE-20010', `The change was planned for ${settings.run.host} as it ran then, but this is ${now.host}${now.host === settings.run.host ? ', restarted since' : ''}.`, { value: now.host, allowed: settings.run.host });
}

module.exports = { accepted, note, close, checkServer };
