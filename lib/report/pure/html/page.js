'use strict';

const { html, Markup, remarks, showTime, badge, table } = require('./elements');
const { UNKNOWN, count } = require('../../../base/pure/units');
const { timeChart } = require('./chart-group');
const { STATUSES } = require('../../../base/pure/finding');
const { CHARTS, SHOWN } = require('./charts');

/**
 * @import { Part, Item, Shown } from '../../types'
 * @import { ChartData } from '../../../text/types'
 * @import { Data } from './chart-group'
 */

/**
 * The frame of a page. It asks nothing of any network: style, script and data are in it, and a
 * policy forbids all the rest.
 *
 * @typedef {{
 *   style: string, script: string, styleHash: string, scriptHash: string, version: string
 * }} Assets `…Hash`: as a policy wants them, `sha256-…`;
 *   `version`: of tune
 * @typedef {{
 *   title: string, sub: Markup, parts: readonly Part[], notes: readonly string[], data: object,
 *   at: Date, assets: Assets
 * }} Page
 */

/** A policy of nothing but what stands here. @param {Assets} assets */
const policy = ({ styleHash, scriptHash }) =>
  `default-src 'none'; style-src '${styleHash}'; script-src '${scriptHash}'; img-src data:; ` +
  `base-uri 'none'; form-action 'none'`;

/**
 * JSON between script tags: nothing in it can end them, and no line separator breaks it.
 * @param {object} data
 */
const json = (data) =>
  new Markup(
    JSON.stringify(data).replace(
      /[<>&\u2028\u2029]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );

/** @param {Page} page @returns {string} */
function renderPage({ title, sub, parts, notes, data, at, assets }) {
  const all = [
    ...parts,
    ...(notes.length > 0
      ? [{ id: 'notes', title: 'Notes', body: /** @type {Markup} */ (remarks(notes)) }]
      : []),
  ];
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(assets)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title} – tune</title>
<style>${new Markup(assets.style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div><p class="brand">tune <span>a doctor for WiredTiger</span></p><h1>${title}</h1><p class="sub">${sub}</p></div>
<div class="tools"><button type="button" id="theme" aria-pressed="false">Dark</button><button type="button" id="print">Print</button></div></header>
<nav aria-label="Sections"><ul>${all.map((part) => html`<li><a href="#${part.id}">${part.title}</a></li>`)}</ul></nav>
<main id="main" tabindex="-1">${all.map(
      (part) => html`
<section id="${part.id}" aria-labelledby="${part.id}-title"><h2 id="${part.id}-title">${part.title}</h2>${part.body}</section>`,
    )}
</main>
<footer><p>Made with tune ${assets.version} at ${showTime(at)} UTC. Everything is in this file; it asks nothing of the network.</p></footer>
<div id="said" class="hidden-text" role="status" aria-live="polite"></div>
<script type="application/json" id="data">${json(data)}</script>
<script>${new Markup(assets.script)}</script>
</body>
</html>
`.text
  }`;
}

/**
 * A page of one answer, or of several about the same server: the first one leads.
 * @param {readonly Item[]} items at least one
 * @param {{ at: Date, assets: Assets, notes: readonly string[] }} about
 * @returns {string} HTML
 */
function renderReport(items, { at, assets, notes }) {
  /** @type {Data} */
  const data = { lines: [], charts: [], groups: [] };
  const shown = items.map((item, i) => ({ ...item, shown: item.kind.show(item.value, keyOf(i)) }));
  const [first] = shown;
  const host = items.map(({ value }) => value.host).find(Boolean) ?? UNKNOWN;
  const version = items.map(({ value }) => value.version).find(Boolean);
  return renderPage({
    title: host,
    at,
    assets,
    data,
    sub: html`${version && html`MongoDB ${version}, `}${first.shown.name.toLowerCase()} ${first.shown.sub}`,
    parts: shown.flatMap((one, i) => partsOf(one, i, data)),
    notes: [...new Set([...shown.flatMap((one) => one.shown.notes), ...notes])],
  });
}

/** @param {number} i */
const keyOf = (i) => (i === 0 ? '' : `-${i + 1}`);

/**
 * Verdict, change, course, and then what it stands on.
 * @param {Item & { shown: Shown }} one
 * @param {number} i
 * @param {Data} data
 * @returns {Part[]}
 */
function partsOf({ value, kind, drawn, shown }, i, data) {
  const lead =
    shown.lead === null
      ? []
      : [{ id: `verdict${keyOf(i)}`, title: i === 0 ? 'Verdict' : shown.name, body: shown.lead }];
  const wantsChart = drawn !== null || kind.draw !== undefined || kind.name === 'an advice';
  const drawing =
    wantsChart && !value.dryRun
      ? [
          timeChart(
            drawn === null ? [] : [drawn],
            { key: keyOf(i), elapsed: kind.elapsed === true },
            data,
          ),
        ]
      : [];
  return [...lead, ...shown.before, ...drawing, ...shown.after];
}

/**
 * Two answers side by side, before and after a change: verdicts, figures with their ratio, the same
 * charts on the same scale.
 */

const NAMES = Object.freeze(['A, before', 'B, after']);
/** Nearer to 1 than this the two are the same for a person. */
const SAME = 0.05;

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
    sub: html`${NAMES.map((name, i) => html`${i > 0 && html`<br>`}${name}: ${items[i].value.version && `MongoDB ${items[i].value.version}, `}${shown[i].name.toLowerCase()} ${shown[i].sub}`)}`,
    parts: [
      {
        id: 'verdict',
        title: 'Verdicts',
        body: html`<div class="pair">${shown.map(({ lead, name }, i) => html`<div><h3>${NAMES[i]}</h3>${lead ?? html`<p>${name}</p>`}</div>`)}</div>`,
      },
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

/** @param {ChartData} a @param {ChartData} b */
function figures(a, b) {
  const rows = CHARTS.flatMap(({ title, series, unit }) =>
    Object.entries(series).flatMap(([name, label]) => {
      const [before, after] = [a.summary[name], b.summary[name]];
      const pair = (/** @type {'mean' | 'max'} */ what) =>
        pairOf(
          [before, after].map((one) => (one === undefined ? undefined : one[what])),
          SHOWN[unit],
        );
      return before || after ? [[`${title}: ${label}`, ...pair('mean'), ...pair('max')]] : [];
    }),
  );
  const right = (/** @type {string} */ head) => ({ head, align: /** @type {const} */ ('right') });
  return table(
    'Means and the most, before and after',
    [
      { head: 'what' },
      right('mean A'),
      right('mean B'),
      right('B ÷ A'),
      right('most A'),
      right('most B'),
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
  return Math.abs(ratio - 1) < SAME
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
      ? html`<p>Every rule says the same of both.</p>`
      : table(
          'Rules that say something else now',
          [{ head: 'rule' }, ...NAMES.map((head) => ({ head }))],
          rows,
        );
  return [{ id: 'rules', title: 'Rules that changed', body }];
}

module.exports = { renderReport, renderComparison };
