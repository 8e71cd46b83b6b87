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
 * A call whose answer was lost may arrive minutes later: from a slow network, or behind a
 * checkpoint. Until then its change cannot count as finished.
 */

/**
 * @param {Pick<Entry, 'id' | 'outcome' | 'open' | 'sent' | 'resent' | 'before'>} entry of this run
 *   of the server
 * @param {readonly TimelineEvent[]} timeline of that run
 * @param {number} nowMs by the server's clock
 * @returns {string | null} the string of a call that was neither answered nor has arrived, and still
 *   may
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
      // What was before is sent again only after a refusal, which is an answer.
      !resent.some((one) => one.atMs >= call.atMs) &&
      nowMs - call.atMs < MAX_CALL_DELAY_MS &&
      !isWayBack(call.command, before) &&
      !hasArrived(call),
  );
  return pending?.command ?? null;
}

/**
 * What the journal lacks of a call whose answer was lost: a closed entry without it would count the
 * call as another session's.
 * @param {Pick<Entry, 'id' | 'open' | 'sent'>} entry
 * @param {readonly TimelineEvent[]} timeline of its run
 * @returns {Sent | null} null: none has arrived
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
 * Whenever it arrives, it sets what an undo sets.
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

/** @param {string} id of its change @param {string} command @returns {string} */
const overwritingWords = (id, command) =>
  `The call ${quoteConfig(command)} of the change ${id} was not answered and may still arrive for ` +
  `up to ${MAX_CALL_DELAY_MS / 60_000} minutes. It would overwrite this change: ` +
  'check tune.settings() then.';

module.exports = { pendingCall, arrivedCall, pendingWords, overwritingWords };
