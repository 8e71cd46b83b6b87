'use strict';

const { BOTTLENECKS } = require('../../lib/base/pure/finding');
const { PREFIX, SEVERITY } = require('../../lib/report/pure/prometheus/families');
const { charts, query, series } = require('./dashboard-charts');
const { runbookOf } = require('./runbooks');

/**
 * @import { Chart, Query } from './dashboard-charts'
 */

/**
 * A dashboard of Grafana (JSON model, schema 39). Its lines are those of the server (targets and
 * triggers in effect) or those of the rules.
 * @typedef {import('../../lib/rules/rule').Rule & { thresholds?: Readonly<Record<string,
 *   number>> }} Rule
 */

const DATASOURCE = Object.freeze({ type: 'prometheus', uid: '${datasource}' });
const COLUMNS = 24;
const CHART = Object.freeze({ w: 12, h: 8 });
const TILE = Object.freeze({ w: 6, h: 4 });
const SCHEMA = 39;

/** @param {readonly Rule[]} rules @returns {string} JSON */
function dashboardFile(rules) {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const panels = [
    ...tiles(),
    ...charts((id, limit) => limitOf(byId, id, limit)).map((chart) => chartPanel(chart, byId)),
    findingsPanel(),
  ];
  return `${JSON.stringify(
    {
      title: 'MongoDB WiredTiger (mongosh-tune)',
      uid: 'mongosh-tune',
      tags: ['mongodb', 'wiredtiger'],
      schemaVersion: SCHEMA,
      version: 1,
      editable: true,
      refresh: '1m',
      time: { from: 'now-6h', to: 'now' },
      description: 'Made by npm run docs from the rules of mongosh-tune.',
      templating: { list: variables() },
      panels: placed(panels),
    },
    null,
    1,
  )}\n`;
}

/**
 * @param {ReadonlyMap<string, Rule>} rules
 * @param {string} id
 * @param {string} limit
 * @returns {number}
 * @throws {TypeError} when a rule lost it
 */
function limitOf(rules, id, limit) {
  const value = rules.get(id)?.thresholds?.[limit];
  if (value === undefined) throw new TypeError(`the rule ${id} has no limit ${limit}`);
  return value;
}

const variables = () => [
  { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
  {
    name: 'server',
    label: 'Server',
    type: 'query',
    datasource: DATASOURCE,
    query: `label_values(${PREFIX}last_run_success, server)`,
    refresh: 2,
    multi: true,
    includeAll: true,
    sort: 1,
  },
  {
    name: 'window',
    label: 'Rates over',
    type: 'custom',
    query: '15m,5m,1h',
    current: { text: '15m', value: '15m' },
    options: ['15m', '5m', '1h'].map((text) => ({ text, value: text, selected: text === '15m' })),
  },
];

/** @param {Chart} chart @param {ReadonlyMap<string, Rule>} rules */
function chartPanel({ title, unit, rules: ids, queries, steps = [], max }, rules) {
  const judging = ids.map((id) => {
    if (!rules.has(id)) throw new TypeError(`there is no rule ${id}`);
    return /** @type {Rule} */ (rules.get(id));
  });
  const dashed = {
    matcher: { id: 'byRegexp', options: '/ (target|trigger)$/' },
    properties: [
      { id: 'custom.lineStyle', value: { fill: 'dash', dash: [6, 6] } },
      { id: 'custom.fillOpacity', value: 0 },
    ],
  };
  return {
    type: 'timeseries',
    title,
    datasource: DATASOURCE,
    description: judging
      .map((rule) => rule.why)
      .slice(0, 1)
      .join(''),
    size: CHART,
    targets: queries.map(target),
    links: judging.map(({ id }) => ({ title: id, url: runbookOf(id), targetBlank: true })),
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(max && { max }),
        custom: { fillOpacity: 10, ...(steps.length > 0 && { thresholdsStyle: { mode: 'line' } }) },
        thresholds: {
          mode: 'absolute',
          steps: [
            { color: 'green', value: null },
            ...steps.map((value, i) => ({ color: ['orange', 'red'][i], value })),
          ],
        },
      },
      overrides: unit === 'percentunit' && max === undefined ? [dashed] : [],
    },
  };
}

