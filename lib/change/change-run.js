'use strict';

const { HELLO } = require('../server/pure/commands');
const { writeWhenPossible } = require('./deferred-lines');
const { readServerRun } = require('../server/identity');
const { sameRun } = require('./pure/journal');
const { TuneError } = require('../base/pure/errors');
const { externalChange, markOverwritten } = require('./external-change');
const { settingsIn } = require('../config/effective-config');

/**
 * @import { Context } from '../base/context'
 * @import { Change } from '../config/setting-table'
 * @import { Settings } from '../observe/settings'
 * @import { Counters } from '../server/pure/counters'
 * @import { ExternalChange } from './external-change'
 * @import { Closing, Group, Run, JournalLine, TrialPlan } from './pure/journal'
 * @import { Step } from './pure/steps'
 */

/**
 * A change on its way, and what the journal gets to know of it.
 * @typedef {Extract<Step, { kind: 'set' }>} SetStep
 * @typedef {{
 *   action: 'apply' | 'undo' | 'trial', undoes: string | null, change: Change, before: Change,
 *   steps: Step[], trial?: TrialPlan, group?: Group, force?: boolean,
 *   unsettled?: boolean, lines?: JournalLine[], onlySecondary?: boolean
 * }} Plan `lines`: gets what is written into the journal, for whoever must not depend on the file;
 *   `onlySecondary`: a member that has become the primary is not changed
 * @typedef {{ step: SetStep, atMs: number }} OnItsWay
 * @typedef {{
 *   ctx: Context, plan: Plan, settings: Settings, id: string, sent: Change, onTheWayDown: string[],
 *   mismatches: string[], journalProblem: string | null, calls: string[],
 *   external: ExternalChange[], last: string | null, overtaken: string | null,
 *   onItsWay: OnItsWay | null, lost: OnItsWay[], isWayBack?: boolean, longestWaitMs?: number,
 *   knownAtMs: number, gap?: boolean, journalSize?: number,
 *   watch?: () => Promise<Counters>, beforeCall?: (step: SetStep) => Promise<void>
 * }} Work `sent`: what is in force of it; `onTheWayDown`: strings sent beside those of the plan;
 *   `last`: the last string the server
 *   accepted; `overtaken`: what somebody else had set when the last call came; `onItsWay`: sent,
 *   not answered; `lost`: not answered before others were, so that they may still arrive;
 *   `isWayBack`: to what was before, which is on disk; `watch`: how it is looked
 *   while a level is waited for, where somebody minds what clients feel; `calls`: every string that
 *   was sent; `external`: what another
 *   session set meanwhile; `knownAtMs`: when the last string was known to be `last`, by the
 *   server's clock; `gap`: the log does not tell all that was set since; `journalSize`: as it was
 *   last read; `beforeCall`: rejects where the next call must not be made; without it, as on the way
 *   back of a trial, nothing in the journal stops the call either
 */

/**
 * @param {Work} work
 * @param {SetStep} step
 * @param {{ atMs: number, was: string | null }} answer
 */
function accepted(work, step, { atMs, was }) {
  const arrived = (/** @type {string} */ config) =>
    work.lost.some((one) => one.step.config === config);
  if (was !== null && work.last !== null && was !== work.last && !arrived(was)) {
    work.overtaken = was;
    noteExternal(work, [was]);
  }
  // The same string once more would change nothing.
  work.lost = work.lost.filter((one) => ![was, step.config].includes(one.step.config));
  markOverwritten(work.external, step.change);
  Object.assign(work.sent, step.change);
  Object.assign(work, { onItsWay: null, last: step.config, knownAtMs: atMs });
  note(work, { kind: 'sent', id: work.id, atMs, command: step.config, was });
}

/**
 * What was in force is sent once more, to put a refused call right.
 * @param {Work} work
 * @param {string} config
 * @param {number} atMs
 */
const askingAgain = (work, config, atMs) =>
  note(work, { kind: 'asking', id: work.id, atMs, command: config, again: true });

/**
 * @param {Work} work
 * @param {string} config
 * @param {{ atMs: number, was: string | null, expected: string | null }} answer `expected`: what
 *   the server showed before it
 */
