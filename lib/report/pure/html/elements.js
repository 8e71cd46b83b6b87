'use strict';

const { visible } = require('../../../base/pure/printable');
const {
  UNKNOWN,
  bytes,
  count,
  duration,
  secondsText,
  percent,
  shortPercent,
  timeText,
} = require('../../../base/pure/units');
const { MARKS } = require('../../../text/tones');

/**
 * Makes HTML that a value cannot break out of: the template is trusted, the values in it are text.
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
  /** @param {string} text HTML */
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
 * Fills a tagged template: html`<p>${name}</p>`. It leaves out null, undefined and false.
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

/**
 * Joins pieces of a template that is too long for one line; leaves out empty ones.
 * @param {...(Piece | readonly Piece[])} all
 * @returns {Markup}
 */
const joined = (...all) => new Markup(all.map(pieces).join(''));

/** A number and its unit, which no line break may separate. */
const WITH_UNIT = /(\d) (ms|s|min|h|d|B|[KMGT]iB|GB|threads|pages)\b/g;

/** Escapes a sentence; keeps numbers and units together. @param {string} text @returns {Markup} */
const prose = (text) => new Markup(escape(visible(text)).replace(WITH_UNIT, '$1\u00a0$2'));

/** Keeps the lines of a text. @param {string} text @returns {Markup} */
const lines = (text) =>
  new Markup(
    text
      .split('\n')
      .map((line) => escape(visible(line)))
      .join('\n'),
  );

/**
 * The elements of which pages are made.
 * @typedef {{ head: string, align?: 'right', mono?: boolean }} Column
 */

/** The words of the terminal, and one more, since a page has more space. */
const STATUS_WORDS = Object.freeze(
  /** @type {Record<string, string>} */ ({
    ...Object.fromEntries(
      Object.entries(MARKS).map(([status, { word }]) => [status, word.toUpperCase()]),
    ),
    unknown: 'UNKNOWN',
  }),
);

/**
 * Shows a status as a word, for readers who see no colours.
 * @param {string} status
 * @param {string} [word] replaces the word of the status
 * @returns {Markup}
 */
const badge = (status, word = STATUS_WORDS[status] ?? status) =>
  html`<span class="badge ${STATUS_WORDS[status] ? status : 'info'}">${word}</span>`;

/**
 * Makes the conclusion at the top of a page: its name, the answer, the sentence that explains it.
 * @param {string} tone a status, which sets the colour
 * @param {{ label: string, answer: Piece, because: Piece, figure?: Piece, more?: Piece }} said
 * @returns {Markup}
 */
const verdictOf = (tone, { label, answer, because, figure = null, more = null }) =>
  html`<div class="verdict ${tone}">${[
    html`<p class="label">${label}</p><p class="answer">${answer}</p>`,
    figure !== null && html`<p class="figure">${figure}</p>`,
    because !== null &&
      html`<p class="because">${typeof because === 'string' ? prose(because) : because}</p>`,
    more,
  ]}</div>`;

/**
 * Lists commands to copy, one a line, as the terminal shows them: the purpose, and the call.
 * @param {readonly (readonly [string, string, string])[]} list verb, code, and an id that is unique
 *   on the page
 * @returns {Markup}
 */
const commands = (list) =>
  html`<ul class="commands">${list.map(([verb, code, id]) => html`<li><span class="verb">${verb}</span><code id="${id}">${lines(code)}</code>${copyButton(verb, id)}</li>`)}</ul>`;

/** @param {string} label @param {string} id */
const copyButton = (label, id) =>
  html`<button type="button" class="copy" data-copy="${id}">Copy<span class="hidden-text"> ${label}</span></button>`;

/**
 * Shows a file or a script with a button to copy it.
 * @param {string} label
 * @param {string} code
 * @param {string} id unique on the page
 * @returns {Markup}
 */
const copyable = (label, code, id) =>
  html`<div class="code"><div class="code-head"><span>${label}</span>${copyButton(label, id)}</div>${[
    html`<pre id="${id}" tabindex="0" role="group" aria-label="${label}"><code>${lines(code)}</code></pre>`,
  ]}</div>`;

/**
 * Folds away what only some readers want; on paper it is open.
 * @param {Piece} summary
 * @param {Piece | readonly Piece[]} body
 * @returns {Markup}
 */
const folded = (summary, body) =>
  html`<details><summary>${summary}</summary><div class="unfolded">${body}</div></details>`;

