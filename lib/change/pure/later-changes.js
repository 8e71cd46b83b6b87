'use strict';

const { quotedIn, settingsIn } = require('../../config/config-layers');
const { settingsOf, pick } = require('../../config/change');
const { sameRun } = require('./journal');
const { maybeSent } = require('./way-back');
const { CLOCK_GRAIN_MS } = require('./timeline');
const { mayBeEffective } = require('./undoable');

/**
 * @import { SettingName, Change } from '../../base/types'
 * @import { Entry } from './journal'
 * @import { Run } from '../../server/types'
 * @import { TimelineEvent } from './timeline'
 */

/**
 * Finds what another session has set since a change of this journal.
 * @typedef {{ overwritten: string[], alongside: string[], unknown: boolean }} Others `overwritten`:
 *   strings that set the same settings; `alongside`: those that set others; `unknown`: the log may
 *   have lost some
 */

/**
 * @param {readonly TimelineEvent[]} timeline
 * @param {{ id: string, atMs: number, change: Change, was: string | null }} entry an entry of the
 *   journal, which may never have arrived
 * @returns {Others}
 */
function othersSince(timeline, { id, atMs, change, was }) {
  const own = timeline.findLastIndex((event) => event.kind === 'set' && event.id === id);
  // Only the last string of all has no time: where the change saw it already, nothing was accepted
  // since.
  const earlier = timeline.findLastIndex(
    (event) =>
      event.kind === 'set' && (event.atMs === null ? event.config === was : event.atMs < atMs),
  );
  const last = own === -1 ? earlier : own;
  const later = timeline.slice(last + 1);
  const strings = later.flatMap((event) =>
    event.kind === 'set' && event.id === null ? [event.config] : [],
  );
  // A setting under a key in quotes ends once another string was accepted.
  const lastText = later.findLast((event) => event.kind === 'set')?.config;
  const same = strings.filter((text) =>
    text === lastText ? sets(text, change) : setsSame(text, change),
  );
  return {
    overwritten: same,
    alongside: strings.filter((text) => text !== '' && !same.includes(text)),
    unknown: later.some(({ kind }) => kind === 'gap'),
  };
}

/**
 * Finds what another session set after a change was planned and before its last call, which
 * overwrote it.
 * @param {readonly TimelineEvent[]} timeline
 * @param {Pick<Entry, 'id' | 'logged' | 'external' | 'readFromMs' | 'open'>} entry
 * @param {Change} change the settings that an undo would set
 * @param {readonly string[]} undos the undos of this entry, which are no external changes
 * @returns {string[]}
 */
function externalDuring(timeline, entry, change, undos = []) {
  const { id, logged, external = [], readFromMs, open = [] } = entry;
  const own = new Set(/** @type {(string | null)[]} */ ([id, ...undos]));
  const last = timeline.findLastIndex((event) => event.kind === 'set' && event.id === id);
  const seen = timeline.findLastIndex(
    (event) =>
      event.kind === 'set' && event.atMs === logged?.atMs && event.config === logged?.config,
  );
  // A log that no longer reaches back to the plan lacks its line: then the journal counts.
  const reachesPlan = logged === null || seen !== -1;
  const from = reachesPlan ? seen + 1 : firstSince(timeline, readFromMs);
  const between = timeline.slice(from, Math.max(last, from));
  // A call of this journal after an unanswered one was sent in regard of it.
  const isAfterOpen = (/** @type {string | null} */ sentBy, /** @type {number} */ sentMs) =>
    sentBy !== null && open.some(({ atMs }) => atMs < sentMs);
  const strings = between.flatMap((event) =>
    event.kind === 'set' &&
    !own.has(event.id) &&
    event.atMs !== null &&
    !isAfterOpen(event.id, event.atMs)
      ? [event.config]
      : [],
  );
  // The change that noted the string could not know that it was an undo's.
  const wayBack = new Set(
    timeline.flatMap((event) =>
      event.kind === 'set' && event.id !== null && undos.includes(event.id) ? [event.config] : [],
    ),
  );
  const noted = external.filter((text) => !wayBack.has(text));
  return [...new Set([...noted, ...strings])].filter((text) => sets(text, change));
}

/**
 * Changes that were made after a call of this one which was not answered, and that it ended when it arrived.
 * @param {readonly TimelineEvent[]} timeline
 * @param {Pick<Entry, 'id' | 'open'>} entry
 * @param {readonly Entry[]} entries
 * @returns {string[]} their ids
 */
