'use strict';

const { visible } = require('../../../base/pure/visible');
const { UNKNOWN, bytes, count, duration, percent, timeText } = require('../../../base/pure/units');

/**
 * HTML that cannot be broken out of: the template is trusted, the values put into it are text.
 * @typedef {Markup | string | number | boolean | null | undefined} Piece
 */

const ENTITIES = Object.freeze(
  /** @type {Record<string, string>} */ ({
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }),
);

class Markup {
  /** @param {string} text of HTML */
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/**
 * Escapes text for the content of an element, or for an attribute in quotes.
 * @param {string} text
 * @returns {string}
 */
const escape = (text) => text.replace(/[&<>"']/g, (char) => ENTITIES[char]);

/**
 * A tagged template: html`<p>${name}</p>`. Values that are null, undefined or false are left out.
 * @param {readonly string[]} strings @param {(Piece | readonly Piece[])[]} values @returns {Markup}
 */
const html = (strings, ...values) =>
  new Markup(strings.reduce((all, string, i) => all + pieces(values[i - 1]) + string));

/** @param {Piece | readonly Piece[]} value @returns {string} */
function pieces(value) {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(pieces).join('');
  return value instanceof Markup ? value.text : escape(visible(String(value)));
}

/** Text of several lines, which stay lines. @param {string} text @returns {Markup} */
const lines = (text) =>
  new Markup(
    text
      .split('\n')
      .map((line) => escape(visible(line)))
      .join('\n'),
  );

/**
 * The elements that pages are made of.
 * @typedef {{ head: string, align?: 'right', mono?: boolean }} Column
 */

const STATUS_WORDS = Object.freeze(
  /** @type {Record<string, string>} */ ({
    critical: '✗ critical',
    warning: '! warning',
    error: '⚠ error',
    info: 'i info',
    unknown: '? unknown',
    ok: '✓ ok',
  }),
);

/**
 * A status in words, for those who see no colours.
 * @param {string} status
 * @returns {Markup}
 */
const badge = (status) =>
  html`<span class="badge ${STATUS_WORDS[status] ? status : 'info'}">${STATUS_WORDS[status] ?? status}</span>`;

/**
 * A command or a file to copy, with a button for it.
 * @param {string} label
 * @param {string} code
 * @param {string} id unique on the page
 * @returns {Markup}
 */
const copyable = (label, code, id) =>
  html`<div class="code"><div class="code-head"><span>${label}</span><button type="button" class="copy" data-copy="${id}">Copy<span class="hidden-text"> ${label}</span></button></div><pre id="${id}" tabindex="0" role="region" aria-label="${label}"><code>${lines(code)}</code></pre></div>`;

/**
 * A table that may be wider than the screen: it scrolls by itself, with the keyboard too. The first
 * cell of each row names it.
 * @param {string} caption
 * @param {readonly Column[]} columns
 * @param {readonly (readonly Piece[])[]} rows
 * @returns {Markup}
 */
function table(caption, columns, rows) {
  const classes = columns.map(({ align, mono }) =>
    [align === 'right' ? 'right' : '', mono ? 'mono' : ''].filter(Boolean).join(' '),
  );
  const cell = (/** @type {Piece} */ value, /** @type {number} */ i) =>
    i === 0
      ? html`<th scope="row" class="${classes[0]}">${value}</th>`
      : html`<td class="${classes[i]}">${value}</td>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${columns.map(({ head }, i) => html`<th scope="col" class="${classes[i]}">${head}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody></table></div>`;
}

/**
 * Names and values, as a list.
 * @param {readonly (readonly [string, Piece])[]} pairs
 * @returns {Markup}
 */
const facts = (pairs) =>
  html`<dl class="facts">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** Notes as a list. @param {readonly string[] | undefined} notes @returns {Markup | null} */
const remarks = (notes) =>
  notes === undefined || notes.length === 0
    ? null
    : html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;

/**
 * A share as a bar; an SVG, since the page forbids styles of elements.
 * @param {number} ratio 0 to 1
 * @param {string} [tone]
 * @returns {Markup}
 */
const bar = (ratio, tone = '') =>
  html`<svg class="bar ${tone}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="100" height="8"/><rect class="full" width="${Math.round(Math.max(0, Math.min(1, ratio)) * 1000) / 10}" height="8"/></svg>`;

/** How values read on a page: by the unit that their names end in. */

/** @type {[RegExp, (value: number) => string][]} */
const FORMATS = [
  [/Ratio(?:Max)?$|Share$/, percent],
  [/Bytes(?:Max)?PerSec$/, (n) => `${bytes(n)}/s`],
  [/Bytes/, bytes],
  [/Ms(?:Max)?$/, duration],
  [/Seconds/, (n) => duration(n * 1000)],
  [/PerSec$/, (n) => `${count(n)}/s`],
];

/** A value, by the unit that its name ends in. @param {string} name @param {unknown} value @returns {string} */
function showValue(name, value) {
  if (value === null || value === undefined) return UNKNOWN;
  if (typeof value === 'number')
    return (FORMATS.find(([pattern]) => pattern.test(name))?.[1] ?? count)(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? showObject(value) : String(value);
}

/** @param {object} value */
function showObject(value) {
  const isPlainList = Array.isArray(value) && value.every((one) => typeof one !== 'object');
  return isPlainList ? value.join(', ') || 'none' : JSON.stringify(value);
}

/**
 * A moment, whatever form JSON gave it.
 * @param {Date | string | number | null | undefined} value
 * @returns {string} UTC, `2026-01-01 00:00:00`
 */
function showTime(value) {
  const date = new Date(value ?? NaN);
  return Number.isNaN(date.getTime()) ? UNKNOWN : timeText(date);
}

module.exports = {
  html,
  lines,
  Markup,
  badge,
  copyable,
  table,
  facts,
  remarks,
  bar,
  showValue,
  showTime,
};
