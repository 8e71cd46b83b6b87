'use strict';

const { attachSeries } = require('../series/chart-data');
const { alsoWhole, report } = require('../text/report');
const { comparedHours } = require('./pure/compare');
const { incidentOf } = require('./pure/incident');
const { hostWithPort } = require('./pure/reconcile');

/**
 * @import { Incident, RecordedMember } from './types'
 * @import { ReadIncident } from './read-incident'
 * @import { Report } from '../text/report'
 */

/**
 * What was read, as the answer of the command: with the charts of the member on which it began.
 * @param {ReadIncident} read
 * @param {RecordedMember | null} [normal] the same hour of another day
 * @returns {Incident & Report}
 */
function incidentAnswer(read, normal = null) {
  const { renderIncident, renderWholeIncident } = require('./pure/incident-text');
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
        ...shown.chart(max),
        events: chainSpans(data),
        ...(normal !== null && { beside: normal.chart(max) }),
      }));
}

/** The chain as charts show it. @param {Incident} incident */
const chainSpans = ({ chain, events }) =>
  chain.flatMap(({ event: id }, i) => {
    const event = events.find((one) => one.id === id);
    if (event === undefined) return [];
    const fromMs = event.at.getTime();
    return [{ fromMs, toMs: event.to?.getTime() ?? fromMs, label: String(i + 1) }];
  });

module.exports = { incidentAnswer };
