'use strict';

const parts = require('./parts');
const { AREAS } = require('./areas');
const { fit, line, span, paint, cut } = require('./frame');
const { helpLines } = require('./keys');
const { membersLine, LABEL } = require('./parts');
const { secondsText } = require('../../../base/pure/units');
const { CHARTS } = require('./charts');

/**
 * @import { Ink } from '../../../base/types'
 * @import { Point, ChartName } from './charts'
 * @import { Line } from './frame'
 * @import { View, Chart } from './types'
 */

/**
 * Stacks blocks of lines. Where there are few rows, blocks of the highest ranks are dropped first.
 * @typedef {{ rank: number, lines: readonly Line[] }} Block
 */

/** @param {readonly Block[]} blocks @param {number} rows @returns {Line[]} at most `rows` */
function stack(blocks, rows) {
  const kept = [...blocks];
  const taken = () => kept.reduce((total, { lines }) => total + lines.length, 0);
  while (taken() > rows && kept.length > 1)
    kept.splice(kept.indexOf(kept.reduce((a, b) => (b.rank >= a.rank ? b : a))), 1);
  return kept.flatMap(({ lines }) => lines).slice(0, rows);
}

/** @typedef {{ columns: number, rows: number }} Size */

/** The smallest screen; on a smaller one tune.watch() prints lines. */
const MIN = Object.freeze({ columns: 60, rows: 12 });
/** A chart has at most this many rows (heuristic). */
const TALLEST = 8;
/** The ranks of blocks; charts have 20 and more, by their order. */
const RANK = Object.freeze({
  must: 0,
  gauges: 1,
  message: 2,
  members: 4,
  event: 25,
  tabs: 33,
  moreVerdict: 40,
  axis: 45,
  group: 55,
  blank: 60,
  moreEvents: 70,
});
const CHART_RANK = 20;
const MAX_EVENTS = 6;
/** From this number of rows on, the bottleneck may take this many lines. */
const VERDICT_LINES = Object.freeze([
  [30, 4],
  [18, 2],
  [0, 1],
]);

/**
 * Lays out the live screen.
 * @param {View} view
 * @param {Size} size
 * @returns {Line[]} never wider than the columns, never more than the rows
 */
function layout(view, size) {
  if (size.columns < MIN.columns || size.rows < MIN.rows) return tooSmall(size);
  const lines = view.ui.isHelp ? helpPage(view, size) : page(view, size);
  return lines.map((line) => fit(line, size.columns));
}

/** @param {Size} size @returns {Line[]} */
const tooSmall = ({ columns, rows }) =>
  [
    fit(line(span(`The screen needs ${MIN.columns} × ${MIN.rows}.`, 'warn')), columns),
    fit(line('q quit'), columns),
  ].slice(0, rows);

/** The page of an area. @param {View} view @param {Size} size @returns {Line[]} */
function page(view, { columns, rows }) {
  const area = AREAS[view.ui.area];
  const above = [
    block(RANK.must, [parts.title(view, columns)]),
    block(RANK.moreEvents - 1, [line()]),
    ...verdictBlocks(view, columns, Number(VERDICT_LINES.find(([from]) => rows >= from)?.[1])),
    block(RANK.blank + 1, [line()]),
    ...(area.gauges
      ? [block(RANK.gauges, parts.gauges(view.status, columns)), block(RANK.blank, [line()])]
      : []),
  ];
  const [event, ...older] = parts.events(view, columns).slice(0, MAX_EVENTS);
  const below = [
    block(RANK.axis, [axis(view.points, columns)]),
    block(RANK.blank, [line()]),
    block(RANK.members, membersLine(view, columns)),
    block(RANK.event, event ? [event] : []),
    ...older.map((event, i) => block(RANK.moreEvents + i, [event])),
    block(RANK.tabs, [parts.tabs(view, columns)]),
  ];
  const fixed = [...above, ...below].reduce((total, { lines }) => total + lines.length, 1);
  const heightOf = heights(rows - fixed - area.charts.length, area.first.length);
  const charts = area.charts.flatMap((group, i) => [
    ...(i > 0 ? [block(RANK.group, [line()])] : []),
    ...group.map((name) => {
      const place = area.first.indexOf(name);
      return block(
        CHART_RANK + place,
        chartRows(name, view.points, { columns, rows: heightOf(place) }),
      );
    }),
  ]);
  const body = stack([...above, ...charts, ...below], rows - 1);
  return atBottom(body, parts.footer(view, columns), rows);
}

