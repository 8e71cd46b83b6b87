'use strict';

const { TuneError } = require('../base/pure/errors');
const { settingsOf, showChange } = require('../config/change');
const { ofGroup, undoesOf } = require('../change/pure/journal-groups');
const { refuseMembersAtWork } = require('../change/group-in-progress');
const { checkChange, plainChange } = require('../config/check-change');
const { externalBelow, sets } = require('../change/pure/external-changes');
const { chooseMembers } = require('./pure/rollout-plan');
const { requestedChange, checkHost } = require('../change/requested-change');
const { applyPlan, newId } = require('../change/apply-plan');
const { examine } = require('../observe/settings');
const { markOverwritten } = require('../change/external-change');
const { externalSince } = require('../change/external-check');
const { planChange } = require('../change/plan-change');
const { openConnections, untilReady } = require('./member-connections');
const { findCluster } = require('./find-cluster');
const { endGroup, wholeEntries } = require('./group-journal');
const { groupReport } = require('./group-report');
const { withTimeout } = require('../base/with-timeout');
const { refuseOtherRun } = require('../change/change-run');
const { each, limitsFor } = require('./reach');
const { revertMembers } = require('./revert-members');

/**
 * @import { Context } from '../base/context'
 * @import { Group, TimeSeries } from '../change/pure/journal'
 * @import { Change } from '../config/setting-table'
 * @import { Settings } from '../observe/settings'
 * @import { Report } from '../text/report'
 * @import { GroupData, PlannedStop } from './group-report'
 * @import { Members } from './member-connections'
 * @import { Wanted } from './pure/rollout-plan'
 */

/**
 * One change on several members, one after the other: secondaries first, the primary last. Whatever
 * stops it, the members that were changed go back to what they had, so that the set is never left
 * half changed.
 * @typedef {{ members: Wanted, confirm: boolean, force: boolean }}
 *   How
 */

/**
 * @param {Context} ctx @param {unknown} what a change, or an advice that has one @param {How} how
 * @returns {Promise<GroupData & Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx, TUNE-3xxxx, TUNE-40001
 */
async function applyGroup(ctx, what, { members, confirm, force }) {
  const { change, host } = requestedChange('tune.apply', what);
  const original = plainChange(change);
  const checked = checkChange(original, null);
  const { sets, notes } = await findCluster(ctx);
  const connections = await openConnections(ctx, sets, chooseMembers(sets, members));
  try {
    const stops = await planAll(ctx, connections, { original, force });
    if (!force)
      refuseMembersAtWork(
        stops[0].settings.entries,
        stops.map(({ place }) => place.host),
      );
    if (stops.every(({ settings }) => settings.run.host !== host))
      checkHost(host, stops.map(({ settings }) => settings.run.host).join(', '));
    const id = newId();
    if (confirm)
      await rollOut(ctx, connections, {
        id,
        original,
        force,
        stops: stops.filter(({ planned }) => settingsOf(planned.change).length > 0),
      });
    const words = Array.isArray(members)
      ? `[${members.map((one) => JSON.stringify(one)).join(', ')}]`
      : `"${members}"`;
    const confirmCall =
      `tune.apply(${showChange(checked)}, { members: ${words}, confirm: ` +
      `true${force ? ', force: true' : ''} })`;
    return await groupReport({
      action: 'apply',
      id,
      undoes: null,
      change: checked,
      stops,
      confirm,
      force,
      confirmCall,
      warnings: notes,
    });
  } finally {
    ctx.progress(null);
    connections.close();
  }
}

/**
 * Nothing is begun where one of them could not take it.
 * @param {Context} ctx
 * @param {Members} connections
 * @param {{ original: Change, force: boolean }} what
 * @returns {Promise<PlannedStop[]>}
 */
async function planAll(ctx, connections, { original, force }) {
  const planned = await each(
    ctx,
    connections.stops,
    async (stop, limitMs) => {
      const own = stop.ctx;
      if (own === null) throw stop.error;
      const { facts, settings } = await withTimeout(() => examine(own), limitMs, ctx.signal);
      return {
        ...stop,
        facts,
        settings,
        ...planOne(settings, { original, force, cores: facts.cores }),
      };
    },
    limitsFor(),
  );
  const failed = planned.find(({ error }) => error !== null);
  if (failed?.error)
    throw Object.assign(failed.error, {
      message:
        `${failed.error.message} That is ${failed.place.place.host}; nothing was changed on ` +
        'any member.',
    });
  return planned.map(({ value }) => /** @type {PlannedStop} */ (value));
}

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
  );
  return { planned, asked };
}

