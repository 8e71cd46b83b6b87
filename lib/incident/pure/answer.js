'use strict';

const { attachSeries } = require('../../series/chart-data');
const { alsoWhole, report } = require('../../text/report');
const { incidentOf } = require('./incident');
const { shownSeconds } = require('./extent');
const { withChangedLines } = require('./trigger-lines');
const { hostWithPort } = require('./reconcile');

/**
 * @import { Incident, IncidentEvent, RecordedMember, ComparedHour, FeatureRows } from '../types'
 * @import { ReadIncident } from '../read-incident'
 * @import { Report } from '../../text/report'
 */

/**
 * Makes the answer of the command, with the charts of the member on which the incident began.
 * @param {ReadIncident} read
 * @param {RecordedMember | null} [normal] the same hour of another day
 * @returns {Incident & Report}
 */
function incidentAnswer(read, normal = null) {
  const { renderIncident, renderWholeIncident } = require('./incident-text');
  const found = incidentOf(read);
  const members = read.members.map(({ member }) => member);
  const own = members.find(({ host }) => host !== null && hostWithPort(host) === found.host);
  const shown = own ?? members.at(0) ?? null;
  const data = {
    ...found,
    compared: shown === null || normal === null ? null : comparedHours(shown, normal),
  };
  const answer = report(data, (ink) => renderIncident(data, ink));
  const whole = alsoWhole(
    answer,
    report(data, (ink) => renderWholeIncident(data, ink)),
  );
  return shown === null
    ? whole
    : attachSeries(whole, (max) => ({
        ...withChangedLines(shown.chart(max), ofMember(shown, data.events)),
        events: chainSpans(data),
        ...(normal !== null && { beside: normal.chart(max) }),
      }));
}

/** @param {RecordedMember} member @param {readonly IncidentEvent[]} events */
const ofMember = ({ host: own }, events) =>
  events.filter(({ host }) => host === null || own === null || hostWithPort(own) === host);

/**
 * The chain as charts show it: an effect in the same second as its cause, such as of a sample, is not
 * drawn before it.
 * @param {Incident} incident
 */
const chainSpans = ({ chain, events }) =>
  chain.flatMap(({ event: id, from }, i) => {
    const event = events.find((other) => other.id === id);
    if (event === undefined) return [];
    const cause = events.find((one) => one.id === from) ?? event;
    const isSame = shownSeconds(cause.at, event.at) === 0;
    const fromMs = Math.max(event.at.getTime(), isSame ? cause.at.getTime() : -Infinity);
    return [
      { fromMs, toMs: Math.max(fromMs, event.to?.getTime() ?? fromMs), label: String(i + 1) },
    ];
  });

/** The metrics that are compared, by the name of the feature. */
const METRICS = Object.freeze([
  'opsPerSec',
  'latencyMs',
  'blockedThreads',
  'dirtyRatio',
  'usedRatio',
  'connections',
  'ttlPerSec',
  'majorityLagSeconds',
]);

/**
 * Compares this hour with the same hour of a normal day.
 * @param {RecordedMember} now
 * @param {RecordedMember} normal
 * @returns {ComparedHour}
 */
const comparedHours = (now, normal) => ({
  from: new Date(normal.fromMs),
  to: new Date(normal.toMs),
  samples: { now: now.samples, normal: normal.samples },
  rows: METRICS.map((metric) => {
    const [here, there] = [figures(now.rows, metric), figures(normal.rows, metric)];
    const ratio =
      here.mean === null || there.mean === null || there.mean === 0 ? null : here.mean / there.mean;
    return {
      metric,
      now: here.mean,
      normal: there.mean,
      ratio,
      maxNow: here.max,
      maxNormal: there.max,
    };
  }),
});

/** @param {FeatureRows} rows @param {string} name */
function figures({ columns }, name) {
  let [sum, known, max] = [0, 0, -Infinity];
  for (const value of columns[name] ?? []) {
    if (Number.isNaN(value)) continue;
    sum += value;
    known++;
    max = Math.max(max, value);
  }
  return known === 0 ? { mean: null, max: null } : { mean: sum / known, max };
}

module.exports = { incidentAnswer, comparedHours };
