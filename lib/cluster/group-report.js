'use strict';

const { callText } = require('../base/pure/printable');
const { report } = require('../text/report');
const { settingsAfter } = require('../observe/settings');
const { changeReport, lostSince } = require('../change/change-report');
const { hasOverwritten, needsForce, orderOfBefore } = require('../change/undo-call');
const { doubtOf } = require('../change/undo-entry');

/**
 * @import { Done } from '../change/apply-plan'
 * @import { ExternalChange } from '../change/external-change'
 * @import { Planned } from '../change/plan-change'
 * @import { Entry } from '../change/pure/journal'
 * @import { Change, Context } from '../base/types'
 * @import { Report } from '../text/report'
 * @import { Stop } from './member-connections'
 * @import { ChangeData, Settings } from '../change/types'
 * @import { Facts } from '../server/pure/types'
 * @import { GroupData } from './types'
 */

/**
 * The answer of a change of several members.
 * @typedef {Omit<Stop, 'ctx'> & { ctx: Context | null, facts:
 *   Facts, settings: Settings, planned:
 *   Planned, asked: Change, entry?: Entry,
 *   done?: Done | null, external?: ExternalChange[], role?: string }} PlannedStop `external`: what
 *   another session set between the plan and the member's turn; `role`: at that turn
 * @typedef {ChangeData & { member: string, role: string }} MemberChange
 */

/**
 * @param {{
 *   action: 'apply' | 'undo', id: string | null, undoes: string | null, change: Change,
 *   stops: readonly PlannedStop[], confirm: boolean, force: boolean, confirmCall: string,
 *   redo?: string | null, missed?: readonly string[] | null, warnings?: string[]
 * }} what `redo`: the call where an undo by this id would leave the members uneven; `missed`:
 *   members that the change did not reach; null: not known
 * @returns {Promise<GroupData & Report>}
 */
async function groupReport({
  action,
  id,
  undoes,
  change,
  stops,
  confirm,
  force,
  confirmCall,
  redo,
  missed,
  warnings = [],
}) {
  const all = await memberChanges(stops, { confirm, force });
  const shared = (all[0]?.warnings ?? []).filter((text) =>
    all.every((one) => one.warnings.includes(text)),
  );
  const members = all.map((one) => ({
    ...one,
    warnings: one.warnings.filter((text) => !shared.includes(text)),
  }));
  const isChanging = members.some(({ commands }) => commands.length > 0);
  const data = {
    action,
    undoes,
    dryRun: !confirm,
    change,
    order: members.map(({ member }) => member),
    members,
    warnings: [...warnings, ...shared],
    ...(confirm && isChanging ? doneAs(id, stops, redo ?? null) : NOT_DONE),
    ...(isUnverified(members, missed) && { verified: false }),
    confirm: confirm || !isChanging ? null : confirmCall,
  };
  return report(data, (ink) => require('./pure/rollout-text').renderGroup(data, ink));
}

/** @param {readonly MemberChange[]} members @param {readonly string[] | null} [missed] */
const isUnverified = (members, missed = []) =>
  missed?.length !== 0 || members.some(({ verified }) => verified === false);

const NOT_DONE = Object.freeze({ id: null, verified: null, undo: null });

/** @param {string | null} id @param {readonly PlannedStop[]} stops @param {string | null} redo */
const doneAs = (id, stops, redo) => ({
  id,
  verified: true,
  undo:
    redo ??
    (stops.some(({ planned, settings }) => orderOfBefore(planned, settings) !== null)
      ? null
      : callText('undo', id, { confirm: true, force: stops.some(needsForcedUndo) })),
});

/** @param {PlannedStop} stop */
const needsForcedUndo = ({ planned, settings, entry, done }) =>
  hasOverwritten(done?.external ?? []) ||
  needsForce(planned, settings, { wasForced: entry?.force });

/** @param {readonly PlannedStop[]} stops @param {{ confirm: boolean, force: boolean }} how */
async function memberChanges(stops, how) {
  const made = await Promise.all(stops.map((stop) => memberChange(stop, how)));
  if (!stops.some(({ done }) => done)) return made;
  return Promise.all(made.map((one, i) => stillThere(stops[i], one)));
}

/**
 * @param {PlannedStop} stop
 * @param {{ confirm: boolean, force: boolean }} how
 * @returns {Promise<MemberChange>}
 */
async function memberChange(stop, { confirm, force }) {
  const { place, role = place.role, ctx, settings, facts, planned, asked, entry } = stop;
  const { done = null } = stop;
  const after = done && ctx ? await settingsAfter(ctx, facts) : null;
  return {
    ...changeReport({ settings, planned, asked, confirm, done, after, force, confirmCall: '' }),
    // Minutes may have passed since the member's turn.
    ...(done && after === null && { verified: false }),
    ...(confirm && entry && doubtOf(entry, settings)),
    confirm: null,
    member: place.host,
    role,
  };
}

/**
 * Checks which values a member that had them already still has, once the others have them.
 * @param {PlannedStop} stop @param {MemberChange} data
 * @returns {Promise<MemberChange>}
 */
async function stillThere({ ctx, settings, facts, asked, entry, done = null }, data) {
  if (ctx === null || done !== null || entry !== undefined) return data;
  const lost = lostSince(settings, asked, await settingsAfter(ctx, facts));
  return { ...data, ...lost, warnings: [...lost.warnings, ...data.warnings] };
}

module.exports = { groupReport };
