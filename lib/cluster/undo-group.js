'use strict';

const { callText } = require('../base/pure/printable');
const { TuneError, isCode } = require('../base/pure/errors');
const { settingsOf } = require('../config/change');
const { inOrder } = require('../server/pure/replica-set');
const { entriesOf, sameRun } = require('../change/pure/journal');
const { ofGroup, neverBegun, undoId } = require('../change/pure/journal-groups');
const { readLines } = require('../change/journal');
const { flushLate } = require('../change/late-lines');
const { refuseGroupAtWork } = require('../change/group-in-progress');
const { markInProgress } = require('../change/change-lock');
const { readServerRun } = require('../server/identity');
const { bringsBack, mayBeEffective, standing } = require('../change/pure/undoable');
const { mapServerError } = require('../base/server-errors');
const { newId } = require('../change/apply-plan');
const { readFactsAndSettings } = require('../observe/settings');
const { planUndo } = require('../change/undo-entry');
const { openConnections } = require('./member-connections');
const { findCluster } = require('./find-cluster');
const { readIdentity } = require('./replica-set');
const { endByRestart } = require('./group-journal');
const { groupReport } = require('./group-report');
const { isNamedInSet, isOfSet } = require('./pure/of-set');
const { redoOf, isRedo } = require('./pure/redo');
const { meet, mayKeep, missingWords } = require('./pure/undo-places');
const { goBack } = require('./undo-turns');
const { withTimeout } = require('../base/timing');
const { each, limitsFor } = require('./reach');

/**
 * @import { Entry } from '../change/pure/journal'
 * @import { Report } from '../text/report'
 * @import { PlannedStop } from './group-report'
 * @import { Members } from './member-connections'
 * @import { Answering } from './pure/undo-places'
 * @import { Identity } from '../server/pure/replica-set'
 * @import { Run } from '../server/types'
 * @import { Context } from '../base/types'
 * @import { GroupData } from './types'
 */

/**
 * Undoes a change of several members as one, also from another shell after the first one was
 * killed.
 */

/**
 * @param {Context} ctx
 * @param {string | undefined} id the id given to tune.undo()
 * @returns {Promise<string | null>} the group that is meant; null where it is a change of one
 *   server
 * @throws {TuneError} TUNE-20010
 */
async function groupToUndo(ctx, id) {
  flushLate(ctx.home);
  const entries = entriesOf(readLines(ctx.home).lines);
  if (id !== undefined) return ofGroup(entries, id).length > 0 ? id : null;
  if (entries.length === 0) return null;
  const [run, is] = await whereAmI(ctx);
  const active = activeIn(entries, run, is);
  const own = active.findLast((entry) => isOfThisRun(entries, entry, { run, is }));
  if (own) refuseNewer(own, active.slice(active.indexOf(own) + 1), run);
  return (own ?? active.findLast(isUndoneHere(run)))?.group?.id ?? null;
}

/**
 * Refuses to undo "the last change" where a newer one was made on another server: after an election
 * the shell has another member, and the words mean another change there.
 * @param {Entry} own @param {readonly Entry[]} later @param {Run} run
 * @throws {TuneError} TUNE-20010
 */
function refuseNewer(own, later, run) {
  const newer = later.findLast(({ host }) => host !== run.host);
  if (!newer) return;
  throw new TuneError(
    'TUNE-20010',
    `The newer change ${undoId(newer)} was made on ${newer.host}, but this is ${run.host}. ` +
      `${callText('undo', undoId(own))} shows a dry run of the undo of the last one here.`,
    { value: newer.host, allowed: run.host },
  );
}

/** @param {readonly Entry[]} entries @param {Run} run @param {Identity} is @returns {Entry[]} */
const activeIn = (entries, run, is) =>
  entries.filter(
    (entry) =>
      mayBeEffective(entry) &&
      (entry.action !== 'undo' || bringsBack(entry, entries)) &&
      (entry.host === run.host || isOfSet(entry, is) || isNamedInSet(entry, is)),
  );

/**
 * Says whether a change was made on this run of the server, or in the set with this id: it comes
 * first, for another server may have the same name.
 * @param {readonly Entry[]} entries @param {Entry} entry @param {{ run: Run, is: Identity }} where
 */
const isOfThisRun = (entries, entry, { run, is }) =>
  ofSame(entries, entry).some((one) => sameRun(one.run, run)) ||
  wasToCome(entries, entry, is) ||
  (is.setId !== null && entry.group?.setId === is.setId);

/** @param {Run} run @returns {(entry: Entry) => boolean} */
const isUndoneHere =
  (run) =>
  ({ host, group }) =>
    host === run.host || group !== undefined;

/** @param {Context} ctx */
async function whereAmI({ port, signal }) {
  try {
    return await Promise.all([readServerRun(port), readIdentity(port)]);
  } catch (cause) {
    throw mapServerError(cause, 'serverStatus', signal);
  }
}

/** @param {readonly Entry[]} entries @param {Entry} entry @returns {readonly Entry[]} */
const ofSame = (entries, entry) => (entry.group ? ofGroup(entries, entry.group.id) : [entry]);

/**
 * Says whether a change that was cut short was to reach this member, too. Where the user may not
 * read the id of the set, another set may have the same names: the undo then finds none of the
 * changed runs, and sends nothing.
 * @param {readonly Entry[]} entries @param {Entry} entry @param {Identity} is
 * @returns {boolean} whether it was to reach this member
 */
