'use strict';

/**
 * @import { IncidentEvent } from '../types'
 */

/** What shows that a set ran before: then a time without a primary is trouble. */
const RAN_BEFORE = new Set([
  'process-died',
  'process-restarted',
  'process-unclean-start',
  'process-signal',
  'process-shutdown-command',
  'stepped-down',
]);

/** @param {IncidentEvent} event */
const isPrimarySeen = ({ code, values }) =>
  code === 'election-won' ||
  (code === 'state-changed' && values.to === 'PRIMARY') ||
  (code === 'member-state' && values.state === 'PRIMARY');

/**
 * When a set that starts had its first primary: what shows before that is no sign of trouble.
 * @param {readonly IncidentEvent[]} events in the order of time
 * @returns {number} ms since 1970; -Infinity where no set starts
 */
function firstPrimaryMs(events) {
  const first = events.findIndex(isPrimarySeen);
  const before = events.slice(0, Math.max(0, first));
  const isStart =
    before.some(({ code }) => code === 'process-started') &&
    !before.some(({ code }) => RAN_BEFORE.has(code));
  return isStart ? events[first].at.getTime() : -Infinity;
}

module.exports = { firstPrimaryMs, isPrimarySeen };
