'use strict';

const { timeText } = require('../base/pure/units');
const { seriesName, showSeries, topOf } = require('./series-units');
const { spark } = require('./bars');

/**
 * @import { ChartData } from './types'
 * @import { Ink, Tone } from '../base/types'
 */

/**
 * @typedef {{ fromMs: number, toMs: number, value: number | null }} Piece a value and the time it
 *   covers; null: not known
 * @typedef {{ fromMs: number, toMs: number, width: number }} Axis
 * @typedef {{ min: (number | undefined)[], max: (number | undefined)[] }} Cells minimum
 *   and maximum of each character of a line; undefined: not known
 */

/**
 * The cell of a moment, clamped to the line: a clock may have been set back.
 * @param {Axis} axis
 * @param {number} ms
 */
const cellAt = ({ fromMs, toMs, width }, ms) =>
  Math.max(
    0,
    Math.min(width - 1, Math.floor(((ms - fromMs) / Math.max(1, toMs - fromMs)) * width)),
  );

/**
 * Minimum and maximum of each cell, so that a peak of one second is visible in a day.
 * @param {readonly Piece[]} pieces in the order of time
 * @param {Axis} axis
 * @returns {Cells}
 */
function cellsOf(pieces, axis) {
  /** @type {Cells} */
  const cells = { min: Array(axis.width).fill(undefined), max: Array(axis.width).fill(undefined) };
  for (const { fromMs, toMs, value } of pieces) {
    if (value !== null) spread(cells, value, cellAt(axis, fromMs), cellAt(axis, toMs));
  }
  return cells;
}

/**
 * Puts a value into the cell in which its time ends, and into empty cells before it.
 * @param {Cells} cells changed
 * @param {number} value
 * @param {number} first
 * @param {number} last
 */
function spread({ min, max }, value, first, last) {
  for (let i = Math.min(first, last); i <= last; i++) {
    if (i < last && max[i] !== undefined) continue;
    min[i] = Math.min(min[i] ?? value, value);
    max[i] = Math.max(max[i] ?? value, value);
  }
}

/**
 * @param {readonly number[]} at ms, where each value ends
 * @param {readonly (number | null)[]} values
 * @returns {Piece[]} each since the one before, where that is known
 */
const piecesOf = (at, values) =>
  values.map((value, i) => ({
    fromMs: i > 0 && values[i - 1] !== null ? at[i - 1] : at[i],
    toMs: at[i],
    value,
  }));

/**
 * A row of marks, one for each span.
 * @param {readonly { fromMs: number, toMs: number, mark: string }[]} spans each of one character
 * @param {Axis} axis
 * @returns {string} without blanks at its end
 */
function marksOf(spans, axis) {
  const row = Array(axis.width).fill(' ');
  for (const { fromMs, toMs, mark } of spans)
    row.fill(mark, cellAt(axis, fromMs), cellAt(axis, toMs) + 1);
  return row.join('').trimEnd();
}

/** Cells of a row: with its name before it and its maximum after it, it fits into 80 columns. */
const CELLS = 44;
const NAME = 18;
const GAP = 2;
/** Buckets to ask a chart source for: fine enough that none spans two cells by much. */
const FINE = 16 * CELLS;
/** The series that are drawn, in this order. */
const ROWS = Object.freeze([
  'readsPerSec',
  'writesPerSec',
  'readLatencyMs',
  'writeLatencyMs',
  'readingThreads',
  'evictingThreads',
  'waitingThreads',
  'queued',
  'usedRatio',
  'dirtyRatio',
  'updatesRatio',
  'readBytesPerSec',
  'writtenBytesPerSec',
  'cpuCores',
]);
/**
 * Throughput gets a second row, of its minima, where some cells hide that it fell below half; where
 * most cells do, the load itself comes in bursts.
 */
const DIPS = /^(?:reads|writes|ops)PerSec$/;
const DEEP = 0.5;
const SOME = 0.5;
/**
 * Marks in this share of the cells that cover less than that share of the time are left out: they
 * would read as one event that never ended.
 */
const CROWDED = Object.freeze({ cells: 0.8, time: 0.25 });

/**
 * Draws a row of bars for each series, with marks for blocks, checkpoints, stalls and gaps below.
 * @param {ChartData | null} drawn
 * @param {Ink} ink
 * @param {{ rows?: readonly string[], judged?: { from: Date, to: Date } | null, indent?: string }}
 *   [options] `rows`: series to draw; `judged`: a window to mark
 * @returns {string[]} lines
 */
