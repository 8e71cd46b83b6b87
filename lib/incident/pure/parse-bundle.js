'use strict';

const { isPossible } = require('../../recording/pure/moment');
const { codeOf } = require('./event-codes');
const { summaryOf } = require('../../series/chart-data');
const { FORMAT, VERSION } = require('./bundle');

/**
 * @import { ChartData, Span } from '../../text/types'
 * @import { ClockOffset, Evidence, EventValues, IncidentSource, RawEvent } from '../types'
 */

/**
 * Reads a bundle that may be cut, edited or made by any user: a malformed part is left out and
 * counted, and every conclusion is drawn again.
 *
 * @typedef {{
 *   host: string | null, version: string | null, samples: number, fromMs: number, toMs: number,
 *   chart: ChartData
 * }} BundledMember
 * @typedef {{
 *   events: RawEvent[], members: BundledMember[], sources: IncidentSource[], clocks: ClockOffset[],
 *   hosts: string[], version: string | null, range: { fromMs: number, toMs: number }, left: number
 * }} ParsedBundle `left`: how much was left out
 */

const MAX_EVENTS = 20_000;
const MAX_LIST = 1000;
const MAX_POINTS = 10_000;
const MAX_TEXT = 300;
const MAX_VALUES = 20;
/** The name of a series or a level. */
const NAME = /^[A-Za-z]\w{0,40}$/;

/** @param {unknown} value @returns {Record<string, any>} */
const object = (value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? /** @type {Record<string, any>} */ (value)
    : {};
/** @param {unknown} value @param {number} max @returns {any[]} */
const list = (value, max) => (Array.isArray(value) ? value.slice(0, max) : []);
/** @param {unknown} value @returns {string | null} */
const text = (value) => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : null);
/** @param {unknown} value @returns {value is number} */
const isTime = (value) => typeof value === 'number' && isPossible(value);
/** @param {unknown} value */
const wholeNumber = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0;
/** @param {unknown} value @returns {Date | null} */
function date(value) {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  return isTime(ms) ? new Date(ms) : null;
}

/**
 * @param {unknown} made what JSON holds
 * @returns {ParsedBundle | null} null: no bundle of a release that is known
 */
function parseBundle(made) {
  const bundle = object(made);
  if (bundle.format !== FORMAT || bundle.version !== VERSION) return null;
  const events = list(bundle.events, MAX_EVENTS).flatMap((event) => eventOf(object(event)) ?? []);
  const { fromMs, toMs } = object(bundle.range);
  return {
    events,
    left: list(bundle.events, Infinity).length - events.length,
    members: list(bundle.members, MAX_LIST).flatMap((member) => memberOf(object(member)) ?? []),
    sources: list(bundle.sources, MAX_LIST).flatMap((source) => sourceOf(object(source)) ?? []),
    clocks: list(bundle.clocks, MAX_LIST).flatMap((clock) => clockOf(object(clock)) ?? []),
    hosts: list(bundle.hosts, MAX_LIST).flatMap((host) => text(host) ?? []),
    version: text(bundle.mongodb),
    range: { fromMs: isTime(fromMs) ? fromMs : -Infinity, toMs: isTime(toMs) ? toMs : Infinity },
  };
}

/** @param {Record<string, any>} made @returns {RawEvent | null} */
function eventOf({ code, fromMs, toMs, host, count, values, evidence }) {
  if (typeof code !== 'string' || codeOf(code) === null || !isTime(fromMs)) return null;
  return {
    code,
    fromMs,
    toMs: isTime(toMs) && toMs >= fromMs ? toMs : null,
    host: text(host),
    count: Math.max(1, wholeNumber(count)),
    values: valuesOf(values),
    evidence: evidenceOf(object(evidence)),
  };
}

/** @param {unknown} values @returns {EventValues} */
const valuesOf = (values) =>
  Object.fromEntries(
    Object.entries(object(values))
      .slice(0, MAX_VALUES)
      .flatMap(([name, value]) =>
        isPlain(value) && /^[A-Za-z]{1,40}$/.test(name)
          ? [[name, typeof value === 'string' ? value.slice(0, MAX_TEXT) : value]]
          : [],
      ),
  );

