'use strict';

const { many } = require('../../base/pure/units');
const { SEVERE, severestFirst } = require('../../base/pure/finding');
const { mostFrequent } = require('../../base/pure/statistics');
const {
  callLines,
  countsOf,
  SCREEN_LINES,
  findingRows,
  fittingRows,
  firstLine,
  headed,
  marked,
  noteLines,
  part,
} = require('../../text/layout');

/**
 * @import { Status } from '../../base/pure/finding'
 * @import { Ink } from '../../base/types'
 */

/**
 * @typedef {{
 *   rule: string, status: Status, message: string, values: object, advice: string | null,
 *   fixes: readonly unknown[]
 * }} Finding
 * @typedef {{
 *   host: string | null, version: string | null, place: { kind: string, say: string },
 *   findings: readonly Finding[], unknown: Partial<Record<string, string>>,
 *   notes: readonly string[]
 * }} Host
 */

/**
 * @param {Host} host
 * @param {Ink} ink
 * @returns {string} one screen: the findings that need a person, and the next calls
 */
function renderHost(host, ink) {
  const [above, below] = [head(host, ink), foot(host, ink)];
  const left = SCREEN_LINES - above.length - below.length;
  return [...above, ...fittingRows(listed(host), left, ink), ...below].join('\n');
}

/**
 * @param {Host} host
 * @param {Ink} ink
 * @returns {string} every finding that needs a person, with what to do
 */
const renderAllOfHost = (host, ink) =>
  [
    ...head(host, ink),
    ...findingRows(listed(host), ink, { withAdvice: true }).flat(),
    ...foot(host, ink),
  ].join('\n');

/** @param {Host} host @param {Ink} ink */
const head = (host, ink) => [
  firstLine(host, '', ink),
  ...part('HOST', host.place.say, ink),
  headed('FINDINGS', ink) + countsOf(host.findings, ink),
];

/** @param {Host} host @param {Ink} ink */
const foot = (host, ink) => [
  ...notKnown(host, ink),
  ...noteLines(host.notes, ink),
  ...callLines(nextCalls(host), ink),
];

/** @param {Host} host */
const listed = ({ findings }) => severestFirst(findings.filter(isListed));

/** @param {Finding} finding */
const isListed = ({ status }) => SEVERE.includes(status) || status === 'info';

/** @param {Host} host @param {Ink} ink */
function notKnown({ findings: all }, ink) {
  const findings = all.filter(({ status }) => status === 'unknown');
  if (findings.length === 0) return [];
  const reason = mostFrequent(
    findings.flatMap(
      ({ values }) => /** @type {{ reasons?: readonly string[] }} */ (values).reasons ?? [],
    ),
  );
  return marked(
    'unknown',
    `${many(findings.length, 'rule has', 'rules have')} no data` +
      `${reason === null ? '' : `${findings.length === 1 ? ': ' : ', mostly because '}${reason}`}. ` +
      'tune.last.unknown has every reason.',
    ink,
  );
}

const SCRIPT = 'tune.last.script()  // prints a script to read; runs nothing';

/** @param {Host} host @returns {[string, string | null][]} */
function nextCalls({ place, findings }) {
  const isElsewhere = place.kind === 'elsewhere';
  return [
    ['Fixes', findings.some(({ fixes }) => fixes.length > 0) ? SCRIPT : null],
    ['Collect', isElsewhere ? 'tune.host.collect()' : null],
    ['Then', isElsewhere ? 'tune.host({ file: "host.json" })' : null],
    ['Details', findings.some(isListed) ? 'tune.last.all()' : null],
  ];
}

module.exports = { renderHost, renderAllOfHost };
