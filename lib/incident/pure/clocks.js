'use strict';

const { quantile } = require('../../base/pure/statistics');

/**
 * @import { ClockOffset, RawEvent } from '../types'
 * @import { KernelEvent } from '../read-kernel-log'
 */

/**
 * Clocks that disagree, measured by events that two of them recorded: a member that became primary
 * is seen by the others at their next heartbeat; a process that the kernel killed writes its last
 * line then.
 */

/** Heartbeats are sent every 2 s by default: what is nearer than that and some more is no offset. */
const HEARTBEAT_SECONDS = 4;
const QUARTER_MS = 15 * 60_000;
/**
 * Time zones differ by whole hours, by half ones, and some by three quarters; none by a quarter.
 */
const ZONE_MINUTES = new Set([0, 30, 45]);
const MAX_ZONE_MS = 14 * 3_600_000;
/** The kernel's line and the last sign of life of the process it killed. */
const KILL_MS = 45_000;

/**
 * Computes how far the members' clocks are ahead of the first one's.
 * @param {readonly RawEvent[]} events the events of all members
 * @param {readonly string[]} hosts
 * @returns {ClockOffset[]} only clocks that differ
 */
function memberOffsets(events, hosts) {
  const [first, ...others] = hosts;
  return others.flatMap((other) => {
    const apart = [
      ...seenBy(events, first, other),
      ...seenBy(events, other, first).map((ms) => -ms),
    ];
    if (apart.length === 0) return [];
    const aheadSeconds = quantile(apart, 0.5) / 1000;
    return Math.abs(aheadSeconds) <= HEARTBEAT_SECONDS
      ? []
      : [{ of: other, against: first, aheadSeconds, events: apart.length }];
  });
}

/** An election is a rare event: the nearest sighting within this is the same (heuristic). */
const SAME_ELECTION_MS = 15 * 60_000;

/**
 * Computes how much later one member saw the changes of another.
 * @param {readonly RawEvent[]} events
 * @param {string} member
 * @param {string} observer
 * @returns {number[]} ms
 */
function seenBy(events, member, observer) {
  const port = member.slice(member.lastIndexOf(':'));
  const became = events.filter(
    ({ code, host, values }) =>
      code === 'state-changed' && host === member && values.to === 'PRIMARY',
  );
  const seen = events.filter(
    ({ code, host, values }) =>
      code === 'member-state' &&
      host === observer &&
      values.state === 'PRIMARY' &&
      (values.member === member || String(values.member).endsWith(port)),
  );
  if (became.length === 0 || became.length !== seen.length) return [];
  return became
    .map(({ fromMs }, i) => seen[i].fromMs - fromMs)
    .filter((ms) => Math.abs(ms) <= SAME_ELECTION_MS);
}

/**
 * Moves the events of clocks that are ahead.
 * @param {readonly RawEvent[]} events
 * @param {readonly ClockOffset[]} offsets
 * @returns {RawEvent[]}
 */
const corrected = (events, offsets) =>
  events.map((event) => {
    const offset = offsets.find(({ of }) => of === event.host);
    return offset === undefined ? event : movedBy(event, -1000 * offset.aheadSeconds);
  });

/** @param {RawEvent} event @param {number} ms @returns {RawEvent} */
const movedBy = (event, ms) => ({
  ...event,
  fromMs: event.fromMs + ms,
  toMs: event.toMs === null ? null : event.toMs + ms,
});

/**
 * Kernel events on the clock of the server: what counts from the start of the machine is placed by
 * that, or by a kill; what has no zone is UTC, unless a kill shows another.
 * @param {readonly KernelEvent[]} events of one file
 * @param {readonly RawEvent[]} ofServer
 * @param {{ file: string, bootedAtMs: number | null }} about
 * @returns {{ events: RawEvent[], clocks: ClockOffset[], notes: string[] }}
 */