const wasToCome = (entries, { group }, { me, setId }) =>
  group !== undefined &&
  neverBegun(entries, group.id).includes(String(me)) &&
  (group.setId ?? setId) === (setId ?? group.setId);

/**
 * @param {Context} ctx
 * @param {string} id of the group
 * @param {{ confirm: boolean, force: boolean }} how
 * @returns {Promise<GroupData & Report>}
 * @throws {TuneError} TUNE-20010, TUNE-30006, TUNE-30007
 */
async function undoGroup(ctx, id, { confirm, force }) {
  const entries = entriesOf(readLines(ctx.home).lines);
  const active = ofGroup(entries, id)
    .map((entry) => standing(entry, entries))
    .filter(({ group, ...entry }) => group && mayBeEffective(entry));
  if (active.length === 0)
    throw new TuneError('TUNE-30007', `Change ${id} is not active on any member.`, { value: id });
  if (!force) refuseGroupAtWork(entries, id);
  const { sets } = await findCluster(ctx);
  const connections = await openConnections(ctx, sets, inOrder(sets));
  try {
    const how = { id, active, confirm, force, isRedo: isRedo(entries, id) };
    const { stops, answering, left, warnings } = await planAll(ctx, connections, how);
    const own = newId();
    const names = connections.stops.map(({ place }) => place.host);
    if (confirm) {
      const letGo = markInProgress(own);
      await goBack(ctx, { id: own, undoes: id, names, force }, stops).finally(letGo);
    }
    const reached = stops.map(({ place, planned }) => ({
      host: place.host,
      isSet: settingsOf(planned.change).length > 0,
    }));
    const { redo, warnings: uneven } = redoOf(entries, id, { reached, answering, names });
    const asked = stops.find(({ planned }) => settingsOf(planned.change).length > 0)?.asked ?? {};
    return await groupReport({
      action: 'undo',
      id: own,
      undoes: id,
      change: asked,
      stops,
      confirm,
      force,
      confirmCall: callText('undo', id, { confirm: true, force }),
      redo,
      missed: confirm ? left : [],
      warnings: [...warnings, ...begunOf(entries, id), ...uneven],
    });
  } finally {
    ctx.progress(null);
    connections.close();
  }
}

/** @param {readonly Entry[]} entries @param {string} id */
function begunOf(entries, id) {
  const never = neverBegun(entries, id);
  return never.length === 0
    ? []
    : [`The change ended before it reached ${never.join(', ')}: nothing to undo there.`];
}

/**
 * @param {Context} ctx
 * @param {Members} connections
 * @param {{
 *   id: string, active: readonly Entry[], confirm: boolean, force: boolean, isRedo: boolean
 * }} what
 * @returns {Promise<{
 *   stops: PlannedStop[], answering: Answering[], left: string[], warnings: string[]
 * }>} `stops`: the members that answer; `left`: those that may still have their change, by their
 *   names at that time
 */
async function planAll(ctx, connections, { id, active, confirm, force, isRedo: again }) {
  const found = await each(
    ctx,
    connections.stops,
    async (stop, limitMs) => {
      const own = stop.ctx;
      if (own === null) throw stop.error;
      if (confirm) await own.call?.judge(own.port);
      return {
        stop: { ...stop, ctx: own },
        ...(await withTimeout(() => readFactsAndSettings(own), limitMs, ctx.signal)),
      };
    },
    limitsFor(),
  );
  const forbidden = found.find(({ error }) => isCode(error, 'TUNE-30012'));
  if (forbidden?.error) throw aboutMember(forbidden.error, forbidden.place.place.host);
  const reached = found.flatMap(({ value }) => (value === null ? [] : [value]));
  if (reached.length === 0) throw found[0].error;
  const asked = found.map(({ place, error }) => ({ host: place.place.host, error }));
  const silent = asked.filter(({ error }) => error !== null).map(({ host }) => host);
  const { met, restarted, missing } = meet(active, reached, silent);
  const warnings = [
    ...missing.map((entry) => missingWords(entry, asked, { isRedo: again })),
    ...restarted.map(({ host }) => `A restart of ${host} has reverted its change.`),
  ];
  const stops = met.map(({ stop, facts, settings, entry }) => ({
    ...stop,
    facts,
    settings,
    entry,
    ...plannedAt(stop.place.host, () => planUndo(entry, { settings, force, cores: facts.cores })),
  }));
  // Otherwise an undo without an id would find it again and again.
  if (confirm) restarted.forEach(({ entry }) => endByRestart(ctx.home, entry));
  if (stops.length === 0)
    throw new TuneError(restarted.length > 0 ? 'TUNE-30007' : 'TUNE-20010', warnings.join(' '), {
      value: id,
    });
  const left = missing.filter((entry) => mayKeep(entry, asked));
  return {
    stops,
    answering: reached,
    left: left.map(({ group }) => String(group?.member)),
    warnings,
  };
}

/** @template T @param {string} host @param {() => T} plan @returns {T} */
function plannedAt(host, plan) {
  try {
    return plan();
  } catch (error) {
    throw aboutMember(/** @type {Error} */ (error), host);
  }
}

/** @template {Error} E @param {E} error @param {string} host @returns {E} */
const aboutMember = (error, host) =>
  Object.assign(error, {
    message: `${error.message} This is about ${host}; nothing was undone on any member.`,
  });

module.exports = { groupToUndo, undoGroup };