/** @param {Query} one @param {number} i */
const target = ({ expr, legend }, i) => ({
  refId: String.fromCharCode(65 + i),
  expr,
  legendFormat: legend,
  datasource: DATASOURCE,
});

/** The state now, first of all. */
const tiles = () => [
  tile(
    'Servers that cannot be sampled',
    `count(${series('last_run_success')} == 0) or vector(0)`,
    [1],
  ),
  tile('Critical findings', `sum(${series('findings', 'status="critical"')})`, [null, 1]),
  tile('Warnings', `sum(${series('findings', 'status="warning"')})`, [1]),
  tile(
    'Age of the oldest sample',
    `time() - min(${series('last_run_timestamp_seconds')})`,
    [900],
    's',
  ),
  {
    type: 'state-timeline',
    title: 'Bottleneck',
    datasource: DATASOURCE,
    size: { w: COLUMNS, h: 7 },
    description: 'Bottleneck of each server, as tune.advise() reports it.',
    // Each bottleneck is a number here: a timeline shows one value a series.
    targets: [
      target(
        query(
          BOTTLENECKS.map(
            (name, i) => `${series('bottleneck', `bottleneck="${name}"`)} * ${i}`,
          ).reduce((sum, one) => `${sum} + ignoring(bottleneck) ${one}`),
          '',
        ),
        0,
      ),
    ],
    fieldConfig: {
      defaults: {
        mappings: [
          {
            type: 'value',
            options: Object.fromEntries(
              BOTTLENECKS.map((name, i) => [i, { text: name, color: COLOURS[name] ?? 'orange' }]),
            ),
          },
        ],
      },
      overrides: [],
    },
  },
];

/** @type {Readonly<Record<string, string>>} */
const COLOURS = Object.freeze({ none: 'green', idle: 'blue', unknown: 'gray' });

/**
 * @param {string} title
 * @param {string} expr
 * @param {readonly (number | null)[]} steps orange from, red from
 * @param {string} [unit]
 */
const tile = (title, expr, steps, unit = 'none') => ({
  type: 'stat',
  title,
  datasource: DATASOURCE,
  size: TILE,
  targets: [target({ expr, legend: '' }, 0)],
  fieldConfig: {
    defaults: {
      unit,
      thresholds: {
        mode: 'absolute',
        steps: [
          { color: 'green', value: null },
          ...steps.flatMap((value, i) =>
            value === null ? [] : [{ color: ['orange', 'red'][i], value }],
          ),
        ],
      },
    },
    overrides: [],
  },
});

const findingsPanel = () => ({
  type: 'table',
  title: 'Findings',
  datasource: DATASOURCE,
  size: { w: COLUMNS, h: 10 },
  description:
    'Rules with status info, warning or critical. The page of a rule has the cause and the fix.',
  targets: [
    {
      ...target(
        { expr: `sort_desc(${series('finding_severity')} >= ${SEVERITY.info})`, legend: '' },
        0,
      ),
      format: 'table',
      instant: true,
    },
  ],
  transformations: [
    {
      id: 'organize',
      options: {
        excludeByName: { Time: true, __name__: true, job: true, instance: true },
        renameByName: { Value: 'status' },
      },
    },
  ],
  fieldConfig: {
    defaults: {},
    overrides: [
      {
        matcher: { id: 'byName', options: 'status' },
        properties: [
          {
            id: 'mappings',
            value: [
              {
                type: 'value',
                options: Object.fromEntries(
                  Object.entries(SEVERITY).map(([text, value]) => [value, { text }]),
                ),
              },
            ],
          },
        ],
      },
      {
        matcher: { id: 'byName', options: 'rule' },
        properties: [
          {
            id: 'links',
            value: [
              { title: 'About this rule', url: runbookOf('${__value.raw}'), targetBlank: true },
            ],
          },
        ],
      },
    ],
  },
});

/**
 * From left to right, and from top to bottom.
 * @param {readonly { size: { w: number, h: number } }[]} panels
 */
function placed(panels) {
  let [x, y, below] = [0, 0, 0];
  return panels.map(({ size, ...panel }, i) => {
    if (x + size.w > COLUMNS) [x, y] = [0, below];
    const gridPos = { ...size, x, y };
    x += size.w;
    below = Math.max(below, y + size.h);
    return { id: i + 1, gridPos, ...panel };
  });
}

module.exports = { dashboardFile };