function acceptedAgain(work, config, { atMs, was, expected }) {
  if (was !== null && expected !== null && was !== expected) {
    work.overtaken = was;
    noteExternal(work, [was]);
  }
  markOverwritten(work.external, settingsIn(config));
  work.calls.push(config);
  Object.assign(work, { last: config, knownAtMs: atMs });
  note(work, { kind: 'sent', id: work.id, atMs, command: config, was, again: true });
}

/**
 * The server has been changed already: a journal that has become unwritable is said, but does not
 * stop the rest. What is missing in it follows.
 * @param {Work} work
 * @param {JournalLine} line
 */
function note(work, line) {
  work.plan.lines?.push(line);
  const problem = writeWhenPossible(work.ctx.home, line);
  if (problem === null) return;
  const { message } = /** @type {Error} */ (problem.cause ?? problem);
  work.journalProblem =
    `[TUNE-40001] The journal in ${work.ctx.home} could not be written (${message}). What is ` +
    'missing in it follows as soon as it can be, while this shell is open.';
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
 * @param {Pick<Closing, 'outcome' | 'after' | 'verified' | 'reason'>}
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
 * @param {Run} now
 * @param {Settings} settings
 * @throws {TuneError} TUNE-20010
 */
function refuseOtherRun(now, settings) {
  if (!sameRun(now, settings.run)) throw otherServer(now, settings);
}

/**
 * The same question again, as short as it can be asked: it is the last before the call.
 * @param {Context} ctx @param {Settings} settings @param {Plan} plan
 * @throws {TuneError} TUNE-20010, TUNE-30011
 */
async function checkProcess({ port }, settings, { onlySecondary = false }) {
  const hello = await port.adminCommand(HELLO);
  if (isOther(hello, settings)) throw otherServer(await readServerRun(port), settings);
  if (onlySecondary && hello.isWritablePrimary)
    throw new TuneError(
      'TUNE-30011',
      `${hello.me} has become the primary, and only secondaries were to be changed.`,
      { value: hello.me },
    );
}

/**
 * Which server has answered a call: a driver may have sent it over another connection than the
 * hello before it.
 * @param {Context} ctx @param {Settings} settings @param {string} config that was sent
 * @throws {TuneError} TUNE-20006
 */
async function checkAnswerer({ port }, settings, config) {
  if (port.isHeld) return;
  /** @type {any} */ let hello;
  try {
    hello = await port.adminCommand(HELLO);
    if (!isOther(hello, settings)) return;
  } catch (error) {
    // Where nobody answers any more, what was answered counts.
    if (!(error instanceof TuneError) || error.code !== 'TUNE-20010') return;
  }
  const there = hello?.me ?? 'another process of that name';
  throw new TuneError(
    'TUNE-20006',
    `While "${config}" was set on ${settings.run.host}, ${there} took its place: on which of the ` +
      'two it is in force tune.config() shows, on each of them.',
    { value: there },
  );
}

/** @param {any} hello @param {Settings} settings */
function isOther({ topologyVersion }, { run }) {
  const processId = topologyVersion?.processId?.toString() ?? null;
  return processId !== null && run.processId !== null && processId !== run.processId;
}

/** @param {Run} now @param {Settings} settings */
function otherServer(now, settings) {
  const { host, startedAtMs, me = null } = settings.run;
  const isSameName = now.host === host && (now.me ?? null) === me;
  // Two servers may have one name, and only what began since can be the same one again.
  const sinceMs = settings.readAtMs ?? startedAtMs ?? -Infinity;
  const restarted = isSameName && now.startedAtMs !== null && now.startedAtMs > sinceMs;
  const words = restarted ? ', restarted since' : `: ${isSameName ? ANOTHER : 'a failover?'}`;
  return new TuneError(
    'TUNE-20010',
    `The change was planned for ${host} as it ran then, but this is ${now.host}${words}.`,
    { value: now.host, allowed: host, restarted },
  );
}

const ANOTHER = 'another server, or another run, of that name';

module.exports = {
  accepted,
  askingAgain,
  acceptedAgain,
  note,
  noteExternal,
  close,
  checkServer,
  checkProcess,
  checkAnswerer,
  refuseOtherRun,
};
