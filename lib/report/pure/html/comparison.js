'use strict';

const { isAsBefore } = require('../../../recording/pure/recorded-text');
const { html, badge, table } = require('./elements');
const { UNKNOWN, count } = require('../../../base/pure/units');
const { timeChart } = require('./chart-group');
const { STATUSES } = require('../../../base/pure/finding');
const { CHARTS, SHOWN } = require('./charts');
const { renderPage, subOf } = require('./page');
const { compareVersions } = require('../../../base/pure/version');
const { changesBetween, defectsBetween } = require('../../../upgrade/pure/upgrade');
const { right } = require('./parts/samples');

/**
 * @import { Part, Item } from '../../types'
 * @import { ChartData } from '../../../text/types'
 * @import { Data } from './chart-group'
 * @import { Assets } from './page'
 */

/**
 * Makes a page that compares two answers, before and after a change: verdicts, figures with their
 * ratio, the same charts on the same scale.
 */

const NAMES = Object.freeze(['A, before', 'B, after']);

/**
 * @param {readonly [Item, Item]} items @param {{ at: Date, assets: Assets }} about
 * @returns {string} HTML
 */
function renderComparison(items, { at, assets }) {
  /** @type {Data} */
  const data = { lines: [], charts: [], groups: [] };
  const shown = items.map(({ value, kind }, i) => kind.show(value, `-${i}`));
  const hosts = [...new Set(items.map(({ value }) => value.host ?? UNKNOWN))];
  const drawn = items.flatMap((item) => item.drawn ?? []);
  return renderPage({
    title: `${hosts.join(' and ')}, compared`,
    at,
    assets,
    data,
    sub: html`${NAMES.map((name, i) => html`${i > 0 && html`<br>`}${name}: ${subOf(items[i].value.version, shown[i])}`)}`,
    parts: [
      {
        id: 'verdict',
        title: 'Verdicts',
        body: html`<div class="pair">${shown.map(({ lead, name }, i) => html`<div><h3>${NAMES[i]}</h3>${lead ?? html`<p>${name}</p>`}</div>`)}</div>`,
      },
      ...betweenReleases(items.map(({ value }) => value.version)),
      ...(drawn.length === 2
        ? [
            { id: 'figures', title: 'Figures', body: figures(drawn[0], drawn[1]) },
            timeChart(drawn, { key: '', elapsed: true, names: NAMES }, data),
          ]
        : [timeChart([], { key: '', elapsed: true }, data)]),
      ...changedRules(items),
      ...shown.flatMap(({ before }, i) =>
        before.map((part) => ({ ...part, title: `${part.title}, ${NAMES[i]}` })),
      ),
    ],
    notes: [
      ...new Set(shown.flatMap(({ notes }, i) => notes.map((note) => `${NAMES[i]}: ${note}`))),
    ],
  });
}

/**
 * Lists the differences between the releases themselves, which may explain a difference.
 * @param {readonly unknown[]} versions before and after
 * @returns {Part[]} empty where the second release is not the later one
 */
function betweenReleases([from, to]) {
  if (typeof from !== 'string' || typeof to !== 'string' || compareVersions(from, to) >= 0)
    return [];
  const changes = changesBetween(from, to, null).map(({ since, what, todo }) => [
    since,
    what,
    todo ?? '',
  ]);
  const { gained, lost } = defectsBetween(from, to);
  const defects = [
    ...lost.map(({ ticket, title }) => [`${ticket}, gone`, title, '']),
    ...gained.map(({ ticket, title }) => [`${ticket}, new`, title, '']),
  ];
  const rows = [...changes, ...defects];
  const body =
    rows.length === 0
      ? html`<p>tune knows of no change between ${from} and ${to} that explains a difference.</p>`
      : table(
          'May explain a difference; whether it counts for this server is not known here',
          [{ head: 'since' }, { head: 'what' }, { head: 'to do' }],
          rows,
        );
  return [{ id: 'releases', title: `Between ${from} and ${to}`, body }];
}

/** @param {ChartData} a @param {ChartData} b */
function figures(a, b) {
  const rows = CHARTS.flatMap(({ title, series, unit }) =>
    Object.entries(series).flatMap(([name, label]) => {
      const [before, after] = [a.summary[name], b.summary[name]];
      const pair = (/** @type {'mean' | 'max'} */ statistic) =>
        pairOf(
          [before, after].map((one) => (one === undefined ? undefined : one[statistic])),
          SHOWN[unit],
        );
      return before || after ? [[`${title}: ${label}`, ...pair('mean'), ...pair('max')]] : [];
    }),
  );
  return table(
    'Mean and maximum, before and after',
    [
      { head: 'series' },
      right('mean A'),
      right('mean B'),
      right('B ÷ A'),
      right('max A'),
      right('max B'),
      right('B ÷ A'),
    ],
    rows,
  );
}

/**
 * @param {(number | undefined)[]} values before and after
 * @param {(value: number) => string} show
 */
const pairOf = ([before, after], show) => [
  ...[before, after].map((value) => (value === undefined ? UNKNOWN : show(value))),
  ratioOf(before, after),
];

/** @param {number | undefined} before @param {number | undefined} after */
function ratioOf(before, after) {
  if (!before || after === undefined) return '';
  const ratio = after / before;
  const text = `×${count(Number(ratio.toPrecision(3)))}`;
  return isAsBefore(ratio)
    ? html`<span class="faint">${text}</span>`
    : html`<strong>${text}</strong>`;
}

/** @param {readonly [Item, Item]} items @returns {Part[]} */
function changedRules([a, b]) {
  const [before, after] = [a, b].map(
    ({ value }) =>
      new Map(
        (value.findings ?? []).map((/** @type {any} */ finding) => [
          finding.key ?? finding.rule,
          finding,
        ]),
      ),
  );
  if (before.size === 0 || after.size === 0) return [];
  const keys = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key)?.status !== after.get(key)?.status,
  );
  const rank = (/** @type {string} */ key) =>
    Math.min(...[before, after].map((map) => STATUSES.indexOf(map.get(key)?.status ?? 'ok')));
  const rows = keys
    .sort((x, y) => rank(x) - rank(y))
    .map((key) => [
      before.get(key)?.rule ?? after.get(key)?.rule,
      ...[before, after].map((map) =>
        map.has(key) ? html`${badge(map.get(key).status)} ${map.get(key).message}` : '',
      ),
    ]);
  const body =
    rows.length === 0
      ? html`<p>No rule changed its status.</p>`
      : table(
          'Rules whose status changed',
          [{ head: 'rule' }, ...NAMES.map((head) => ({ head }))],
          rows,
        );
  return [{ id: 'rules', title: 'Rules that changed', body }];
}

module.exports = { renderComparison };