/**
 * Makes a table that may be wider than the screen: it scrolls by itself, also with the keyboard.
 * The first cell of each row is its heading.
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
  const heads = columns.map(({ head }, i) =>
    head === '' ? html`<td></td>` : html`<th scope="col" class="${classes[i]}">${head}</th>`,
  );
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}">${[
    html`<table><caption>${caption}</caption><thead><tr>${heads}</tr></thead>`,
    html`<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody></table>`,
  ]}</div>`;
}

/**
 * Shows names and values as a list.
 * @param {readonly (readonly [string, Piece])[]} pairs
 * @returns {Markup}
 */
const facts = (pairs) =>
  html`<dl class="facts">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** Shows notes as a list. @param {readonly string[] | undefined} notes @returns {Markup | null} */
const remarks = (notes) =>
  notes === undefined || notes.length === 0
    ? null
    : html`<ul class="notes">${notes.map((note) => html`<li>${prose(note)}</li>`)}</ul>`;

/**
 * Draws a share as a bar: an SVG, since the page's policy forbids styles of elements.
 * @param {number} ratio 0 to 1
 * @param {string} [tone]
 * @param {readonly (number | null)[]} [marks] thresholds, 0 to 1
 * @returns {Markup}
 */
const bar = (ratio, tone = '', marks = []) =>
  html`<svg class="bar ${tone}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${[
    html`<rect class="rest" width="100" height="8"/>`,
    html`<rect class="full" width="${across(ratio)}" height="8"/>`,
    ...marks.flatMap((x) =>
      x === null ? [] : html`<rect class="mark" x="${across(x)}" width="1.5" height="8"/>`,
    ),
  ]}</svg>`;

/** @param {number} ratio @returns {number} percent, limited to 0 to 100 */
const across = (ratio) => Math.round(Math.max(0, Math.min(1, ratio)) * 1000) / 10;

/** How a value is shown, by the end of its name. @type {[RegExp, (value: number) => string][]} */
const FORMATS = [
  [/ratio(?:Max)?$|share(?:OfClients)?$/i, percent],
  [/Bytes(?:Max)?PerSec$/, (n) => `${bytes(n)}/s`],
  [/Bytes/, bytes],
  [/Ms(?:Max)?$/, duration],
  [/Seconds/, secondsText],
  [/PerSec$/, (n) => `${count(n)}/s`],
];

/** Formats a value by its unit. @param {string} name @param {unknown} value @returns {string} */
function showValue(name, value) {
  if (value === null || value === undefined) return UNKNOWN;
  if (typeof value === 'number')
    return (FORMATS.find(([pattern]) => pattern.test(name))?.[1] ?? count)(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === '') return 'empty';
  return typeof value === 'object' ? showObject(name, value) : String(value);
}

/**
 * Formats lists and objects as a person writes them; values of a list have the unit of its name.
 * @param {string} name
 * @param {object} value
 * @returns {string} `1, 2`, `soft: 20,000, hard: 20,000`, `name: a; name: b`
 */
function showObject(name, value) {
  if (Array.isArray(value))
    return (
      value
        .map((item) => showValue(name, item))
        .join(value.some((item) => typeof item === 'object') ? '; ' : ', ') || 'none'
    );
  return (
    Object.entries(value)
      .map(([part, field]) => `${part}: ${showValue(part, field)}`)
      .join(', ') || 'none'
  );
}

/** Formats a round number. @param {number | null} ratio @returns {string} `20%`, `2.5%` */
const showThreshold = (ratio) => (ratio === null ? UNKNOWN : shortPercent(ratio));

/**
 * Formats a moment, whatever form JSON gave it.
 * @param {Date | string | number | null | undefined} value
 * @returns {string} UTC, `2026-01-01 00:00:00`
 */
function showTime(value) {
  const date = new Date(value ?? NaN);
  return Number.isNaN(date.getTime()) ? UNKNOWN : timeText(date);
}

/**
 * Formats a time range; the day is shown once where it is the same.
 * @param {Date | string | number} from
 * @param {Date | string | number} to
 * @returns {string} `2026-01-01 00:00:00 to 00:01:00 UTC`
 */
function showSpan(from, to) {
  const [begin, end] = [showTime(from), showTime(to)];
  const isOneDay = begin.slice(0, 10) === end.slice(0, 10);
  return `${begin} to ${isOneDay ? end.slice(11) : end} UTC`;
}

module.exports = {
  joined,
  html,
  lines,
  prose,
  Markup,
  badge,
  verdictOf,
  commands,
  copyable,
  folded,
  table,
  facts,
  remarks,
  bar,
  showValue,
  showThreshold,
  showTime,
  showSpan,
};
