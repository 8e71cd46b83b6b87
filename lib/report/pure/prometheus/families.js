'use strict';

const { visible } = require('../../../base/pure/printable');
const { STATUSES, BOTTLENECKS } = require('../../../base/pure/finding');
const { METRICS } = require('./metrics');
const { MS_PER_SECOND } = require('../../../base/pure/units');

/**
 * @import { Finding } from '../../../base/pure/finding'
 * @import { Metric, Seen } from './metrics'
 */

/**
 * Prints the text format of Prometheus, version 0.0.4 (prometheus.io, "Exposition formats").
 * @typedef {{ labels: Readonly<Record<string, string>>, value: number }} Series
 * @typedef {{ name: string, type: 'gauge' | 'counter', help: string, series: readonly Series[] }}
 *   Family a family without series is left out
 */

/**
 * @param {readonly Family[]} families each name at most once
 * @returns {string} with a line end behind the last line, as the format requires
 */
const exposition = (families) =>
  families
    .filter(({ series }) => series.length > 0)
    .map(block)
    .join('');

/** @param {Family} family */
const block = ({ name, type, help, series }) =>
  [
    `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`,
    `# TYPE ${name} ${type}`,
    ...series.map(({ labels, value }) => `${name}${labelText(labels)} ${numberText(value)}`),
    '',
  ].join('\n');

/** @param {Readonly<Record<string, string>>} labels */
function labelText(labels) {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/**
 * Escapes a label value. Control characters are printed as codes first, since the text is also
 * shown at a prompt.
 * @param {string} value
 */
const escaped = (value) => visible(value).replace(/\\/g, '\\\\').replace(/"/g, '\\"');

/**
 * Prints a number as Prometheus reads it.
 * @param {number} value
 */
function numberText(value) {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

/**
 * @typedef {Seen & { seconds: number, bottleneck: string, findings: readonly Finding[] }} Examined
 *   the result of sampling
 * @typedef {{ server: string, atMs: number, tune: string, examined: Examined | null }} Run
 *   `server`: its name, the label of every series; `tune`: the release of tune; `examined`: null
 *   where the server could not be sampled
 */

const PREFIX = 'mongosh_tune_';

/**
 * The severity of a finding as a number: one series for each rule, which continues when the status
 * changes. With a series for each status, a change would end one and begin another, and reset
 * alerts that wait for minutes.
 * @type {Readonly<Record<string, number>>}
 */
const SEVERITY = Object.freeze({ ok: 0, info: 1, warning: 2, critical: 3 });

/** @param {Run} run @returns {Family[]} */
function familiesOf({ server, atMs, tune, examined }) {
  /**
   * @param {string} name
   * @param {string} help
   * @param {readonly [Record<string, string>, number][]} values
   * @returns {Family}
   */
  const gauge = (name, help, values) => ({
    name: PREFIX + name,
    type: 'gauge',
    help,
    series: values.map(([labels, value]) => ({ labels: { server, ...labels }, value })),
  });
  return [
    gauge('build_info', 'Release of mongosh-tune; always 1.', [[{ version: tune }, 1]]),
    gauge(
      'last_run_timestamp_seconds',
      'Time of the last run, failed runs included, in seconds since 1970.',
      [[{}, atMs / MS_PER_SECOND]],
    ),
    gauge(
      'last_run_success',
      'Whether the last run sampled the server: 1 or 0. With 0 no other metrics follow.',
      [[{}, examined === null ? 0 : 1]],
    ),
    ...(examined === null ? [] : examinedFamilies(examined, gauge, server)),
  ];
}

/**
 * @param {Examined} examined
 * @param {(name: string, help: string, values: [Record<string, string>, number][]) => Family} gauge
 * @param {string} server
 * @returns {Family[]}
 */
function examinedFamilies(examined, gauge, server) {
  const { seconds, status, bottleneck, findings } = examined;
  const { version, role, engine } = status;
  const number = (/** @type {string} */ wanted) =>
    findings.filter((finding) => finding.status === wanted).length;
  return [
    gauge('sample_seconds', 'Length of the sample.', [[{}, seconds]]),
    gauge('server_info', 'Release, role and storage engine of the server; always 1.', [
      [{ version: version ?? '', role: role ?? '', engine: engine ?? '' }, 1],
    ]),
    gauge(
      'bottleneck',
      'Bottleneck of the server: 1 for the current one, 0 for the others.',
      BOTTLENECKS.map((name) => [{ bottleneck: name }, Number(name === bottleneck)]),
    ),
    gauge(
      'findings',
      'Number of rules with this status.',
      STATUSES.map((name) => [{ status: name }, number(name)]),
    ),
    gauge(
      'finding_severity',
      'Status of each rule: 0 ok, 1 info, 2 warning, 3 critical, NaN unknown.',
      [...findings]
        .sort((a, b) => (a.rule < b.rule ? -1 : 1))
        .map(({ rule, area, status: said }) => [{ rule, area }, SEVERITY[said] ?? NaN]),
    ),
    ...METRICS.map((reading) => familyOf(reading, examined, server)),
  ];
}

/**
 * Makes a family; a value that the server does not report is left out, never 0.
 * @param {Metric} reading
 * @param {Examined} examined
 * @param {string} server
 * @returns {Family}
 */
const familyOf = ({ name, type, help, label, of }, examined, server) => ({
  name: PREFIX + name,
  type,
  help,
  series: Object.entries(of).flatMap(([which, read]) => {
    const value = read(examined);
    return value === null ? [] : [{ labels: { server, ...(label && { [label]: which }) }, value }];
  }),
});

module.exports = { exposition, familiesOf, PREFIX, SEVERITY };
