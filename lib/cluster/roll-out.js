'use strict';

const { TuneError } = require('../base/pure/errors');
const { settingsOf, checkChange } = require('../config/change');
const { readLines, wholeEntries } = require('../change/journal');
const { closedByOthers, ofGroup, undoesOf } = require('../change/pure/journal-groups');
const { externalBelow, sets } = require('../change/pure/later-changes');
const { pendingBeside } = require('../change/pending-calls');
const { applyPlan } = require('../change/apply-plan');
const { refuseUnverified, refuseOtherRun } = require('../change/check-server');
const { readFactsAndSettings } = require('../observe/settings');
const { markOverwritten, externalSince, hasForgotten } = require('../change/external-change');
const { forcedSince, markInProgress } = require('../change/change-lock');
const { writerName } = require('../change/writer');
const { sameRun } = require('../change/pure/journal');
const { planChange } = require('../change/plan-change');
const { untilReady } = require('./member-connections');
const { endGroup } = require('./group-journal');
const { withTimeout } = require('../base/timing');
const { HELLO } = require('../server/pure/commands');
const { limitsFor, MEMBER_MS } = require('./reach');
const { revertMembers } = require('./revert-members');

/**
 * @import { ExternalChange } from '../change/external-change'
 * @import { Planned } from '../change/plan-change'
 * @import { Entry, MemberGroup, JournalLine } from '../change/pure/journal'
 * @import { Change, Context } from '../base/types'
 * @import { PlannedStop } from './group-report'
 * @import { Members } from './member-connections'
 * @import { Settings } from '../change/types'
 */

/** Changes members one after the other, each checked again just before its turn. */

/**
 * @param {Settings} settings
 * @param {{
 *   original: Change, force: boolean, cores: number | null
 * }} what
 */
function planOne(settings, { original, force, cores }) {
  const asked = checkChange(original, settings.run.version);
  const planned = planChange(asked, settings, { force, cores, original });
  planned.warnings.unshift(
    ...externalBelow(settings.timeline, settings.entries, settings.run, planned.change),
    ...pendingBeside(settings, asked),
  );
  return { planned, asked };
}

/**
 * Plans a member again just before its turn: minutes may have passed since the plan.
 * @param {Context} ctx
 * @param {PlannedStop} stop
 * @param {{ original: Change, force: boolean }} what
 * @throws {TuneError} TUNE-20010, TUNE-30006
 */
async function planAgain(ctx, stop, { original, force }) {
  const { facts, settings } = await withTimeout(
    () => readFactsAndSettings(/** @type {Context} */ (stop.ctx)),
    limitsFor().memberMs,
    ctx.signal,
  );
  refuseOtherRun(settings.run, stop.settings);
  const external = externalSince(stop.settings, settings);
  const now = planOne(settings, { original, force, cores: facts.cores });
  if (!force) refuseChanged(stop, { settings, external, planned: now.planned });
  markOverwritten(external, now.planned.change);
  Object.assign(stop, { facts, settings, external, ...now });
}

/**
 * @param {PlannedStop} stop the member as planned
 * @param {{ settings: Settings, external: ExternalChange[], planned: Planned }} now
 * @throws {TuneError} TUNE-30006
 */
function refuseChanged({ place: { host }, settings: before, planned }, now) {
  // What the member had already is to be set as well, where another session has set it since.
  const change = { ...planned.change, ...now.planned.change };
  const same = now.external
    .filter(({ values }) => sets(values.config, change))
    .map(({ values }) => `"${values.config}"`);
  const details = { value: host, externalChanges: now.external };
  if (same.length > 0)
    throw new TuneError(
      'TUNE-30006',
      `Another session set ${same.join(', then ')} on ${host} since this change was planned.`,
      details,
    );
  const forgotten = settingsOf(planned.before).filter(
    (setting) =>
      now.planned.change[setting] !== undefined && now.planned.before[setting] === undefined,
  );
  if (forgotten.length > 0 || hasForgotten(before, now.settings))
    throw new TuneError(
      'TUNE-30006',
      `Another session set "${now.settings.history.lastString}" on ${host} since this change was ` +
        "planned, and the server's log does not report whether it set more than that.",
      details,
    );
}

/**
 * @param {PlannedStop} stop
 * @param {Context} ctx the member's own context
 * @param {{
 *   force: boolean, onlySecondary: boolean, group: MemberGroup,
 *   journalCopy: JournalLine[]
 * }} how
 */
async function changeOne(stop, ctx, { force, onlySecondary, group, journalCopy }) {
  if (settingsOf(stop.planned.change).length === 0) return;
  const done = await applyPlan(
    ctx,
    { action: 'apply', undoes: null, ...stop.planned, group, force, onlySecondary, journalCopy },
    stop.settings,
  );
  stop.done = { ...done, external: [...(stop.external ?? []), ...done.external] };
  refuseUnverified(done, stop.place.host);
}

/**
 * @param {Context} ctx
 * @param {Members} connections
 * @param {RollOut} what
 */
async function rollOut(ctx, connections, what) {
  const letGo = markInProgress(what.id);
  /** @type {JournalLine[]} */
  const journalCopy = [];
  const members = what.stops.map(({ place }) => place.host);
  try {
    for (let i = 0; i < what.stops.length; i += 1)
      await takeTurn(ctx, connections, { ...what, journalCopy, members, at: i });
  } finally {
    letGo();
  }
  if (journalCopy.length > 0) endGroup(ctx.home, what.id, null);
}

