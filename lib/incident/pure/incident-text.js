'use strict';

const { codeOf, countedLabels, labelOf } = require('./event-codes');
const { shownSeconds } = require('./extent');
const { whereText } = require('./incident');
const {
  MS_PER_SECOND,
  UNKNOWN,
  clockText,
  duration,
  many,
  timeText,
} = require('../../base/pure/units');
const { seriesName, showSeries } = require('../../text/series-units');
const { HEAD, SCREEN_LINES, callLines, firstLine, noteLines, part } = require('../../text/layout');
const { table } = require('../../text/table');
const { wrap } = require('../../text/wrap');

/**
 * @import { Incident, IncidentEvent } from '../types'
 * @import { Ink, Tone } from '../../base/types'
 */

/** The conclusion of each verdict. @type {Readonly<Record<Incident['verdict'], [string, Tone]>>} */
const CONCLUSIONS = Object.freeze({
  incident: ['INCIDENT', 'bad'],
  'nothing-unusual': ['NO INCIDENT', 'good'],
  unknown: ['INCIDENT', 'faint'],
});
/** Shutdowns on the screen, the last ones; the timeline has all. */
const MAX_SHUTDOWNS = 1;
/** Kinds of events that are named on the screen; the timeline has all. */
const MAX_LABELS = 8;
/** Columns for them. */
const [ONE_LINE, TWO_LINES] = [66, 120];
/** Lines of the rest of the screen, which always fit. */
const SHORT_NOTES = 2;

/**
 * Prints one screen: the conclusion first.
 * @param {Incident} incident
 * @param {Ink} ink
 * @returns {string}
 */
function renderIncident(incident, ink) {
  const roomy = screenLines(incident, TWO_LINES, ink);
  const lines = roomy.length < SCREEN_LINES ? roomy : screenLines(incident, ONE_LINE, ink);
  return lines.join('\n');
}

/** @param {Incident} incident @param {number} columns for the names of events @param {Ink} ink */
function screenLines(incident, columns, ink) {
  const head = headLines(incident, ink);
  const tail = [...tailLines(incident, columns, ink), ...comparedLines(incident, ink)];
  const calls = callsOf(incident, ink);
  const notes = noteLines(shortNotes(incident), ink);
  const left = SCREEN_LINES - head.length - tail.length - calls.length - notes.length;
  return [...head, ...chainLines(incident, left, ink), ...tail, ...calls, ...notes];
}

/** All of it. @param {Incident} incident @param {Ink} ink @returns {string} */
function renderWholeIncident(incident, ink) {
  return [
    ...headLines(incident, ink),
    ...chainLines(incident, Infinity, ink),
    ...tailLines(incident, Infinity, ink),
    ...comparedLines(incident, ink),
    ...timelineLines(incident, ink),
    ...sourceLines(incident, ink),
    ...noteLines(incident.notes, ink),
  ].join('\n');
}

/** @param {Incident} incident @param {Ink} ink */
function headLines(incident, ink) {
  const { host, version, from, to, verdict, because, firstCause, events } = incident;
  const [head, tone] = CONCLUSIONS[verdict];
  const first = byId(events, firstCause);
  const when = from === null || to === null ? 'no time covered' : spanText(from, to);
  const lead =
    first === null
      ? part(head, because, ink, tone)
      : [
          ...part(head, conclusion(first, incident), ink, tone),
          ...part(
            codeOf(first.code)?.role === 'symptom' ? 'FIRST SIGN' : 'FIRST CAUSE',
            `${clockText(first.at)}${onHost(first, host)}  ${first.message}`,
            ink,
            'strong',
          ),
        ];
  return [firstLine({ host, version }, ink(when, 'faint'), ink), ...lead];
}

