'use strict';

const { cellsOf, marksOf, piecesOf } = require('./cells');
const { showSeries, topOf } = require('./series');
const { spark } = require('./spark');

/**
 * @import { Drawn } from '../series/chart-series'
 * @import { Axis, Cells } from './cells'
 * @import { Ink, Tone } from './report'
 */

/**
 * The course of a server in text: a row of bars for each line, and what was in force or went on
 * below them.
 */

/**
 * Cells of a line, so that the name before it and the greatest value behind it find room in 80
 * columns.
 */
const CELLS = 44;
const NAME = 18;
const GAP = 2;
/** Stretches to ask a trace for: none reaches far into the next cell. */
const FINE = 16 * CELLS;
/** What is drawn of a server, in this order. */
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
 * Of work done the least says as much as the most: there a row for it is added where some cells
 * hide that it was less than half; where most do, that is how the work comes.
 */
const DIPS = /^(?:reads|writes|ops)PerSec$/;
const DEEP = 0.5;
const SOME = 0.5;
/**
 * Marks in so many of the cells that stand for so little of the time would read as one that never
 * ended.
 */
const CROWDED = Object.freeze({ cells: 0.8, time: 0.25 });

/**
 * @param {Drawn | null} drawn
 * @param {Ink} ink
 * @param {{ rows?: readonly string[], judged?: { from: Date, to: Date } | null, indent?: string }}
 *   [options] `rows`: tracks to draw; `judged`: a window to mark
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
    ...shown.flatMap((name) => trackRows(name, drawn, { axis, label: label(name) }, ink)),
    ...marks(
      'in force',
      drawn.blocks.map((block) => ({ ...block, mark: block.setting })),
      'strong',
    ),
    ...marks('checkpoint', markedBy('━', drawn.checkpoints), 'accent'),
    ...marks('stalled', markedBy('!', drawn.stalls), 'bad'),
    ...marks('gap or restart', markedBy('┊', drawn.breaks), 'faint'),
    ...(judged === null
      ? []
      : [
          ...marks(
            'judged',
            markedBy('^', [
              {
                fromMs: judged.from.getTime(),
                toMs: Math.max(judged.from.getTime(), judged.to.getTime()),
              },
            ]),
            'warn',
          ),
          `${label('')}${time(judged.from.getTime())} to ${time(judged.to.getTime())}`,
        ]),
  ];
}

/** @typedef {{ fromMs: number, toMs: number, mark: string }} Marked */

/**
 * @param {string} mark
 * @param {readonly { fromMs: number, toMs: number }[] | null} spans
 * @returns {Marked[]}
 */
const markedBy = (mark, spans) => (spans ?? []).map(({ fromMs, toMs }) => ({ fromMs, toMs, mark }));

/** @param {readonly Marked[]} spans @param {Axis} axis */
function isCrowded(spans, axis) {
  const cells = [...marksOf(spans, axis)].filter((cell) => cell !== ' ').length;
  const coveredMs = spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  return cells > CROWDED.cells * axis.width && coveredMs < CROWDED.time * (axis.toMs - axis.fromMs);
}

/**
 * @param {Drawn} drawn
 * @param {string} name
 * @returns {boolean} whether there is more of it than would be shown as 0
 */
function isAnything({ summary }, name) {
  const max = summary[name]?.max;
  return max !== undefined && max > 0 && !NOTHING.test(showSeries(name, max));
}

const NOTHING = /^0(?:\.0)?(?: |$)/;

/**
 * @param {string} name
 * @param {Drawn} drawn
 * @param {{ axis: Axis, label: string }} place
 * @param {Ink} ink
 * @returns {string[]}
 */
function trackRows(name, { at, series, summary }, { axis, label }, ink) {
  const cells = cellsOf(piecesOf(at, series[name]), axis);
  return barRows(
    {
      label,
      cells,
      top: topOf(name),
      says: `up to ${showSeries(name, summary[name].max)}`,
      dips: DIPS.test(name) ? `least ${showSeries(name, summary[name].min)}` : null,
    },
    ink,
  );
}

/**
 * Bars of the most of each cell; of the least, too, where that is another picture.
 * @param {{ label: string, cells: Cells, says: string, top?: number, dips?: string | null }} row
 *   `label`: padded; `says`, `dips`: behind the row, behind that of the least; no `dips`: none
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
      ? [`${'  the least'.padEnd(label.length)}${bars(cells.min)}  ${dips}`.trimEnd()]
      : []),
  ];
}

/**
 * @param {Axis} axis
 * @returns {string} its times, over the line; only the first where there is no room
 */
function ends({ fromMs, toMs, width }) {
  const [from, to] = [time(fromMs), time(toMs)];
  return from + (to.length + from.length < width ? to.padStart(width - from.length) : ` to ${to}`);
}

/** @param {number} ms */
const time = (ms) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

module.exports = { renderChart, barRows, FINE };
