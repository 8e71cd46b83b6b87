'use strict';

const { duration } = require('../../../base/pure/units');
const { CHARTS } = require('./charts');
const { cut, line, span } = require('./frame');
const { LABEL } = require('./parts');

/**
 * @import { ChartName, Point } from './charts'
 * @import { Line } from './frame'
 * @import { Chart } from './types'
 */

const EIGHTHS = ' ▁▂▃▄▅▆▇█';
const STEPS = EIGHTHS.length - 1;

/**
 * Bars from zero to `top`, the newest at the right; a sparkline where it has one row.
 * @param {readonly (number | undefined)[]} values undefined: not known, an empty column
 * @param {{ width: number, rows?: number, top?: number, min?: number }} options
 *   `top`: value of a full bar; without it the maximum, but at least `min`
 * @returns {string[]} `rows` lines of exactly `width` columns, the upper one first
 */
function chart(values, { width, rows = 1, top, min = 0 }) {
  const kept = values.slice(-width);
  const highest =
    top ?? kept.reduce((/** @type {number} */ best, value) => Math.max(best, value ?? 0), min);
  // An eighth stays free at the top, so that charts do not touch.
  const heights = kept.map((value) => heightOf(value, highest, rows * STEPS - 1));
  return Array.from({ length: rows }, (_, i) => {
    const below = (rows - 1 - i) * STEPS;
    return heights
      .map((height) => EIGHTHS[Math.max(0, Math.min(STEPS, height - below))])
      .join('')
      .padStart(width);
  });
}

/**
 * Height in eighths of a row; a known zero is drawn as one eighth, unlike a value that is not known.
 * @param {number | undefined} value
 * @param {number} highest
 * @param {number} full
 */
function heightOf(value, highest, full) {
  if (value === undefined) return 0;
  return highest <= 0 ? 1 : Math.max(1, Math.min(full, Math.round((value / highest) * full)));
}

const FIGURE = 9;
/** Columns left of a chart, with the blank before it. */
const LEFT = LABEL + FIGURE + 1;
const MARK = '█';
const NO_MARK = '·';

/**
 * One chart with its name and last value; with its maximum where it has more than one row.
 * @param {ChartName} name
 * @param {readonly Point[]} points
 * @param {{ columns: number, rows: number }} size
 * @returns {Line[]}
 */
function chartRows(name, points, { columns, rows }) {
  const { label, show, top, min, isMark, isLoss } = /** @type {Chart} */ (CHARTS[name]);
  const width = columns - LEFT;
  const values = points.slice(-width).map((point) => point.values[name]);
  const now = values.at(-1);
  const drawn = isMark ? [marks(values, width)] : chart(values, { width, rows, top, min });
  const greatest = values.reduce(
    (/** @type {number} */ best, value) => Math.max(best, value ?? 0),
    0,
  );
  const max = isMark || top !== undefined || greatest === 0 ? '' : cut(show(greatest), FIGURE);
  return drawn.map((text, i) =>
    line(
      i === 0 ? label.padEnd(LABEL) : (i === 1 && max !== '' ? '  most' : '').padEnd(LABEL),
      i === 0
        ? span(cut(show(now), FIGURE).padStart(FIGURE), now ? 'strong' : undefined)
        : span((i === 1 ? max : '').padStart(FIGURE), 'faint'),
      ' ',
      span(text, isLoss ? 'warn' : 'accent'),
    ),
  );
}

/**
 * One row of marks.
 * @param {readonly (number | undefined)[]} values
 * @param {number} width
 */
const marks = (values, width) => values.map(markOf).join('').padStart(width);

/**
 * The mark of one sample; a space where the value is not known.
 * @param {number | undefined} value
 */
function markOf(value) {
  if (value === undefined) return ' ';
  return value > 0 ? MARK : NO_MARK;
}

/**
 * The time axis of the charts.
 * @param {readonly Point[]} points
 * @param {number} columns
 * @returns {Line}
 */
function axis(points, columns) {
  const width = columns - LEFT;
  const kept = points.slice(-width);
  const seconds =
    kept.length < 2 ? 0 : Math.round((kept[kept.length - 1].atMs - kept[0].atMs) / 1000);
  const text = seconds < 1 ? '' : `${duration(seconds * 1000)} ago`;
  const from = Math.max(0, width - Math.max(kept.length, text.length + 4));
  return line(' '.repeat(LEFT + from), span(`${text.padEnd(width - from - 3)}now`, 'faint'));
}

module.exports = { chart, chartRows, axis };