function overtakenBy(timeline, { id, open = [] }, entries) {
  const own = timeline.findLastIndex((event) => event.kind === 'set' && event.id === id);
  const arrived = timeline[own];
  const call = open.find(({ command }) => arrived?.kind === 'set' && arrived.config === command);
  if (call === undefined) return [];
  // Of each setting the last one: those before it were replaced already.
  const ended = settingsOf(settingsIn(call.command)).map((setting) =>
    lastOf(timeline.slice(0, own), setting),
  );
  // By the journal: what a later change knew of has no time in the timeline.
  const isLater = (/** @type {Entry} */ { sent, open: unanswered = [] }) =>
    [...sent, ...unanswered].some(({ atMs }) => call.atMs < atMs);
  return entries
    .filter((entry) => ended.includes(entry.id) && entry.id !== id && isLater(entry))
    .filter((entry) => entry.action !== 'undo' && mayBeEffective(entry))
    .map((entry) => entry.id);
}

/**
 * @param {readonly TimelineEvent[]} timeline @param {SettingName} setting
 * @returns {string | null} the change that set it last
 */
function lastOf(timeline, setting) {
  const last = timeline.findLast(
    (event) => event.kind === 'set' && setsAny(event.config, [setting]),
  );
  return last?.kind === 'set' ? last.id : null;
}

/**
 * @param {readonly TimelineEvent[]} timeline @param {number} [fromMs] undefined: not known
 * @returns {number} the index of the first event since then
 */
function firstSince(timeline, fromMs = Infinity) {
  const first = timeline.findIndex(
    (event) => event.kind === 'set' && event.atMs !== null && event.atMs + CLOCK_GRAIN_MS >= fromMs,
  );
  return first === -1 ? timeline.length : first;
}

/**
 * @param {string} text
 * @param {Change} change
 * @returns {boolean} whether the change overwrites what the string has set: one of the same
 *   settings, or any under a key in quotes
 */
const sets = (text, change) =>
  settingsOf(change).length > 0 &&
  (settingsOf(quotedIn(text)).length > 0 || setsSame(text, change));

/**
 * @param {string} text @param {Change} change @returns {boolean} whether both set a common setting
 */
const setsSame = (text, change) =>
  settingsOf(settingsIn(text)).some((setting) => change[setting] !== undefined);

/** @param {string} text @param {readonly string[]} settings @returns {boolean} */
const setsAny = (text, settings) =>
  settingsOf(settingsIn(text)).some((setting) => settings.includes(setting));

/**
 * Lists later changes and undos of this journal that are active and set the same: an undo of the
 * earlier change would undo a part of them. An undo is settled with the change that it undoes,
 * where that came later too.
 * @param {readonly TimelineEvent[]} timeline
 * @param {readonly Entry[]} entries
 * @param {Entry} entry
 * @param {Change} change
 * @returns {Entry[]}
 */
function laterChanges(timeline, entries, entry, change) {
  const isLater = (/** @type {Entry} */ one) =>
    settingsOf(change).some((setting) => comesAfter(timeline, entries, [one, entry], setting));
  const isSettled = (/** @type {Entry} */ one) => {
    const undone = entries.find(({ id }) => id === one.undoes);
    return undone !== undefined && (undone.id === entry.id || isLater(undone));
  };
  return entries.filter(
    (one) =>
      one.id !== entry.id &&
      mayBeEffective(one) &&
      sameRun(one.run, entry.run) &&
      sets(maybeSent(one).join(','), change) &&
      isLater(one) &&
      !isSettled(one),
  );
}

/**
 * Says which of two entries came later: by what the server did, where that is known of both; else
 * by the order in which they were begun.
 * @param {readonly TimelineEvent[]} timeline
 * @param {readonly Entry[]} entries
 * @param {[Entry, Entry]} pair the two; returns whether the first comes after the second
 * @param {SettingName} setting
 */
function comesAfter(timeline, entries, pair, setting) {
  const [one, other] = pair.map(({ id }) =>
    timeline.findLastIndex(
      (event) =>
        event.kind === 'set' && event.id === id && settingsIn(event.config)[setting] !== undefined,
    ),
  );
  if (one !== -1 && other !== -1) return one > other;
  const [a, b] = pair.map(({ id }) => entries.findIndex((entry) => entry.id === id));
  return a > b;
}

/**
 * Warns of settings that another session set after the last own change of them.
 * @param {readonly TimelineEvent[]} timeline
 * @param {readonly Entry[]} entries
 * @param {Run} run
 * @param {Change} change
 * @returns {string[]} warnings
 */
function externalBelow(timeline, entries, run, change) {
  const ours = entries.filter((entry) => mayBeEffective(entry) && sameRun(entry.run, run));
  const warnings = settingsOf(change).flatMap((setting) => {
    const last = ours.findLast((entry) => entry.change[setting] !== undefined);
    const foreign =
      last &&
      othersSince(timeline, { ...last, change: pick(change, [setting]) }).overwritten.at(-1);
    return foreign === undefined
      ? []
      : [
          `Since the change ${last?.id} another session set "${foreign}": this ` +
            'change replaces it, and an undo restores it.',
        ];
  });
  return [...new Set(warnings)];
}

module.exports = {
  othersSince,
  externalDuring,
  laterChanges,
  externalBelow,
  overtakenBy,
  sets,
  setsSame,
  setsAny,
};