function placeKernelEvents(events, ofServer, { file, bootedAtMs }) {
  const deaths = ofServer.filter(({ code }) => code === 'process-died');
  const pids = pidsOf(ofServer);
  const sinceBoot = events.filter(({ sinceBootMs }) => sinceBootMs !== null);
  if (sinceBoot.length > 0) {
    const bootMs = bootedAtMs ?? bootByKill(sinceBoot, deaths, pids);
    if (bootMs === null) return { events: [], clocks: [], notes: [unplaced(file, sinceBoot)] };
    return {
      events: sinceBoot.map(({ event, sinceBootMs }) => ({
        ...event,
        fromMs: bootMs + Number(sinceBootMs),
      })),
      clocks: [],
      notes: [],
    };
  }
  const isLocal = events.some((line) => line.isLocal);
  const shownMs = isLocal ? zoneByKill(events, deaths, pids) : 0;
  const aheadMs = shownMs ?? 0;
  return {
    events: events.map(({ event }) => movedBy(event, -aheadMs)),
    clocks:
      aheadMs === 0
        ? []
        : [{ of: file, against: 'the log of mongod', aheadSeconds: aheadMs / 1000, events: 1 }],
    notes: shownMs === null ? [zoneNote(file)] : [],
  };
}

/** @param {string} file */
const zoneNote = (file) => `${file} names no time zone: its times are taken for UTC.`;

/** @param {string} file @param {readonly KernelEvent[]} events */
const unplaced = (file, events) =>
  `${file} counts from the start of the machine, which is not known: ${events.length} events of it ` +
  'have no place on the timeline. Use dmesg -T, or journalctl -k -o short-iso.';

/** Process ids that the server had. @param {readonly RawEvent[]} events */
const pidsOf = (events) =>
  new Set(
    events.flatMap(({ code, values }) =>
      code === 'process-started' && typeof values.pid === 'number' ? [values.pid] : [],
    ),
  );

/**
 * Kills of the server: a machine may run several, so the name alone counts only where no log says
 * which process it was.
 * @param {readonly KernelEvent[]} events
 * @param {ReadonlySet<number>} pids
 */
const killsOf = (events, pids) =>
  events.filter(
    ({ event: { code, values } }) =>
      code === 'kernel-oom-kill' &&
      (pids.size > 0 ? pids.has(Number(values.pid)) : /^mongo[ds]/.test(String(values.process))),
  );

/**
 * Computes when the machine was started, from the kill of a process whose log stops.
 * @param {readonly KernelEvent[]} events
 * @param {readonly RawEvent[]} deaths
 * @param {ReadonlySet<number>} pids
 * @returns {number | null}
 */
function bootByKill(events, deaths, pids) {
  const kills = killsOf(events, pids);
  return kills.length === 1 && deaths.length === 1
    ? deaths[0].fromMs - Number(kills[0].sinceBootMs)
    : null;
}

/**
 * Computes how far a zone is ahead of UTC, from a kill and the death nearest to it.
 * @param {readonly KernelEvent[]} events
 * @param {readonly RawEvent[]} deaths
 * @param {ReadonlySet<number>} pids
 * @returns {number | null} ms; null: nothing shows it
 */
function zoneByKill(events, deaths, pids) {
  const zones = killsOf(events, pids).flatMap(({ event }) =>
    deaths.flatMap(({ fromMs }) => zoneOf(event.fromMs - fromMs) ?? []),
  );
  return zones.includes(0) ? 0 : (zones.at(0) ?? null);
}

/** @param {number} apartMs of a kill from the death @returns {number | null} ms; null: no zone */
function zoneOf(apartMs) {
  const zoneMs = Math.round(apartMs / QUARTER_MS) * QUARTER_MS;
  const isNear = Math.abs(zoneMs) <= MAX_ZONE_MS && Math.abs(apartMs - zoneMs) <= KILL_MS;
  return isNear && ZONE_MINUTES.has(Math.abs((zoneMs / 60_000) % 60)) ? zoneMs : null;
}

module.exports = { memberOffsets, corrected, placeKernelEvents };