function renderChart(drawn, ink, { rows = ROWS, judged = null, indent = '' } = {}) {
  const shown = drawn === null ? [] : rows.filter((name) => isAnything(drawn, name));
  if (drawn === null || shown.length === 0) return [ink(`${indent}nothing to draw`, 'faint')];
  const axis = {
    fromMs: drawn.at[0],
    toMs: drawn.at[drawn.at.length - 1],
    width: Math.min(CELLS, drawn.sampleCount),
  };
  const label = (/** @type {string} */ name) => (indent + name).padEnd(NAME + GAP);
  const marks = (
    /** @type {string} */ name,
    /** @type {readonly Marked[]} */ spans,
    /** @type {Tone} */ tone,
  ) =>
    spans.length === 0 || isCrowded(spans, axis)
      ? []
      : [label(name) + ink(marksOf(spans, axis), tone)];
  return [
    ink(`${label('')}${ends(axis)}  UTC`, 'faint'),
    ...shown.flatMap((name) =>
      seriesRows(name, drawn, { axis, label: label(seriesName(name)) }, ink),
    ),
    ...marks(
      'active setting',
      drawn.blocks.map((block) => ({ ...block, mark: block.setting })),
      'strong',
    ),
    ...marks('checkpoint', markedBy('━', drawn.checkpoints), 'accent'),
    ...marks('stalled', markedBy('!', drawn.stalls), 'bad'),
    ...marks('gap or restart', markedBy('┊', drawn.breaks), 'faint'),
    ...(judged === null || isWhole(judged, axis)
      ? []
      : [
          ...marks(
            'analyzed',
            markedBy('^', [
              {
                fromMs: judged.from.getTime(),
                toMs: Math.max(judged.from.getTime(), judged.to.getTime()),
              },
            ]),
            'warn',
          ),
          `${label('')}${timeText(judged.from.getTime())} to ${timeText(judged.to.getTime())}`,
        ]),
  ];
}

/** Whether a window is all that is drawn. @param {{ from: Date, to: Date }} window @param {Axis} axis */
const isWhole = ({ from, to }, { fromMs, toMs }) =>
  from.getTime() <= fromMs && to.getTime() >= toMs;

/** @typedef {{ fromMs: number, toMs: number, mark: string }} Marked */

/**
 * @param {string} mark
 * @param {readonly { fromMs: number, toMs: number }[] | null} spans
 * @returns {Marked[]}
 */
const markedBy = (mark, spans) => (spans ?? []).map(({ fromMs, toMs }) => ({ fromMs, toMs, mark }));

/** Whether marks would hide how short the events are. @param {readonly Marked[]} spans @param {Axis} axis */
function isCrowded(spans, axis) {
  const cells = [...marksOf(spans, axis)].filter((cell) => cell !== ' ').length;
  const coveredMs = spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  return cells > CROWDED.cells * axis.width && coveredMs < CROWDED.time * (axis.toMs - axis.fromMs);
}

/**
 * Whether a series has a value that is not shown as 0.
 * @param {ChartData} drawn
 * @param {string} name
 */
function isAnything({ summary }, name) {
  const max = summary[name]?.max;
  return max !== undefined && max > 0 && !NOTHING.test(showSeries(name, max));
}

const NOTHING = /^0(?:\.0)?(?: |%|$)/;

/**
 * The rows of one series.
 * @param {string} name
 * @param {ChartData} drawn
 * @param {{ axis: Axis, label: string }} place
 * @param {Ink} ink
 * @returns {string[]}
 */
function seriesRows(name, { at, series, summary }, { axis, label }, ink) {
  const cells = cellsOf(piecesOf(at, series[name]), axis);
  return barRows(
    {
      label,
      cells,
      top: topOf(name),
      says: `max ${showSeries(name, summary[name].max)}`,
      dips: DIPS.test(name) ? `min ${showSeries(name, summary[name].min)}` : null,
    },
    ink,
  );
}

/**
 * A row of bars of the maxima; a second one of the minima where they differ much.
 * @param {{ label: string, cells: Cells, says: string, top?: number, dips?: string | null }} row
 *   `label`: padded; `says`, `dips`: text after the row of maxima, of minima; no `dips`: no such row
 * @param {Ink} ink
 * @returns {string[]}
 */
function barRows({ label, cells, says, top, dips = null }, ink) {
  const max = cells.max.reduce(
    (/** @type {number} */ best, value) => Math.max(best, value ?? 0),
    0,
  );
  const bars = (/** @type {(number | undefined)[]} */ values) =>
    ink(spark(values, { width: values.length, top: top ?? max }), 'accent');
  const known = cells.min.filter((min) => min !== undefined).length;
  const deep = cells.min.filter(
    (min, i) => min !== undefined && min < DEEP * /** @type {number} */ (cells.max[i]),
  ).length;
  return [
    `${label}${bars(cells.max)}  ${says}`.trimEnd(),
    ...(dips !== null && deep > 0 && deep < SOME * known
      ? [`${'  minimum'.padEnd(label.length)}${bars(cells.min)}  ${dips}`.trimEnd()]
      : []),
  ];
}

/** The times at both ends of the line. @param {Axis} axis */
function ends({ fromMs, toMs, width }) {
  const [from, to] = [timeText(fromMs), timeText(toMs)];
  return from + (to.length + from.length < width ? to.padStart(width - from.length) : ` to ${to}`);
}

module.exports = { cellsOf, piecesOf, marksOf, renderChart, barRows, FINE };
