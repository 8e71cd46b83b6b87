'use strict';

const { callText } = require('../base/pure/printable');
const { settingsOf, plainChange, checkForm } = require('../config/change');
const { refuseMembersAtWork } = require('../change/group-in-progress');
const { inOrder } = require('../server/pure/replica-set');
const { chooseMembers } = require('./pure/rollout-plan');
const { requestedChange, checkHost } = require('../change/plan-change');
const { newId } = require('../change/apply-plan');
const { readFactsAndSettings } = require('../observe/settings');
const { openConnections, seen } = require('./member-connections');
const { findCluster } = require('./find-cluster');
const { groupReport } = require('./group-report');
const { withTimeout } = require('../base/timing');
const { each, limitsFor } = require('./reach');
const { planOne, rollOut } = require('./roll-out');

/**
 * @import { Change, Context } from '../base/types'
 * @import { Report } from '../text/report'
 * @import { PlannedStop } from './group-report'
 * @import { Members } from './member-connections'
 * @import { Wanted } from './pure/rollout-plan'
 * @import { SetPlace } from '../server/pure/types'
 * @import { GroupData } from './types'
 */

/**
 * Applies one change to several members, one after the other: secondaries first, the primary last.
 * If an error stops it, the members already changed return to their former settings, so that the
 * set is never left half changed.
 * @typedef {{ members: Wanted, confirm: boolean, force: boolean }}
 *   How
 */

/**
 * @param {Context} ctx @param {unknown} what a change, or an advice that has one @param {How} how
 * @returns {Promise<GroupData & Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx, TUNE-3xxxx, TUNE-40001
 */
async function applyGroup(ctx, what, { members, confirm, force }) {
  const { change, host, warnings } = requestedChange('tune.apply', what);
  const original = plainChange(change);
  const checked = checkForm(original);
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
    const turns = stops.filter(({ planned }) => settingsOf(planned.change).length > 0);
    const onlySecondary = members === 'secondaries';
    if (confirm)
      await rollOut(ctx, connections, {
        id,
        original,
        force,
        onlySecondary,
        names: inOrder(sets).map(({ host }) => host),
        stops: turns,
      });
    const inTurn = turns.values();
    const ordered = stops.map((stop) => (turns.includes(stop) ? inTurn.next().value : stop));
    const confirmCall = callText('apply', checked, { members, confirm: true, force });
    const missed =
      confirm && !Array.isArray(members) ? await joinedSince(ctx, connections, sets) : [];
    return await groupReport({
      action: 'apply',
      id,
      undoes: null,
      change: checked,
      stops: /** @type {PlannedStop[]} */ (ordered),
      confirm,
      force,
      confirmCall,
      missed,
      warnings: [...(missed?.map(joinedWords) ?? [NOT_ASKED]), ...warnings, ...notes],
    });
  } finally {
    ctx.progress(null);
    connections.close();
  }
}

/**
 * Returns the members that the sets have now: minutes may pass from the first member to the last.
 * @param {Context} ctx @param {Members} connections
 * @param {readonly SetPlace[]} sets as they were at the beginning
 * @returns {Promise<string[] | null>} null where the sets cannot be asked
 */
async function joinedSince(ctx, connections, sets) {
  const known = new Set(sets.flatMap((set) => set.members.map(({ host }) => host)));
  const now = await setsNow(ctx).catch(() =>
    Promise.all(sets.map((set) => seen(ctx, connections, set))).catch(() => null),
  );
  return now && inOrder(now).flatMap(({ host }) => (known.has(host) ? [] : [host]));
}

/** @param {Context} ctx @throws {Error} where a set cannot be asked */
async function setsNow(ctx) {
  const { sets } = await withTimeout(() => findCluster(ctx), limitsFor().memberMs, ctx.signal);
  const unreached = sets.find(({ self }) => self === null);
  if (unreached) throw new Error(unreached.notes.join(' '));
  return sets;
}

const NOT_ASKED =
  'Whether a member joined meanwhile is not known: the set did not answer. Run the same again.';

/** @param {string} host */
const joinedWords = (host) =>
  `${host} joined while the others were changed, and was not changed: run the same again.`;

/**
 * Plans the change for each member before it begins: nothing is sent where one member could not
 * accept it.
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
      await own.call?.judge(own.port);
      const { facts, settings } = await withTimeout(
        () => readFactsAndSettings(own),
        limitMs,
        ctx.signal,
      );
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
        `${failed.error.message} This is about ${failed.place.place.host}; nothing was changed ` +
        'on any member.',
    });
  return planned.map(({ value }) => /** @type {PlannedStop} */ (value));
}

module.exports = { applyGroup };
