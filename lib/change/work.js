'use strict';

const { writeLine } = require('./journal');
const { readServerRun } = require('../server/identity');
const { sameRun } = require('./pure/journal');
const { TuneError } = require('../base/pure/errors');
const { externalChange, markOverwritten } = require('./external');

/**
 * A change on its way, and what the journal gets to know of it.
 * @typedef {import('../base/context').Context} Context
 * @typedef {import('../config/knobs').Change} Change
 * @typedef {import('../observe/settings').Settings} Settings
 * @typedef {import('./pure/steps').Step} Step
 * @typedef {Extract<Step, { kind: 'set' }>} SetStep
 * @typedef {import('./pure/journal').TrialPlan} TrialPlan
 * @typedef {{
 *   action: 'apply' | 'undo' | 'trial', undoes: string | null, change: Change, before: Change,
 *   steps: Step[], trial?: TrialPlan, group?: import('./pure/journal').Group, force?: boolean,
 *   lines?: import('./pure/journal').Line[]
 * }} Plan `lines`: gets what is written into the journal, for whoever must not depend on the file
 * @typedef {import('./external').ExternalChange} ExternalChange
 * @typedef {{
 *   ctx: Context, plan: Plan, settings: Settings, id: string, sent: Change, onTheWayDown: string[],
 *   mismatches: string[], journalProblem: string | null, calls: string[],
 *   external: ExternalChange[], last: string | null, overtaken: string | null,
 *   onItsWay: { step: SetStep, atMs: number } | null, longestWaitMs?: number,
 *   watch?: () => Promise<import('../server/pure/counters').Metrics>, beforeCall?: () => Promise<void>
 * }} Work `sent`: what is in force of it; `onTheWayDown`: strings sent beside those of the plan;
 *   `last`: the last string the server
 *   accepted; `overtaken`: what somebody else had set when the last call came; `onItsWay`: sent,
 *   not answered; `watch`: how it is looked
 *   while a level is waited for, where somebody minds what clients feel; `calls`: every string that
 *   was sent; `external`: what another
 *   session set meanwhile; `beforeCall`: rejects where the next call must not be made
 */

/**
 * @param {Work} work
 * @param {SetStep} step
 * @param {{ atMs: number, was: string | null, unanswered?: string }} answer `unanswered`: a call
 *   before it that may have arrived
 */
function accepted(work, step, { atMs, was, unanswered }) {
  if (was !== null && work.last !== null && was !== work.last && was !== unanswered) {
    work.overtaken = was;
    noteExternal(work, [was]);
  }
  markOverwritten(work.external, step.change);
  Object.assign(work.sent, step.change);
  Object.assign(work, { onItsWay: null, last: step.config });
  note(work, { kind: 'sent', id: work.id, atMs, command: step.config, was });
}

/**
 * The server has been changed already: a journal that has become unwritable is said, but does not
 * stop the rest.
 * @param {Work} work
 * @param {import('./pure/journal').Line} line
 */
function note(work, line) {
  work.plan.lines?.push(line);
  try {
    writeLine(work.ctx.home, line);
  } catch (error) {
    work.journalProblem = /** @type {Error} */ (error).message;
  }
}

/**
 * Each string once.
 * @param {Work} work
 * @param {readonly string[]} configs what another session set
 */
function noteExternal(work, configs) {
  const fresh = [...new Set(configs)].filter((config) =>
    work.external.every(({ values }) => values.config !== config),
  );
  if (fresh.length === 0) return;
  work.external.push(...fresh.map((config) => externalChange(config)));
  note(work, {
    kind: 'external',
    id: work.id,
    atMs: Date.now() + (work.settings.run.clockMs ?? 0),
    configs: fresh,
    planned: work.last,
  });
}

/**
 * @param {Work} work
 * @param {Pick<import('./pure/journal').Closing, 'outcome' | 'after' | 'verified' | 'reason'>}
 *   outcome
 */
const close = (work, outcome) =>
  note(work, { kind: 'outcome', id: work.id, at: new Date().toISOString(), ...outcome });

/**
 * A failover or a new connection in between must not be changed.
 * @param {Context} ctx
 * @param {Settings} settings
 * @returns {Promise<number>} the server's clock less ours
 */
async function checkServer({ port }, settings) {
  const now = await readServerRun(port);
  refuseOtherRun(now, settings);
  return now.clockMs ?? 0;
}

/**
 * @param {import('./pure/journal').Run} now
 * @param {Settings} settings
 * @throws {TuneError} TUNE-20010
 */
function refuseOtherRun(now, settings) {
  if (!sameRun(now, settings.run)) throw otherServer(now, settings);
}

/**
 * The same question again, as short as it can be asked: it is the last before the call.
 * @param {Context} ctx @param {Settings} settings
 */
async function checkProcess({ port }, settings) {
  const { topologyVersion } = await port.adminCommand({ hello: 1 });
  const processId = topologyVersion?.processId?.toString() ?? null;
  if (processId !== null && settings.run.processId !== null && processId !== settings.run.processId)
    throw otherServer(await readServerRun(port), settings);
}

/** @param {import('./pure/journal').Run} now @param {Settings} settings */
function otherServer(now, settings) {
  return new TuneError(
    'TUNE-20010',
    `The change was planned for ${settings.run.host} as it ran then, but this is ` +
      `${now.host}${now.host === settings.run.host ? ', restarted since' : ''}.`,
    { value: now.host, allowed: settings.run.host },
  );
}

module.exports = { accepted, note, noteExternal, close, checkServer, checkProcess, refuseOtherRun };