/**
 * Just before its turn a member is looked at again: minutes may have passed since the plan.
 * @param {Context} ctx
 * @param {PlannedStop} stop
 * @param {{ original: Change, force: boolean }} what
 * @throws {TuneError} TUNE-20010, TUNE-30006
 */
async function planAgain(ctx, stop, { original, force }) {
  const { facts, settings } = await withTimeout(
    () => examine(/** @type {Context} */ (stop.ctx)),
    limitsFor().memberMs,
    ctx.signal,
  );
  refuseOtherRun(settings.run, stop.settings);
  const external = externalSince(stop.settings, settings);
  const same = external
    .filter(({ values }) => sets(values.config, stop.planned.change))
    .map(({ values }) => `"${values.config}"`);
  if (same.length > 0 && !force)
    throw new TuneError(
      'TUNE-30006',
      `Another session set ${same.join(', then ')} on ${stop.place.host} since this change ` +
        'was planned.',
      { value: stop.place.host, externalChanges: external },
    );
  markOverwritten(external, stop.planned.change);
  Object.assign(stop, {
    facts,
    settings,
    external,
    ...planOne(settings, { original, force, cores: facts.cores }),
  });
}

/**
 * @param {PlannedStop} stop
 * @param {Context} ctx its own
 * @param {{
 *   force: boolean, group: Group,
 *   lines: TimeSeries[]
 * }} how
 */
async function changeOne(stop, ctx, { force, group, lines }) {
  if (settingsOf(stop.planned.change).length === 0) return;
  const done = await applyPlan(
    ctx,
    { action: 'apply', undoes: null, ...stop.planned, group, force, lines },
    stop.settings,
  );
  stop.done = { ...done, external: [...(stop.external ?? []), ...done.external] };
  if (!done.verified)
    throw new TuneError('TUNE-30004', `Not as sent: ${done.mismatches.join('; ')}.`, {
      value: stop.place.host,
    });
}

/**
 * @param {Context} ctx
 * @param {Members} connections
 * @param {{
 *   id: string, stops: PlannedStop[], original: Change,
 *   force: boolean
 * }} what
 */
async function rollOut(ctx, connections, { id, stops, original, force }) {
  const members = stops.map(({ place }) => place.host);
  /** @type {TimeSeries[]} */
  const lines = [];
  for (const [i, stop] of stops.entries()) {
    const progress = (/** @type {string | null} */ text) =>
      ctx.progress(
        text === null ? null : `${stop.place.host} (${i + 1} of ${stops.length}): ${text}`,
      );
    try {
      await untilReady({ ...ctx, progress }, connections, stop, { quietMs: 0 });
      await planAgain(ctx, stop, { original, force });
      refuseUndone(ctx, id, lines);
      await changeOne(
        stop,
        { .../** @type {Context} */ (stop.ctx), progress },
        { force, lines, group: { id, member: stop.place.host, members } },
      );
      await untilReady({ ...ctx, progress }, connections, stop, { quietMs: stop.set.heartbeatMs });
      refuseUndone(ctx, id, lines);
    } catch (cause) {
      const what = { id, stops, at: i, lines };
      const error = await revertMembers(ctx, what, /** @type {Error} */ (cause));
      if (lines.length > 0) endGroup(ctx.home, id, error);
      throw error;
    }
  }
  if (lines.length > 0) endGroup(ctx.home, id, null);
}

/**
 * Who undoes the change meanwhile, with the same journal, does not know of the members to come.
 * @param {Context} ctx @param {string} id of the group
 * @param {readonly TimeSeries[]} lines that were written of it
 * @throws {TuneError} TUNE-30006, TUNE-40001, TUNE-40002
 */
function refuseUndone(ctx, id, lines) {
  const entries = wholeEntries(ctx.home, lines);
  const undone = new Set(undoesOf(entries, id).map(({ undoes }) => undoes));
  const hosts = ofGroup(entries, id)
    .filter((entry) => undone.has(entry.id) || /undone$/.test(entry.outcome))
    .map(({ group }) => group?.member);
  if (hosts.length === 0) return;
  throw new TuneError(
    'TUNE-30006',
    `Another session has undone this change on ${hosts.join(' and ')} meanwhile.`,
    { value: id },
  );
}

module.exports = { applyGroup };
