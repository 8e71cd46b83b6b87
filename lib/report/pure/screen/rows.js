'use strict';

const { duration } = require('../../../base/pure/units');
const { CHARTS } = require('./charts');
const { chart } = require('./chart');
const { cut, line, span } = require('./line');
const { LABEL } = require('./parts');

/**
 * @import { Chart, ChartName, Point } from './charts'
 * @import { TimeSeries } from './line'
 */

const FIGURE = 9;
/** What stands left of a chart, with the blank before it. */
const LEFT = LABEL + FIGURE + 1;
const MARK = '█';
const NO_MARK = '·';

/**
 * One chart with its name and its last value; where it has more than one row, what its greatest
 * value is.
 * @param {ChartName} name
 * @param {readonly Point[]} points
 * @param {{ columns: number, rows: number }} size
 * @returns {TimeSeries[]}
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
 * @param {readonly (number | undefined)[]} values
 * @param {number} width
 * @returns {string} one row, however much room there is
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
 * Over how long the charts reach.
 * @param {readonly Point[]} points
 * @param {number} columns
 * @returns {TimeSeries}
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

module.exports = { chartRows, axis };
