'use strict';

const { codeOf, labelOf, stageOf } = require('./event-codes');
const { judge } = require('./causes');
const { shutdownsOf } = require('./lifecycle');
const { lastSignOf, roleAt } = require('./extent');
const { checkedFor, nextStep } = require('./follow-up');
const { mostTellingFirst, reconciled } = require('./reconcile');
const { clockText, many, timeText } = require('../../base/pure/units');

/**
 * @import { Members } from './extent'
 * @import { ClockOffset, EventGroup, Incident, IncidentEvent, IncidentSource,
 *   RawEvent } from '../types'
 */

/**
 * All that was read, as one answer.
 *
 * @typedef {{
 *   events: readonly RawEvent[], sources: IncidentSource[], clocks: ClockOffset[],
 *   hosts: string[], version: string | null, notes: string[],
 *   range: { fromMs: number, toMs: number }, dropped: number
 * }} ReadAll
 */

/** An answer has at most this many events: no one reads more, and a page of them is slow. */
const MAX_EVENTS = 500;

/** @param {ReadAll & { members?: Members }} read @returns {Incident} */
function incidentOf(read) {
  const { events: raw, sources, clocks, hosts, version, notes, range, dropped } = read;
  const all = reconciled(raw)
    .filter(({ fromMs, toMs }) => (toMs ?? fromMs) >= range.fromMs && fromMs <= range.toMs)
    .sort((a, b) => a.fromMs - b.fromMs || stageOf(a) - stageOf(b));
  const kept = mostImportant(all);
  const events = kept.map(eventOf);
  const isAnything = sources.some(
    ({ kind, read, from }) => kind !== 'kernel' && read > 0 && from !== null,
  );
  const shutdowns = shutdownsOf(events, hosts);
  const judged = judge(events, shutdowns);
  const { unexplained, ...said } = judged;
  const times = timesOf(sources, range);
  const verdict = isAnything && times.from !== null ? judged.verdict : 'unknown';
  const first = events.find(({ id }) => id === judged.firstCause) ?? null;
  const { role, next, checked } = aboutFirst(first, events, { ...read, chain: judged.chain });
  return {
    at: times.to,
    host: first?.host ?? hosts.at(0) ?? null,
    hosts,
    version,
    ...times,
    ...said,
    role,
    next,
    checked,
    ...lastSignOf({ chain: said.chain, events, sources, shutdowns, to: times.to }),
    verdict,
    because: becauseOf(verdict, { events, ...judged, times, hosts, role }),
    shutdowns,
    groups: groupsOf(events),
    events,
    sources,
    clocks,
    compared: null,
    notes: [
      ...notes,
      ...clocks.map(clockNote),
      ...(verdict === 'incident' ? unexplainedNote(events, unexplained) : []),
      ...leftOutNote(all.length - kept.length + dropped),
    ],
  };
}

/**
 * @param {IncidentEvent | null} first
 * @param {readonly IncidentEvent[]} events
 * @param {ReadAll & { members?: Members, chain: Incident['chain'] }} read
 */
const aboutFirst = (first, events, { members, sources, chain }) =>
  first === null
    ? { role: null, next: null, checked: null }
    : {
        role: roleAt(first, events, members ?? []),
        next: nextStep(first),
        checked: checkedFor(first, outside(chain, events), sources),
      };

/**
 * Selects events outside the chain: an effect does not refute its cause.
 * @param {Incident['chain']} chain
 * @param {readonly IncidentEvent[]} events
 */
const outside = (chain, events) =>
  events.filter(({ id }) => !chain.some(({ event }) => event === id));

/** Signs that a note names. */
const MAX_NAMED = 3;

/** @param {readonly IncidentEvent[]} events @param {readonly string[]} ids */
function unexplainedNote(events, ids) {
  if (ids.length === 0) return [];
  const named = events
    .filter(({ id }) => ids.includes(id))
    .slice(0, MAX_NAMED)
    .map(({ code, at }) => `${labelOf(code)} at ${clockText(at)}`);
  const rest = ids.length - named.length;
  return [
    `${many(ids.length, 'sign')} of trouble ${ids.length === 1 ? 'is' : 'are'} not explained by it: ` +
      `${named.join(', ')}${rest === 0 ? '' : `, and ${rest} more`}.`,
  ];
}

/** @param {number} n */
const leftOutNote = (n) =>
  n === 0 ? [] : [`${many(n, 'event')} of little weight ${n === 1 ? 'is' : 'are'} left out.`];

