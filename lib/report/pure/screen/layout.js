'use strict';

const parts = require('./parts');
const { AREAS } = require('./areas');
const { chartRows, axis } = require('./rows');
const { fit, line, span, paint } = require('./frame');
const { helpLines } = require('./keys');
const { membersLine } = require('./parts');

/**
 * @import { Member } from '../../../cluster/member-status'
 * @import { Status } from '../../../server/pure/status'
 * @import { Ink } from '../../../base/types'
 * @import { Point } from './charts'
 * @import { Ui } from './keys'
 * @import { Line } from './frame'
 * @import { View } from './types'
 */

/**
 * Blocks of lines, one below the other. Where rows are few, the highest ranks are dropped first.
 * @typedef {{ rank: number, lines: readonly Line[] }} Block
 */

/** Stacks blocks. @param {readonly Block[]} blocks @param {number} rows @returns {Line[]} at most `rows` */
function stack(blocks, rows) {
  const kept = [...blocks];
  const taken = () => kept.reduce((total, { lines }) => total + lines.length, 0);
  while (taken() > rows && kept.length > 1)
    kept.splice(kept.indexOf(kept.reduce((a, b) => (b.rank >= a.rank ? b : a))), 1);
  return kept.flatMap(({ lines }) => lines).slice(0, rows);
}

/**
 * @typedef {{ columns: number, rows: number }} Size
 */

/** The smallest screen; on a smaller one tune.watch() prints lines. */
const MIN = Object.freeze({ columns: 60, rows: 12 });
/** Rows of a chart at most (heuristic). */
const TALLEST = 8;
/** Ranks of blocks; charts have 20 and more, by their order. */
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
/** Rows of the screen, and the lines that the bottleneck may take from there on. */
const VERDICT_LINES = Object.freeze([
  [30, 4],
  [18, 2],
  [0, 1],
]);

/**
 * The lines of the live screen.
 * @param {View} view
 * @param {Size} size
 * @returns {Line[]} never wider than the columns, never more than the rows
 */
function layout(view, size) {
  if (size.columns < MIN.columns || size.rows < MIN.rows) return tooSmall(size);
  const lines = view.ui.isHelp ? helpPage(view, size) : page(view, size);
  return lines.map((one) => fit(one, size.columns));
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
    ...older.map((one, i) => block(RANK.moreEvents + i, [one])),
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
 * @param {number} room rows
 * @param {number} charts
 * @returns {(place: number) => number} rows of each
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
 * The live screen as a terminal takes it.
 * @param {View} view
 * @param {Size} size
 * @param {Ink} ink
 * @returns {{ text: string, width: number }[]}
 */
const draw = (view, size, ink) => layout(view, size).map((spans) => paint(spans, ink));

module.exports = { layout, draw, MIN };
