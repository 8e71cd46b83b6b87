'use strict';

const { html, Markup, remarks, showTime } = require('./elements');
const { UNKNOWN } = require('../../../base/pure/units');
const { timeChart } = require('./chart-group');
const { SEVERE } = require('../../../base/pure/finding');

/**
 * @import { Part, Item, Shown } from '../../types'
 * @import { ChartData } from '../../../text/types'
 * @import { Data } from './chart-group'
 */

/**
 * Makes the frame of a page. The page loads nothing from any network: it contains its style, script
 * and data, and a policy forbids all else.
 *
 * @typedef {{
 *   style: string, script: string, styleHash: string, scriptHash: string, version: string
 * }} Assets `…Hash`: in the form of a policy, `sha256-…`; `version`: that of tune
 * @typedef {{
 *   title: string, sub: Markup, parts: readonly Part[], notes: readonly string[], data: object,
 *   at: Date, assets: Assets
 * }} Page
 */

/** Makes a policy that allows only what the page contains. @param {Assets} assets */
const policy = ({ styleHash, scriptHash }) =>
  `default-src 'none'; style-src '${styleHash}'; script-src '${scriptHash}'; img-src data:; ` +
  `base-uri 'none'; form-action 'none'`;

/**
 * Makes JSON that is safe between script tags: it cannot end them, and no line separator breaks it.
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
<header class="top"><div><p class="brand">tune <span>WiredTiger diagnosis</span></p><h1>${title}</h1><p class="sub">${sub}</p></div>
<div class="tools"><button type="button" id="theme" aria-pressed="false">Dark</button><button type="button" id="print">Print</button></div></header>
<nav aria-label="Sections"><ul>${all.map((part) => html`<li><a href="#${part.id}">${part.title}</a></li>`)}</ul></nav>
<main id="main" tabindex="-1">${all.map(
      (part) => html`
<section id="${part.id}" aria-labelledby="${part.id}-title"><h2 id="${part.id}-title">${part.title}</h2>${part.body}</section>`,
    )}
</main>
<footer><p>Made with tune ${assets.version} at ${showTime(at)} UTC. This file is complete and makes no network requests.</p></footer>
<div id="said" class="hidden-text" role="status" aria-live="polite"></div>
<script type="application/json" id="data">${json(data)}</script>
<script>${new Markup(assets.script)}</script>
</body>
</html>
`.text
  }`;
}

/**
 * Makes a page of one answer, or of several about the same server: the first one leads.
 * @param {readonly Item[]} items at least one
 * @param {{ at: Date, assets: Assets, notes: readonly string[] }} about
 * @returns {string} HTML
 */
function renderReport(items, { at, assets, notes }) {
  /** @type {Data} */
  const data = { lines: [], charts: [], groups: [] };
  const shown = items.map((item, i) => ({
    ...item,
    shown: item.kind.show(item.value, keyOf(i), severeRules(items.slice(0, i))),
  }));
  const [first] = shown;
  const host = items.map(({ value }) => value.host).find(Boolean) ?? UNKNOWN;
  const version = items.map(({ value }) => value.version).find(Boolean);
  return renderPage({
    title: host,
    at,
    assets,
    data,
    sub: subOf(version, first.shown),
    parts: withOwnTitles(
      shown.map((item, i) => ({ of: item.shown.name, parts: partsOf(item, i, data) })),
    ),
    notes: [...new Set([...shown.flatMap(notesOf), ...notes])],
  });
}

/**
 * Adds the subject to a title that exists already, so that links and headings differ.
 * @param {readonly { of: string, parts: readonly Part[] }[]} groups
 * @returns {Part[]}
 */
function withOwnTitles(groups) {
  const taken = new Set();
  return groups.flatMap(({ of, parts }) =>
    parts.map((part) => {
      const names = [part.title, `${of}: ${part.title.toLowerCase()}`];
      const title = names.find((name) => !taken.has(name)) ?? `${names[1]} ${taken.size}`;
      taken.add(title);
      return { ...part, title };
    }),
  );
}

/** @param {Item & { shown: Shown }} one @returns {string[]} */
const notesOf = ({ shown, comment }) => [
  ...shown.notes,
  ...(comment ? [`In the server's log its commands carry the comment "${comment}".`] : []),
];

/** Finds the rules with findings that need a person. @param {readonly Item[]} items */
const severeRules = (items) =>
  new Set(
    items.flatMap(({ value }) =>
      /** @type {{ rule: string, status: any }[]} */ (value.findings ?? []).flatMap(
        ({ rule, status }) => (SEVERE.includes(status) ? [rule] : []),
      ),
    ),
  );

/**
 * Names the server and the time.
 * @param {string | null | undefined} version
 * @param {Shown} shown
 */
const subOf = (version, { name, sub }) =>
  html`${[version && `MongoDB ${version}`, name, ...sub].filter(Boolean).map((part, i, all) => html`<span>${part}${i < all.length - 1 && ' ·'}</span> `)}`;

/** @param {number} i */
const keyOf = (i) => (i === 0 ? '' : `-${i + 1}`);

/**
 * Makes the parts of a page: the verdict, the change, the charts, and then the evidence for them.
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
      ? [timeChart(...linesOf(drawn, { key: keyOf(i), elapsed: kind.elapsed === true }), data)]
      : [];
  return [...lead, ...shown.before, ...drawing, ...shown.after];
}

/**
 * Chooses one line of charts, or two where there is another one to compare.
 * @param {Item['drawn']} drawn
 * @param {{ key: string, elapsed: boolean }} how
 * @returns {[ChartData[], { key: string, elapsed: boolean, names?: readonly string[] }]}
 */
function linesOf(drawn, how) {
  if (drawn === null) return [[], how];
  const { beside } = drawn;
  if (beside === undefined || beside.at.length === 0) return [[drawn], how];
  return [[drawn, beside], { ...how, elapsed: true, names: ['This time', 'A normal day'] }];
}

module.exports = { renderPage, renderReport, subOf };
