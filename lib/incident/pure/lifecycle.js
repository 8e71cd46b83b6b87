'use strict';

const { OF_SHUTDOWN } = require('./cause-table');
const { SLACK_SECONDS, isAbout, secondsFrom } = require('./reach');
const { clockText } = require('../../base/pure/units');

/**
 * @import { IncidentEvent, Shutdown } from '../types'
 */

/** Recognizes intended starts and stops of a set: what follows them is no trouble. */

/** These events show that a set ran before: then a time without a primary is trouble. */
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
 * Finds when a starting set had its first primary: earlier events are no sign of trouble.
 * @param {readonly IncidentEvent[]} events sorted by time
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

/**
 * Orderly shutdowns: what follows one belongs to it, and is no consequence of what was wrong before.
 */

const CODES = new Set(['process-signal', 'process-shutdown-command']);
/** Members that are shut down within this are shut down together (heuristic). */
const TOGETHER_SECONDS = 120;
/** Another member notices it for this long (heuristic): an election, and what waits for it. */
const NOTICED_SECONDS = 120;

/** @param {{ code: string }} event */
const isShutdown = ({ code }) => CODES.has(code);

/**
 * @param {readonly IncidentEvent[]} events in the order of time
 * @param {readonly string[]} hosts all servers that were read
 * @returns {Shutdown[]}
 */
function shutdownsOf(events, hosts) {
  /** @type {IncidentEvent[][]} */
  const groups = [];
  for (const event of events.filter(isShutdown)) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && secondsFrom(last.at, event.at) <= TOGETHER_SECONDS)
      groups.at(-1)?.push(event);
    else groups.push([event]);
  }
  return groups.map((group) => shutdownOf(group, hosts));
}

/** @param {IncidentEvent[]} group @param {readonly string[]} hosts @returns {Shutdown} */
function shutdownOf(group, hosts) {
  const down = [...new Set(group.flatMap(({ host }) => host ?? []))];
  const isAll = hosts.length > 0 && hosts.every((host) => down.includes(host));
  const reasons = [...new Set(group.map(reasonOf))];
  return {
    at: group[0].at,
    hosts: down,
    isAll,
    events: group.map(({ id }) => id),
    message:
      `At ${clockText(group[0].at)} ${whoOf(down, isAll)} shut down ` +
      `(${reasons.join(', ')}). What followed belongs to that.`,
  };
}

/** @param {readonly string[]} down @param {boolean} isAll */
function whoOf(down, isAll) {
  if (down.length > 1) return `${isAll ? 'all servers' : down.join(', ')} were`;
  return `${isAll || down.length === 0 ? 'the server' : down[0]} was`;
}

/** @param {IncidentEvent} event */
const reasonOf = ({ code, values }) =>
  code === 'process-signal' ? `signal ${values.signal ?? 'unknown'}` : 'command shutdown';

/**
 * The events that belong to a shutdown, with those that they belong to.
 * @param {readonly IncidentEvent[]} events in the order of time
 * @param {readonly Shutdown[]} shutdowns
 * @returns {Map<string, string>} by the id of the event the id of the shutdown's event
 */
function ownedByShutdowns(events, shutdowns) {
  const starts = events.filter(({ code }) => code === 'process-started');
  const owned = new Map();
  for (const { isAll, events: ids, at } of shutdowns)
    for (const down of events.filter(({ id }) => ids.includes(id))) {
      const back = starts.find(({ host, at: on }) => host === down.host && on > down.at);
      const toMs = back === undefined ? Infinity : back.at.getTime();
      const shutdown = { down, toMs, isAll, from: isAll ? at : down.at };
      events
        .filter((event) => !owned.has(event.id) && isOf(event, shutdown))
        .forEach(({ id }) => owned.set(id, down.id));
    }
  return owned;
}

/**
 * @param {IncidentEvent} event
 * @param {{ down: IncidentEvent, toMs: number, isAll: boolean, from: Date }} shutdown `toMs`: when the
 *   server started again
 */
function isOf(event, { down, toMs, isAll, from }) {
  const after = secondsFrom(from, event.at);
  if (!OF_SHUTDOWN.has(event.code) || after < -SLACK_SECONDS) return false;
  // A restart is noted from the last line of the run before to the first one of the next.
  if (event.host === down.host || isAll) return event.at.getTime() <= toMs;
  if (event.code === 'member-down') return isAbout(event, down) && event.at.getTime() <= toMs;
  return OF_OTHERS.has(event.code) && after <= NOTICED_SECONDS;
}
const OF_OTHERS = new Set(['election-started', 'stepped-down', 'majority-lag']);

module.exports = { isShutdown, ownedByShutdowns, shutdownsOf, firstPrimaryMs, isPrimarySeen };