/** @param {IncidentEvent} first @param {Incident} incident */
const conclusion = (first, incident) =>
  (codeOf(first.code)?.role === 'symptom'
    ? `${many(incident.events.length, 'event')}, and none that explains the first sign of trouble, ${timeText(first.at)} UTC${whereText(first, incident)}`
    : `began ${timeText(first.at)} UTC${whereText(first, incident)} with ${labelOf(first.code)}`) +
  lastText(first, incident);

/** Says how long the incident lasted. @param {IncidentEvent} first @param {Incident} incident */
const lastText = ({ at }, { lastSignAt: last, lastSignIs }) =>
  last === null || (last <= at && lastSignIs === 'end')
    ? ''
    : `; last sign ${clockText(last)}, ${duration(MS_PER_SECOND * shownSeconds(at, last))} later` +
      LAST_SIGNS[lastSignIs ?? 'end'];

/** Says what the last sign means for the end. */
const LAST_SIGNS = Object.freeze({
  end: '',
  shutdown: ': the server was shut down within seconds of it, and it may have gone on',
  'end-of-data': ': what was read ends there, and it may have gone on',
});

/** @param {Date} from @param {Date} to */
const spanText = (from, to) =>
  `${timeText(from)} to ${timeText(from).slice(0, 10) === timeText(to).slice(0, 10) ? clockText(to) : timeText(to)} UTC`;

/** @param {IncidentEvent} event @param {string | null} host of the page */
const onHost = (event, host) =>
  event.host === null || event.host === host ? '' : ` ${event.host}`;

/** @param {readonly IncidentEvent[]} events @param {string | null} id */
const byId = (events, id) => events.find((event) => event.id === id) ?? null;

/**
 * Lists what followed, as much as fits.
 * @param {Incident} incident
 * @param {number} left how many lines the screen has left
 * @param {Ink} ink
 * @returns {string[]}
 */
function chainLines({ chain, events, host }, left, ink) {
  const links = chain.slice(1).flatMap(({ event }) => byId(events, event) ?? []);
  /** @type {string[]} */
  const lines = [];
  for (const [i, event] of links.entries()) {
    const made = part(
      i === 0 ? 'THEN' : '',
      `${clockText(event.at)}${onHost(event, host)}  ${event.message}`,
      ink,
    );
    const rest = links.length - i;
    if (i > 0 && lines.length + made.length + (rest > 1 ? 1 : 0) > left)
      return [...lines, `${' '.repeat(HEAD)}${ink(`and ${rest} more`, 'faint')}`];
    lines.push(...made);
  }
  return lines;
}

/** @param {string | null} checked */
const checkedText = (checked) => (checked ? ` Checked: ${checked}.` : '');

/** Shutdowns that are no part of the chain. @param {Incident} incident @returns {string[]} */
const shutdownTexts = ({ shutdowns = [], chain }) =>
  shutdowns
    .filter(({ events }) => !chain.some(({ event }) => events.includes(event)))
    .map(({ message }) => message);

/** @param {Incident} incident @param {number} columns for the names of events @param {Ink} ink */
function tailLines(incident, columns, ink) {
  const { confidence, confidenceBecause, refutedBy, events, next, checked } = incident;
  return [
    ...(next === null ? [] : part('NEXT', next, ink, 'strong')),
    ...shutdownTexts(incident)
      .slice(-MAX_SHUTDOWNS)
      .flatMap((text) => part('SHUTDOWN', text, ink)),
    ...(confidence === null
      ? []
      : part(
          'CONFIDENCE',
          `${confidence}${confidenceBecause ? `: ${confidenceBecause}` : ''}`,
          ink,
        )),
    ...(refutedBy.length === 0
      ? []
      : part('NOT THIS IF', `you find ${lower(refutedBy[0])}${checkedText(checked)}`, ink)),
    ...(events.length === 0 ? [] : part('EVENTS', eventsText(events, columns), ink)),
  ];
}