/** @param {readonly RawEvent[]} all in the order of time @returns {RawEvent[]} */
function mostImportant(all) {
  if (all.length <= MAX_EVENTS) return [...all];
  const chosen = new Set(all.toSorted(mostTellingFirst).slice(0, MAX_EVENTS));
  return all.filter((event) => chosen.has(event));
}

/** @param {RawEvent} raw @param {number} i @returns {IncidentEvent} */
function eventOf({ code, fromMs, toMs, host, count, values, evidence }, i) {
  const about = /** @type {NonNullable<ReturnType<typeof codeOf>>} */ (codeOf(code));
  return {
    id: `e${i + 1}`,
    kind: about.kind,
    code,
    at: new Date(fromMs),
    to: toMs === null ? null : new Date(toMs),
    host,
    count,
    values,
    message: about.say(values),
    evidence,
  };
}

/**
 * Names the server, where there are several.
 * @param {IncidentEvent} event
 * @param {Pick<Incident, 'hosts' | 'role'>} incident
 * @returns {string} ` on db1:27017 (primary)`, or ''
 */
const whereText = ({ host }, { hosts, role }) =>
  host === null || hosts.length < 2 ? '' : ` on ${host}${!role ? '' : ` (${role.toLowerCase()})`}`;

/** @param {readonly IncidentSource[]} sources @param {{ fromMs: number, toMs: number }} range */
function timesOf(sources, range) {
  const ms = (/** @type {Date | null} */ date, /** @type {number} */ otherwise) =>
    date?.getTime() ?? otherwise;
  const own = sources.filter(({ kind }) => kind !== 'kernel');
  const first = Math.min(...own.map(({ from }) => ms(from, Infinity)));
  const last = Math.max(...own.map(({ to }) => ms(to, -Infinity)));
  const fromMs = Math.max(first, range.fromMs);
  const toMs = Math.min(last, range.toMs);
  return fromMs <= toMs && Number.isFinite(fromMs) && Number.isFinite(toMs)
    ? { from: new Date(fromMs), to: new Date(toMs) }
    : { from: null, to: null };
}

/**
 * The conclusion.
 * @param {Incident['verdict']} verdict
 * @param {{
 *   events: readonly IncidentEvent[], firstCause: string | null, chain: Incident['chain'],
 *   times: { from: Date | null, to: Date | null }, hosts: string[], role: string | null
 * }} found
 */
function becauseOf(verdict, { events, firstCause, chain, times, hosts, role }) {
  if (verdict === 'unknown')
    return times.from === null
      ? 'Unknown: nothing that was read is of that time.'
      : 'Unknown: there is nothing to judge.';
  if (verdict === 'nothing-unusual')
    return `Nothing unusual: no sign that the server or its clients were affected (${many(events.length, 'event')} noted).`;
  const first = /** @type {IncidentEvent} */ (events.find(({ id }) => id === firstCause));
  const effects = chain.slice(1).map(({ event }) => codeName(events, event));
  const isSign = codeOf(first.code)?.role === 'symptom';
  const led = [...new Set(effects)];
  return (
    `${isSign ? 'The first sign, whose cause is not known' : 'First cause'}, at ` +
    `${timeText(first.at)} UTC${whereText(first, { hosts, role })}: ${first.message}` +
    (led.length === 0 ? '' : ` Then: ${led.join(', ')}.`)
  );
}

/** @param {readonly IncidentEvent[]} events @param {string} id */
const codeName = (events, id) => labelOf(events.find((event) => event.id === id)?.code ?? '');

/** @param {readonly IncidentEvent[]} events @returns {EventGroup[]} */
function groupsOf(events) {
  /** @type {Map<IncidentEvent['kind'], EventGroup>} */
  const groups = new Map();
  for (const { kind, id, count } of events) {
    const group = groups.get(kind) ?? { kind, count: 0, events: [] };
    group.count += count;
    group.events.push(id);
    groups.set(kind, group);
  }
  return [...groups.values()];
}

/** @param {ClockOffset} offset */
const clockNote = ({ of, against, aheadSeconds, events }) =>
  `The clock of ${of} was ${Math.abs(Math.round(aheadSeconds))} s ` +
  `${aheadSeconds > 0 ? 'ahead of' : 'behind'} ${against}, by ${many(events, 'shared event')}: its events are moved by that.`;

module.exports = { incidentOf, whereText, MAX_EVENTS };
