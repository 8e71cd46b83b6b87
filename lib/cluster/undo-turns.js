'use strict';

const { callText } = require('../base/pure/printable');
const { withTimeout } = require('../base/timing');
const { refuseOtherRun } = require('../change/check-server');
const { readLines } = require('../change/journal');
const { entriesOf } = require('../change/pure/journal');
const { planUndo, revert } = require('../change/undo-entry');
const { settingsOf, showChange } = require('../config/change');
const { readFactsAndSettings } = require('../observe/settings');
const { endGroup } = require('./group-journal');
const { limitsFor } = require('./reach');

/**
 * @import { Change, Context } from '../base/types'
 * @import { Entry } from '../change/pure/journal'
 * @import { PlannedStop } from './group-report'
 */

/** Undoes a change on its members, one after the other, each checked again just before its turn. */

/**
 * Plans a member again just before its turn: minutes may have passed since the plan.
 * @param {Context} ctx @param {PlannedStop} stop @param {boolean} force
 */
async function planAgain(ctx, stop, force) {
  const { facts, settings } = await withTimeout(
    () => readFactsAndSettings(/** @type {Context} */ (stop.ctx)),
    limitsFor().memberMs,
    ctx.signal,
  );
  refuseOtherRun(settings.run, stop.settings);
  Object.assign(stop, {
    facts,
    settings,
    ...planUndo(/** @type {Entry} */ (stop.entry), { settings, force, cores: facts.cores }),
  });
}

/**
 * @typedef {{ id: string, undoes: string, names: string[], force: boolean }} How `id`: the id of
 *   the undo; `names`: the names of all members of the sets
 * @param {Context} ctx @param {How} how @param {readonly PlannedStop[]} stops
 */
async function goBack(ctx, how, stops) {
  const { id, names, force } = how;
  const members = stops
    .filter(({ planned }) => settingsOf(planned.change).length > 0)
    .map(({ place }) => place.host);
  for (const [i, stop] of stops.entries()) {
    const { place } = stop;
    const progress = (/** @type {string | null} */ text) =>
      ctx.progress(text === null ? null : `${place.host} (${i + 1} of ${stops.length}): ${text}`);
    try {
      const there = { .../** @type {Context} */ (stop.ctx), progress };
      await planAgain(ctx, stop, force);
      stop.done = await revert(there, /** @type {Entry} */ (stop.entry), stop.planned, {
        settings: stop.settings,
        force,
        group: { id, member: place.host, members, names, setId: stop.set.setId ?? null },
      });
    } catch (cause) {
      const error = /** @type {Error} */ (cause);
      if (members.length > 0) endGroup(ctx.home, id, error);
      const words = stoppedWords(ctx.home, error, { ...how, stops, at: i });
      throw Object.assign(error, { message: words.join(' '), id, undo: null });
    }
  }
  if (members.length > 0) endGroup(ctx.home, id, null);
}

/**
 * Says what the members have of an undo that was stopped, and how to continue it.
 * @param {string} home
 * @param {Error & { id?: string, sent?: Change }} error the error, with what was sent to the member
 *   at which it stopped
 * @param {How & { stops: readonly PlannedStop[], at: number }} where
 */
function stoppedWords(home, error, { undoes, force, stops, at }) {
  const hosts = stops.map(({ place }) => place.host);
  const [there, sent] = [hosts[at], error.sent ?? {}];
  const isOpen = isUnanswered(home, error.id);
  const isSent = isOpen || settingsOf(sent).length > 0;
  const rest = hosts.slice(isSent ? at + 1 : at);
  return [
    error.message,
    ...(at > 0 ? [`Undone on ${hosts.slice(0, at).join(', ')}.`] : []),
    ...(settingsOf(sent).length > 0
      ? [`Active of the undo on ${there}: ${showChange(sent)}.`]
      : []),
    ...(isOpen
      ? [`Unknown whether the last call to ${there} is active: tune.settings() there shows it.`]
      : []),
    ...(rest.length > 0 ? [`Not undone yet: ${rest.join(', ')}.`] : []),
    `${callText('undo', undoes, { confirm: true, force })} continues.`,
  ];
}

/** @param {string} home @param {string | undefined} id the id of the entry sent to a member */
function isUnanswered(home, id) {
  if (id === undefined) return false;
  try {
    const entry = entriesOf(readLines(home).lines).find((one) => one.id === id);
    return entry?.outcome === 'unknown';
  } catch (_unreadable) {
    return true;
  }
}

module.exports = { goBack };
