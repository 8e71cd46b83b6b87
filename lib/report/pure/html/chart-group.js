'use strict';

const { html, joined } = require('./elements');
const { aboutSeries, chartOf, chartsOf, topOf } = require('./charts');

/**
 * @import { ChartData } from '../../../text/types'
 * @import { Part } from '../../types'
 * @import { Markup } from './elements'
 * @import { Placed } from './types'
 */

/**
 * Encodes series as text: three characters for a value give 262,142 steps of its range, finer than
 * any screen. The browser decodes them (page/decode.js).
 */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** The range has this many steps; code 0 means "not known". */
const STEPS = DIGITS.length ** 3 - 2;

/** @param {ChartData} drawn @returns {object} plain JSON */
function encode({ at, series, levels, checkpoints, stalls, breaks, blocks, events = [] }) {
  const fromMs = at[0] ?? 0;
  return {
    fromMs,
    steps: at.map((ms, i) => Math.round(ms) - Math.round(i === 0 ? fromMs : at[i - 1])),
    series: Object.fromEntries(
      Object.entries(series).map(([name, values]) => [name, encodeSeries(values)]),
    ),
    levels,
    checkpoints: spans(checkpoints),
    stalls: spans(stalls),
    breaks: spans(breaks),
    blocks: blocks.map((block) => [...spans([block])[0], block.setting]),
    ...(events.length > 0 && {
      events: events.map((event) => [...spans([event])[0], event.label]),
    }),
  };
}

/** @param {readonly { fromMs: number, toMs: number }[] | null} list @returns {number[][]} */
const spans = (list) =>
  (list ?? []).map(({ fromMs, toMs }) => [Math.round(fromMs), Math.round(toMs)]);

/**
 * @param {readonly (number | null)[]} values at least one is known
 * @returns {[number, number, string]} minimum, maximum, and the place of each value between them
 */
function encodeSeries(values) {
  const known = values.filter((value) => value !== null);
  const min = known.reduce((a, b) => Math.min(a, b));
  const max = known.reduce((a, b) => Math.max(a, b));
  const span = max - min || 1;
  return [
    min,
    max,
    values
      .map((value) => digits(value === null ? 0 : 1 + Math.round(((value - min) / span) * STEPS)))
      .join(''),
  ];
}

/** @param {number} code */
const digits = (code) => DIGITS[code >> 12] + DIGITS[(code >> 6) & 63] + DIGITS[code & 63];

/**
 * Makes the charts of one value, or of two side by side, with their controls: buttons for users
 * without a mouse.
 * @typedef {{
 *   lines: object[], charts: Placed[], groups: { id: string, elapsed: boolean, lines: number[] }[]
 * }} Data the data that the page draws
 */

const BUTTONS = Object.freeze(
  /** @type {const} */ ([
    ['earlier', '←', 'earlier'],
    ['later', '→', 'later'],
    ['in', '+', 'zoom in'],
    ['out', '−', 'zoom out'],
    ['all', 'all', 'all of the time'],
  ]),
);
/**
 * The marks that a sentence above the charts explains, where the series have any.
 * @type {readonly [string, string, (drawn: ChartData) => boolean][]}
 */
const MARKS = Object.freeze([
  ['checkpoint', 'checkpoint', ({ checkpoints }) => (checkpoints ?? []).length > 0],
  ['stall', 'stall', ({ stalls }) => (stalls ?? []).length > 0],
  ['break', 'gap or restart', ({ breaks }) => breaks.length > 0],
  ['event', 'event of the chain', ({ events = [] }) => events.length > 0],
  ['block-a', 'A active', ({ blocks }) => blocks.some(({ setting }) => setting === 'A')],
  ['block-b', 'B active', ({ blocks }) => blocks.some(({ setting }) => setting === 'B')],
  ['level', 'target, trigger, total', ({ levels }) => Object.keys(levels).length > 0],
]);

/**
 * @param {readonly ChartData[]} lines one, or two to compare
 * @param {{ key: string, elapsed: boolean, names?: readonly string[] }} how `names`: the names of
 *   the lines
 * @param {Data} data this function adds to it what the page draws
 * @returns {Part}
 */
function timeChart(lines, { key, elapsed, names = [] }, data) {
  const id = `charts${key}`;
  const charts = chartsOf(lines);
  if (charts.length === 0)
    return {
      id,
      title: 'Charts',
      body: html`<p class="faint">No charts: this answer holds no samples, such as one that was read from JSON. An answer of this shell has them.</p>`,
    };
  const first = data.lines.length;
  data.lines.push(...lines.map(encode));
  data.groups.push({ id, elapsed, lines: lines.map((_, i) => first + i) });
  const figures = charts.flatMap((chart) =>
    lines.map((drawn, i) => {
      const made = chartOf(chart, drawn, {
        line: first + i,
        top: lines.length > 1 ? topOf(chart, lines) : null,
        key: `${key}${lines.length > 1 ? `-${i}` : ''}`,
      });
      if (made.placed !== null) data.charts.push(made.placed);
      return made.markup;
    }),
  );
  return {
    id,
    title: 'Charts',
    body: html`${toolbar(lines, id)}
<p class="faint">${aboutLines(lines, names)} <span class="screen-only">${usage(elapsed)}</span></p>
<noscript><p>Scripts are off, so no lines are drawn. The figures below are complete.</p></noscript>
${names.length > 0 && html`<div class="pair heads">${names.map((name) => html`<p>${name}</p>`)}</div>`}<div class="${lines.length > 1 ? 'charts pair' : 'charts'}">${figures}</div>`,
  };
}

/** @param {readonly ChartData[]} lines @param {string} id @returns {Markup} */
const toolbar = (lines, id) =>
  html`<div class="toolbar" role="group" aria-label="Time shown">${[
    ...BUTTONS.map(([act, sign, words]) => button(act, id, words, sign)),
    html`<output class="range" aria-live="polite"></output>`,
    html`<ul class="keys">${MARKS.filter(([, , isThere]) => lines.some(isThere)).map(
      ([name, words]) => html`<li><span class="key ${name}"></span>${words}</li>`,
    )}</ul>`,
  ]}</div>`;

/** @param {string} act @param {string} id @param {string} words @param {string} sign */
const button = (act, id, words, sign) =>
  joined(
    html`<button type="button" data-act="${act}" data-group="${id}"`,
    html` aria-label="${words}">${sign}</button>`,
  );

/** @param {readonly ChartData[]} lines @param {readonly string[]} names */
const aboutLines = (lines, names) =>
  lines.map((drawn, i) => `${names[i] ? `${names[i]}: ` : ''}${aboutSeries(drawn)}`).join(' ');

/** @param {boolean} elapsed */
const usage = (elapsed) =>
  'Drag over a chart to zoom in, double-click for all of the time. Keys: ← → move the cursor, ' +
  `+ − 0 zoom. Times are ${elapsed ? 'counted from the start' : 'UTC'}.`;

module.exports = { encode, timeChart };
