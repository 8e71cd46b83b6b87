'use strict';

const { hostWithPort } = require('./reconcile');
const { MS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { FeatureRows, Incident, IncidentEvent, IncidentSource } from '../types'
 */

/**
 * Finds when an incident was seen, and on which member it began.
 *
 * @typedef {readonly { member: { host: string | null, rows?: FeatureRows } }[]} Members
 */

/**
 * A sign this near to the end may have continued behind it: slow operations are counted by 10 s.
 */
const NEAR_END_MS = 10_000;
/** A server takes this long at most to shut down in order (heuristic). */
const SHUTDOWN_MS = 60_000;

/** @param {Date} date @returns {number} as a clock shows it */
const shownSecond = (date) => Math.floor(new Date(date).getTime() / MS_PER_SECOND);
/** The whole seconds between two times as they are shown. @param {Date} from @param {Date} to */
const shownSeconds = (from, to) => shownSecond(to) - shownSecond(from);

/**
 * @param {Pick<Incident, 'chain' | 'events' | 'sources' | 'shutdowns' | 'to'>} incident
 * @returns {Pick<Incident, 'lastSignAt' | 'lastSignIs'>}
 */
function lastSignOf({ chain, events, sources, shutdowns, to }) {
  const links = new Set(chain.map(({ event }) => event));
  const last = events
    .filter(({ id }) => links.has(id))
    .reduce(
      (/** @type {IncidentEvent | null} */ latest, event) =>
        latest !== null && endOf(latest) >= endOf(event) ? latest : event,
      null,
    );
  if (last === null) return { lastSignAt: null, lastSignIs: null };
  const lastSignAt = new Date(endOf(last));
  const downs = new Set(
    shutdowns.flatMap((shutdown) => shutdown.events).filter((id) => !links.has(id)),
  );
  const isDown = events.some(
    ({ id, host, at }) =>
      downs.has(id) &&
      host === last.host &&
      endOf(last) >= at.getTime() - NEAR_END_MS &&
      endOf(last) <= at.getTime() + SHUTDOWN_MS,
  );
  if (isDown) return { lastSignAt, lastSignIs: 'shutdown' };
  const isAtEnd = endOf(last) >= readUntil(last.host, sources, to) - NEAR_END_MS;
  return { lastSignAt, lastSignIs: isAtEnd ? 'end-of-data' : 'end' };
}

/** @param {IncidentEvent} event */
const endOf = ({ at, to }) => (to ?? at).getTime();

/**
 * @param {string | null} host
 * @param {readonly IncidentSource[]} sources
 * @param {Date | null} to of the time that was examined
 */
function readUntil(host, sources, to) {
  const all = to?.getTime() ?? Infinity;
  const own = sources.flatMap((source) =>
    source.host !== null && hostWithPort(source.host) === host && source.to !== null
      ? [source.to.getTime()]
      : [],
  );
  return own.length === 0 ? all : Math.min(all, Math.max(...own));
}

/** Numbers of states in diagnostic data that matter to a reader. */
const STATES = Object.freeze(
  /** @type {Record<number, string>} */ ({ 1: 'PRIMARY', 2: 'SECONDARY' }),
);

/**
 * Finds the role of a member when an event began.
 * @param {IncidentEvent} event
 * @param {readonly IncidentEvent[]} events sorted by time
 * @param {Members} members
 * @returns {string | null} such as PRIMARY
 */
function roleAt({ host, at }, events, members) {
  const changes = events.filter(
    (one) =>
      (one.host === host && (one.code === 'election-won' || one.code === 'state-changed')) ||
      (one.code === 'member-state' && one.values.member === host),
  );
  const last = changes.findLast((change) => change.at < at);
  if (last !== undefined)
    return last.code === 'election-won' ? 'PRIMARY' : text(last.values.to ?? last.values.state);
  const next = changes.find(({ code }) => code === 'state-changed');
  return text(next?.values.from) ?? sampledRole(host, at, members);
}

/** @param {unknown} value */
const text = (value) => (typeof value === 'string' ? value : null);

/** @param {string | null} host @param {Date} at @param {Members} members */
function sampledRole(host, at, members) {
  const own = members.find(
    ({ member }) => member.host !== null && hostWithPort(member.host) === host,
  );
  const rows = own?.member.rows;
  const states = rows?.columns.state;
  if (rows === undefined || states === undefined) return null;
  let role = null;
  for (let i = 0; i < rows.length && (rows.atMs[i] <= at.getTime() || role === null); i++)
    role = STATES[states[i]] ?? role;
  return role;
}

module.exports = { lastSignOf, roleAt, shownSeconds };