/**
 * Shares the free rows among the charts, the important ones first.
 * @param {number} room the free rows
 * @param {number} charts
 * @returns {(place: number) => number} the rows of each chart
 */
function heights(room, charts) {
  const each = Math.floor(room / charts);
  return (place) => Math.max(1, Math.min(TALLEST, each + (place < room - each * charts ? 1 : 0)));
}

/** @param {View} view @param {number} columns @param {number} max lines @returns {Block[]} */
function verdictBlocks(view, columns, max) {
  const [first, ...more] = parts.verdict(view, columns, max);
  return [block(RANK.message, [first]), block(RANK.moreVerdict, more)];
}

/** The help page. @param {View} view @param {Size} size @returns {Line[]} */
const helpPage = (view, { columns, rows }) =>
  atBottom(
    stack(
      [
        block(RANK.must, [parts.title(view, columns)]),
        ...helpLines(AREAS[view.ui.area].charts.flat(), columns).map((one, i) =>
          block(1 + i, [one]),
        ),
      ],
      rows - 1,
    ),
    line(span('? or Esc: back   q quit', 'faint')),
    rows,
  );

/** @param {Line[]} body @param {Line} last @param {number} rows @returns {Line[]} */
const atBottom = (body, last, rows) => [
  ...body,
  ...Array.from({ length: rows - 1 - body.length }, () => line()),
  last,
];

/** @param {number} rank @param {readonly Line[]} lines @returns {Block} */
const block = (rank, lines) => ({ rank, lines });

/**
 * Draws the live screen as a terminal takes it.
 * @param {View} view
 * @param {Size} size
 * @param {Ink} ink
 * @returns {{ text: string, width: number }[]}
 */
const draw = (view, size, ink) => layout(view, size).map((spans) => paint(spans, ink));

const EIGHTHS = ' ▁▂▃▄▅▆▇█';
const STEPS = EIGHTHS.length - 1;

/**
 * Draws bars from zero to `top`, the newest at the right; with one row it is a sparkline.
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
 * Computes the height in eighths of a row; a known zero has one eighth, unlike an unknown value.
 * @param {number | undefined} value
 * @param {number} highest
 * @param {number} full
 */
function heightOf(value, highest, full) {
  if (value === undefined) return 0;
  return highest <= 0 ? 1 : Math.max(1, Math.min(full, Math.round((value / highest) * full)));
}

const FIGURE = 9;
/** The columns left of a chart, with the blank before it. */
const LEFT = LABEL + FIGURE + 1;
const MARK = '█';
const NO_MARK = '·';

/**
 * Draws one chart with its name and last value; with its maximum where it has more than one row.
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
 * Draws one row of marks.
 * @param {readonly (number | undefined)[]} values
 * @param {number} width
 */
const marks = (values, width) => values.map(markOf).join('').padStart(width);

/**
 * Chooses the mark of one sample; a space where the value is not known.
 * @param {number | undefined} value
 */
function markOf(value) {
  if (value === undefined) return ' ';
  return value > 0 ? MARK : NO_MARK;
}

/**
 * Draws the time axis of the charts.
 * @param {readonly Point[]} points
 * @param {number} columns
 * @returns {Line}
 */
function axis(points, columns) {
  const width = columns - LEFT;
  const kept = points.slice(-width);
  const seconds =
    kept.length < 2 ? 0 : Math.round((kept[kept.length - 1].atMs - kept[0].atMs) / 1000);
  const text = seconds < 1 ? '' : `${secondsText(seconds)} ago`;
  const from = Math.max(0, width - Math.max(kept.length, text.length + 4));
  return line(' '.repeat(LEFT + from), span(`${text.padEnd(width - from - 3)}now`, 'faint'));
}

module.exports = { layout, draw, MIN, chart };