/** Names as many events as fit. @param {readonly IncidentEvent[]} events @param {number} columns */
function eventsText(events, columns) {
  const texts = Array.from(
    { length: MAX_LABELS },
    (_, i) => `${events.length}: ${countedLabels(events, MAX_LABELS - i)}`,
  );
  return texts.find((text) => text.length <= columns) ?? texts[MAX_LABELS - 1];
}

/** A sentence as the end of another. @param {string} text */
const lower = (text) => text.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase());

/** The calls that show more. @type {readonly [string, string][]} */
const CALLS = Object.freeze([
  ['All', 'tune.last.all()'],
  ['Page', 'tune.report("night.html", { of: tune.last })'],
]);

/** @param {Incident} incident @param {Ink} ink */
const callsOf = ({ events }, ink) => (events.length === 0 ? [] : callLines(CALLS, ink));

/** @param {Incident} incident @returns {string[]} */
const shortNotes = ({ notes }) =>
  notes.length <= SHORT_NOTES
    ? notes
    : [...notes.slice(0, SHORT_NOTES - 1), `and ${notes.length - SHORT_NOTES + 1} more in .notes`];

/** @param {Incident} incident @param {Ink} ink */
function comparedLines({ compared }, ink) {
  if (compared === null) return [];
  const show = (/** @type {string} */ metric, /** @type {number | null} */ value) =>
    value === null ? UNKNOWN : showMetric(metric, value);
  const rows = compared.rows
    .filter(({ maxNow, maxNormal }) => Boolean(maxNow) || Boolean(maxNormal))
    .map(({ metric, now, normal, maxNow, maxNormal }) => [
      `  ${metricName(metric)}`,
      show(metric, normal),
      show(metric, now),
      show(metric, maxNormal),
      show(metric, maxNow),
    ]);
  const right = (/** @type {string} */ head) => ({ head, align: /** @type {const} */ ('right') });
  return [
    ...part('COMPARED', `with ${spanText(compared.from, compared.to)}`, ink),
    ...table(
      [{ head: '' }, right('normal'), right('now'), right('max normal'), right('max now')],
      rows,
      ink,
    ).split('\n'),
  ];
}

/** Names and units that charts do not have. */
const OWN_NAMES = Object.freeze(
  /** @type {Record<string, string>} */ ({
    latencyMs: 'latency',
    blockedThreads: 'threads blocked',
    connections: 'connections',
    ttlPerSec: 'TTL deletes',
    majorityLagSeconds: 'majority lag',
  }),
);

/** @param {string} metric */
const metricName = (metric) => OWN_NAMES[metric] ?? seriesName(metric);
/** @param {string} metric @param {number} value */
const showMetric = (metric, value) => showSeries(metric, value);

/** @param {Incident} incident @param {Ink} ink */
function timelineLines({ events, host }, ink) {
  if (events.length === 0) return [];
  return [
    ink('TIMELINE', 'strong'),
    ...events.flatMap((event) =>
      wrap(
        `${event.message}${event.count > 1 ? ` (${event.count} times)` : ''}${onHost(event, host)}`,
        ' '.repeat(TIME),
        `  ${timeText(event.at)}  `,
      ),
    ),
  ];
}

/** Columns of a moment with blanks around. */
const TIME = 23;

/** @param {Incident} incident @param {Ink} ink */
const sourceLines = ({ sources }, ink) => [
  ink('READ', 'strong'),
  ...sources.flatMap(({ kind, file, host, from, to, read }) =>
    wrap(
      `${file}${host === null ? '' : ` of ${host}`}: ${many(read, kind === 'ftdc' ? 'sample' : 'line')}` +
        `${from === null || to === null ? '' : `, ${spanText(from, to)}`}`,
      '          ',
      `  ${kind.padEnd(8)}`,
    ),
  ),
];

module.exports = {
  checkedText,
  LAST_SIGNS,
  shutdownTexts,
  renderIncident,
  renderWholeIncident,
  metricName,
  showMetric,
};
