'use strict';

const { html, Markup, remarks, showTime } = require('./elements');

/**
 * @import { Part } from '../../types'
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

module.exports = { renderPage };