/** @param {unknown} value @returns {value is string | number | boolean | null} */
const isPlain = (value) =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value));

const SOURCES = Object.freeze(/** @type {const} */ (['log', 'kernel', 'ftdc', 'journal']));

/** @param {Record<string, any>} made @returns {Evidence} */
const evidenceOf = ({ source, file, id }) => ({
  source: SOURCES.find((known) => known === source) ?? 'log',
  file: text(file),
  id: Number.isSafeInteger(id) ? id : null,
});

/** @param {Record<string, any>} made @returns {IncidentSource | null} */
function sourceOf({ kind, file, host, from, to, read, garbled }) {
  const known = SOURCES.find((source) => source === kind);
  return known === undefined
    ? null
    : {
        kind: known,
        file: text(file) ?? '?',
        host: text(host),
        from: date(from),
        to: date(to),
        read: wholeNumber(read),
        garbled: wholeNumber(garbled),
      };
}

/** @param {Record<string, any>} made @returns {ClockOffset | null} */
function clockOf({ of, against, aheadSeconds, events }) {
  const [name, other] = [text(of), text(against)];
  if (name === null || other === null || !Number.isFinite(aheadSeconds)) return null;
  return { of: name, against: other, aheadSeconds, events: wholeNumber(events) };
}

/** @param {Record<string, any>} made @returns {BundledMember | null} */
function memberOf({ host, version, samples, fromMs, toMs, chart }) {
  if (!isTime(fromMs) || !isTime(toMs)) return null;
  return {
    host: text(host),
    version: text(version),
    samples: wholeNumber(samples),
    fromMs,
    toMs,
    chart: chartOf(object(chart)),
  };
}

/** @param {Record<string, any>} made @returns {ChartData} */
function chartOf({ at, series, levels, levelNotes, checkpoints, stalls, breaks, sampleCount }) {
  const times = rising(list(at, MAX_POINTS));
  const known = Object.entries(object(series))
    .slice(0, MAX_VALUES * 2)
    .flatMap(([name, values]) => seriesOf(name, values, times.length));
  return {
    at: times,
    series: Object.fromEntries(known),
    summary: Object.fromEntries(known.map(([name, values]) => [name, summaryOf(values)])),
    levels: Object.fromEntries(
      Object.entries(object(levels))
        .filter(([name, value]) => NAME.test(name) && Number.isFinite(value))
        .slice(0, MAX_VALUES),
    ),
    levelNotes: Object.fromEntries(
      Object.entries(object(levelNotes)).filter(
        ([name, note]) => NAME.test(name) && (note === 'default' || note === 'at start'),
      ),
    ),
    checkpoints: spans(checkpoints),
    stalls: spans(stalls),
    breaks: spans(breaks).map((span) => ({ ...span, kind: 'gap' })),
    blocks: [],
    sampleCount: wholeNumber(sampleCount),
    downsampledTo: null,
  };
}

/** Times as far as they rise. @param {readonly unknown[]} at @returns {number[]} */
function rising(at) {
  /** @type {number[]} */
  const times = [];
  for (const ms of at) {
    if (!isTime(ms) || ms < (times.at(-1) ?? 0)) return times;
    times.push(ms);
  }
  return times;
}

/**
 * @param {string} name @param {unknown} values @param {number} length
 * @returns {[string, (number | null)[]][]} nothing where no value is known
 */
function seriesOf(name, values, length) {
  if (!NAME.test(name)) return [];
  const given = list(values, length);
  const made = Array.from({ length }, (_, i) => (Number.isFinite(given[i]) ? given[i] : null));
  return made.some((value) => value !== null) ? [[name, made]] : [];
}

/** @param {unknown} made @returns {Span[]} */
const spans = (made) =>
  list(made, MAX_LIST).flatMap((one) => {
    const { fromMs, toMs } = object(one);
    return isTime(fromMs) && isTime(toMs) && toMs >= fromMs ? [{ fromMs, toMs }] : [];
  });

module.exports = { parseBundle };
