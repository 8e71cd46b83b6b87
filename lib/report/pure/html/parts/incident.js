'use strict';

const { many, UNKNOWN } = require('../../../../base/pure/units');
const { shownSeconds } = require('../../../../incident/pure/extent');
const { whereText } = require('../../../../incident/pure/incident');
const {
  LAST_SIGNS,
  checkedText,
  metricName,
  showMetric,
  shutdownTexts,
} = require('../../../../incident/pure/incident-text');
const { countedLabels, labelOf } = require('../../../../incident/pure/event-codes');
const {
  joined,
  html,
  badge,
  folded,
  prose,
  table,
  verdictOf,
  showSpan,
  showTime,
  showValue,
} = require('../elements');
const { right } = require('./samples');

/**
 * @import { IncidentAnswer, Part, Shown } from '../../../types'
 * @import { IncidentEvent } from '../../../../incident/types'
 */

/** @param {IncidentAnswer} incident @param {string} key @returns {Shown} */
const showIncident = (incident, key) => ({
  name: 'Incident',
  sub: [
    incident.from === null || incident.to === null
      ? 'no time covered'
      : showSpan(incident.from, incident.to),
    many(incident.hosts.length, 'server'),
  ],
  lead: verdict(incident),
  before: chainPart(incident, key),
  after: [
    ...comparedPart(incident, key),
    ...eventsPart(incident, key),
    { id: `read${key}`, title: 'What was read', body: sourcesTable(incident) },
  ],
  notes: incident.notes,
});

const TONES = Object.freeze(
  /** @type {const} */ ({ incident: 'critical', 'nothing-unusual': 'ok', unknown: 'unknown' }),
);
const ANSWERS = Object.freeze(
  /** @type {const} */ ({
    incident: 'Incident',
    'nothing-unusual': 'Nothing unusual',
    unknown: 'Not known',
  }),
);

/** @param {IncidentAnswer} incident */
function verdict(incident) {
  const {
    verdict: found,
    because,
    confidence,
    confidenceBecause,
    refutedBy,
    next,
    checked,
    lastSignAt,
    lastSignIs,
  } = incident;
  const first = incident.events.find(({ id }) => id === incident.firstCause);
  const refuting = refutedBy.map(
    (line, i) => html`<li>${prose(`${line}${i === 0 ? checkedText(checked) : ''}`)}</li>`,
  );
  const more = joined(
    first !== undefined &&
      html`<p>Began: ${showTime(first.at)} UTC${whereText(first, incident)}.</p>`,
    lastSignAt !== null &&
      html`<p>Last sign of it: ${showTime(lastSignAt)} UTC${LAST_SIGNS[lastSignIs ?? 'end']}.</p>`,
    shutdownTexts(incident).map((text) => html`<p>${prose(text)}</p>`),
    next && html`<p><strong>Next:</strong> ${prose(next)}</p>`,
    confidence !== null &&
      html`<p><strong>Confidence: ${confidence}.</strong> ${confidenceBecause && prose(confidenceBecause)}</p>`,
    refutedBy.length > 0 && html`<p><strong>Not this if you find:</strong></p><ul>${refuting}</ul>`,
  );
  const answer = first === undefined ? ANSWERS[found] : `${ANSWERS[found]}: ${labelOf(first.code)}`;
  return verdictOf(TONES[found], { label: 'Verdict', answer, because, more });
}

/**
 * Shows the chain, with the same numbers as in the charts.
 * @param {IncidentAnswer} incident
 * @param {string} key
 * @returns {Part[]}
 */
function chainPart({ chain, events }, key) {
  if (chain.length === 0) return [];
  const numberOf = (/** @type {string} */ id) => chain.findIndex(({ event }) => event === id) + 1;
  const rows = chain.flatMap(({ event: id, from, delaySeconds }, i) => {
    const event = events.find((other) => other.id === id);
    return event === undefined
      ? []
      : [
          [
            String(i + 1),
            showTime(event.at),
            delaySeconds === null || from === null
              ? 'first cause'
              : `${delayText(events.find((one) => one.id === from)?.at ?? event.at, event.at)} ${numberOf(from)}`,
            event.host ?? '',
            prose(event.message),
            sourceOf(event),
          ],
        ];
  });
  return [
    {
      id: `chain${key}`,
      title: 'First cause and consequences',
      body: table(
        'Numbered as in the charts; times are UTC',
        ['#', 'at', 'after its cause', 'server', 'what happened', 'read in'].map((head) => ({
          head,
        })),
        rows,
      ),
    },
  ];
}

/** Computes the delay between two times as they are shown. @param {Date} from @param {Date} at */
function delayText(from, at) {
  const seconds = shownSeconds(from, at);
  if (seconds < 0) return 'noticed with';
  return seconds === 0 ? 'within a second of' : `${showValue('delaySeconds', seconds)} after`;
}

/** @param {IncidentEvent} event */
const sourceOf = ({ evidence: { source, file, id } }) =>
  `${source === 'ftdc' ? 'diagnostic.data' : (file ?? source)}${id === null || id === 0 ? '' : `, id ${id}`}`;

/** @param {IncidentAnswer} incident @param {string} key @returns {Part[]} */
function comparedPart({ compared }, key) {
  if (compared === null) return [];
  const show = (/** @type {string} */ metric, /** @type {number | null} */ value) =>
    value === null ? UNKNOWN : showMetric(metric, value);
  return [
    {
      id: `compared${key}`,
      title: 'Beside a normal day',
      body: table(
        `This time, and ${showSpan(compared.from, compared.to)}`,
        [{ head: 'metric' }, right('normal'), right('now'), right('max normal'), right('max now')],
        compared.rows.map(({ metric, now, normal, maxNow, maxNormal }) => [
          metricName(metric),
          show(metric, normal),
          show(metric, now),
          show(metric, maxNormal),
          show(metric, maxNow),
        ]),
      ),
    },
  ];
}

/** @param {IncidentAnswer} incident @param {string} key @returns {Part[]} */
function eventsPart({ events, chain }, key) {
  if (events.length === 0) return [];
  const inChain = new Set(chain.map(({ event }) => event));
  return [
    {
      id: `events${key}`,
      title: 'All events',
      body: html`<p>${countedLabels(events)}.</p>${folded(
        many(events.length, 'event'),
        table(
          'In the order of time (UTC)',
          ['at', 'event', 'server', 'what happened', 'times', 'read in'].map((head) => ({ head })),
          events.map((event) => [
            showTime(event.at),
            inChain.has(event.id) ? badge('critical', labelOf(event.code)) : labelOf(event.code),
            event.host ?? '',
            prose(event.message),
            String(event.count),
            sourceOf(event),
          ]),
        ),
      )}`,
    },
  ];
}

/** @param {IncidentAnswer} incident */
const sourcesTable = ({ sources }) =>
  table(
    'Files, and the time that each covers',
    ['file', 'kind', 'server', 'covers', 'lines or samples'].map((head) => ({ head })),
    sources.map(({ file, kind, host, from, to, read }) => [
      file,
      kind,
      host ?? UNKNOWN,
      from === null || to === null ? 'nothing of that time' : showSpan(from, to),
      String(read),
    ]),
  );

module.exports = { showIncident };