/**
 * @typedef {{
 *   id: string, stops: PlannedStop[], names: string[], original: Change, force: boolean,
 *   onlySecondary: boolean
 * }} RollOut `stops`: the members in their order, which an election changes; `names`: the names of
 *   all members of the sets
 */

/**
 * @param {Context} ctx
 * @param {Members} connections
 * @param {RollOut & { journalCopy: JournalLine[], members: string[], at: number }} turn
 * @throws {TuneError} the error that stopped the change, with the outcome of the members before
 */
async function takeTurn(ctx, connections, turn) {
  const { id, stops, names, original, force, onlySecondary, journalCopy, members, at } = turn;
  const number = `${at + 1} of ${stops.length}`;
  const said = (/** @type {PlannedStop} */ { place: { host } }) => ({
    ...ctx,
    progress: (/** @type {string | null} */ text) =>
      ctx.progress(text === null ? null : `${host} (${number}): ${text}`),
  });
  try {
    await untilReady(said(stops[at]), connections, stops[at], { quietMs: 0 });
    await primaryLast(turn);
    const stop = stops[at];
    const { progress } = said(stop);
    await planAgain(ctx, stop, { original, force });
    refuseUndone(ctx, id, turn);
    const { host: member } = stop.place;
    const group = { id, member, members, names, setId: stop.set.setId ?? null };
    await changeOne(
      stop,
      { .../** @type {Context} */ (stop.ctx), progress },
      { force, onlySecondary, journalCopy, group },
    );
    await untilReady(said(stop), connections, stop, { quietMs: stop.set.heartbeatMs });
    refuseUndone(ctx, id, turn);
  } catch (cause) {
    const error = await revertMembers(
      ctx,
      { id, stops, at, journalCopy },
      /** @type {Error} */ (cause),
    );
    if (journalCopy.length > 0) endGroup(ctx.home, id, error);
    throw error;
  }
}

/**
 * Lets the other members go first where an election made the next one the primary.
 * @param {{ stops: PlannedStop[], at: number, onlySecondary: boolean }} turn
 * @throws {TuneError} TUNE-30011
 */
async function primaryLast({ stops, at, onlySecondary }) {
  const left = stops.slice(at);
  for (const stop of left) stop.role = await roleNow(stop, stop === stops[at]);
  const next = left.findIndex(({ set, role }) => set === left[0].set && role !== 'primary');
  if (onlySecondary && stops[at].role === 'primary') {
    const { host } = stops[at].place;
    throw new TuneError(
      'TUNE-30011',
      `${host} has become primary, and the change is for secondaries only.`,
      { value: host },
    );
  }
  if (next > 0) stops.splice(at, 0, ...stops.splice(at + next, 1));
}

/**
 * Returns the role of a member now. One whose turn comes later need not answer until then.
 * @param {PlannedStop} stop
 * @param {boolean} isNext
 * @returns {Promise<string>}
 */
async function roleNow({ place, ctx }, isNext) {
  const { port, signal } = /** @type {Context} */ (ctx);
  const hello = await withTimeout(() => port.adminCommand(HELLO), MEMBER_MS, signal).catch(
    (error) => {
      if (isNext || signal.aborted) throw error;
      return {};
    },
  );
  if (!hello.setName) return place.role;
  if (hello.isWritablePrimary) return 'primary';
  return hello.secondary ? 'secondary' : place.role;
}

/**
 * Refuses to continue after another shell has undone this change: that undo does not know of the
 * members to come.
 * @param {Context} ctx @param {string} id of the group
 * @param {{ journalCopy: readonly JournalLine[], stops: readonly PlannedStop[] }} turn
 *   `journalCopy`: the lines of the change
 * @throws {TuneError} TUNE-30006, TUNE-40001, TUNE-40002
 */
function refuseUndone(ctx, id, { journalCopy, stops }) {
  const entries = wholeEntries(ctx.home, journalCopy);
  const undone = new Set(undoesOf(entries, id).map(({ undoes }) => undoes));
  const closed = closedByOthers(readLines(ctx.home).lines, journalCopy);
  const own = ofGroup(entries, id);
  const hosts = own
    .filter((entry) => undone.has(entry.id) || closed.has(entry.id))
    .map(({ group }) => group?.member);
  if (hosts.length === 0) return refuseForced(entries, own, stops);
  throw new TuneError(
    'TUNE-30006',
    `Another session has already undone this change on ${hosts.join(' and ')}.`,
    { value: id },
  );
}

/**
 * Refuses to continue after another shell has begun a change by force on one of the members since
 * the first of them was changed.
 * @param {readonly Entry[]} entries @param {readonly Entry[]} own the entries of this change
 * @param {readonly PlannedStop[]} stops
 * @throws {TuneError} TUNE-30010
 */
function refuseForced(entries, own, stops) {
  if (own.length === 0) return;
  const groups = new Set(own.map(({ group }) => group?.id));
  const stopOf = (/** @type {Entry} */ one) =>
    stops.find(({ settings }) => sameRun(one.run, settings.run));
  const forced = forcedSince(
    entries,
    own[0].id,
    (one) => !groups.has(one.group?.id) && stopOf(one) !== undefined,
  );
  if (!forced) return;
  throw new TuneError(
    'TUNE-30010',
    `Another shell (${writerName(forced)}) changed ${stopOf(forced)?.place.host} by force ` +
      `(${forced.id}), so this one stops.`,
    { value: forced.id },
  );
}

module.exports = { planOne, rollOut };
