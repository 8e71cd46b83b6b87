'use strict';

const { settingsOf } = require('../../config/change');
const { settingsIn } = require('../../config/effective-config');
const { CLOCK_GRAIN_MS, MAX_CALL_DELAY_MS } = require('./timeline');
const { quoteConfig } = require('../../config/engine-config');

/**
 * @import { Change } from '../../base/types'
 * @import { Asking, Entry, Sent } from './journal'
 * @import { TimelineEvent } from './timeline'
 */

/**
 * Finds calls whose answer was lost: they may arrive minutes later, from a slow network or behind a
 * checkpoint. Until then their change cannot count as finished.
 */

/**
 * @param {Pick<Entry, 'id' | 'outcome' | 'open' | 'sent' | 'resent' | 'before'>} entry an entry of
 *   this run of the server
 * @param {readonly TimelineEvent[]} timeline the timeline of that run
 * @param {number} nowMs the time by the server's clock
 * @returns {string | null} the string of a call that was neither answered nor has arrived, and may
 *   still arrive
 */
function pendingCall({ id, outcome, open = [], sent, before, resent = [] }, timeline, nowMs) {
  if (outcome !== 'unknown') return null;
  const hasArrived = (/** @type {Asking} */ { atMs, command }) => {
    const isRepeated = sent.some((one) => one.command === command);
    return timeline.some(
      (event) =>
        event.kind === 'set' &&
        event.id === id &&
        event.config === command &&
        (event.atMs === null ? !isRepeated : event.atMs + CLOCK_GRAIN_MS >= atMs),
    );
  };
  const pending = open.findLast(
    (call) =>
      // The former string is sent again only after a refusal, which is an answer.
      !resent.some((one) => one.atMs >= call.atMs) &&
      nowMs - call.atMs < MAX_CALL_DELAY_MS &&
      !isWayBack(call.command, before) &&
      !hasArrived(call),
  );
  return pending?.command ?? null;
}

/**
 * Returns the line that the journal lacks for a call whose answer was lost: a closed entry without
 * it would count the call as another session's.
 * @param {Pick<Entry, 'id' | 'open' | 'sent'>} entry
 * @param {readonly TimelineEvent[]} timeline the timeline of its run
 * @returns {Sent | null} null: no call has arrived
 */
function arrivedCall({ id, open = [], sent }, timeline) {
  for (const { atMs, command } of open.toReversed()) {
    const known = sent.filter((one) => one.command === command).length;
    const found = timeline.flatMap((event, i) =>
      event.kind === 'set' && event.id === id && event.config === command ? [i] : [],
    );
    const before = timeline[(found.at(-1) ?? 0) - 1] ?? { kind: 'set', config: '' };
    if (found.length > known)
      return { kind: 'sent', id, atMs, command, was: before.kind === 'set' ? before.config : null };
  }
  return null;
}

/**
 * Says whether a call sets what an undo sets, so that its time of arrival does not matter.
 * @param {string} command
 * @param {Change} before
 */
function isWayBack(command, before) {
  const values = settingsIn(command);
  const settings = settingsOf(values);
  return settings.length > 0 && settings.every((setting) => values[setting] === before[setting]);
}

/** @param {string} command @returns {string} */
const pendingWords = (command) =>
  `The call ${quoteConfig(command)} was not answered and is not active, but it may still arrive ` +
  `for up to ${MAX_CALL_DELAY_MS / 60_000} minutes. Until then the change stays open: ` +
  'run tune.undo() again to check.';

/** @param {string} id the id of its change @param {string} command @returns {string} */
const overwritingWords = (id, command) =>
  `The call ${quoteConfig(command)} of the change ${id} was not answered and may still arrive for ` +
  `up to ${MAX_CALL_DELAY_MS / 60_000} minutes. It would overwrite this change: ` +
  'check tune.settings() then.';

module.exports = { pendingCall, arrivedCall, pendingWords, overwritingWords };
