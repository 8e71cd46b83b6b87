'use strict';

const {
  bytes,
  count,
  duration,
  secondsText,
  percent,
  UNKNOWN,
  clockText,
} = require('../../base/pure/units');
const { cellsOf, marksOf, piecesOf, barRows, FINE } = require('../../text/chart');
const { HEAD, callLines, firstLine, noteLines, part } = require('../../text/layout');
const { showSeries } = require('../../text/series-units');
const { table } = require('../../text/table');

/**
 * @import { Checkpoints } from '../checkpoints'
 * @import { ChartSource, ChartData } from '../../text/types'
 * @import { Axis } from '../../text/chart'
 * @import { Ink, Tone } from '../../base/types'
 */

/** @typedef {Checkpoints} Data */

/**
 * The width of the chart; a figure stands behind it. In a longer window each character means
 * several samples.
 */
const CELLS = 50;

/**
 * @param {Data} data
 * @param {Ink} ink
 * @param {ChartSource | null} [chartData] the series of its samples
 * @returns {string}
 */
function renderCheckpoints(data, ink, chartData = null) {
  const { seconds, checkpoints, notes } = data;
  return [
    firstLine(data, ink(`${secondsText(seconds)} observed`, 'faint'), ink),
    ...part('CHECKPOINTS', `${howMany(checkpoints)}${interval(data)}`, ink, 'strong'),
    ...pace(data, ink),
    ...stalls(data, ink),
    ...list(checkpoints, ink),
    ...chart(data, chartData?.(FINE) ?? null, ink),
    ...callLines([['Diagnose', 'tune.advise()']], ink),
    ...noteLines(notes, ink),
  ].join('\n');
}

/** @param {Data['checkpoints']} checkpoints */
const howMany = (checkpoints) =>
  checkpoints === null ? 'not reported by this server' : String(checkpoints.length || 'none');

/** @param {Data} data */
function interval({ everySeconds }) {
  if (everySeconds === null) return '';
  return everySeconds === 0
    ? ' (syncdelay 0: none by interval)'
    : ` (interval ${secondsText(everySeconds)})`;
}

/**
 * Values of the server that rise and fall with checkpoints, beside operations.
 * @type {readonly [string, string][]}
 */
const ALONGSIDE = Object.freeze([
  ['  latency', 'writeLatencyMs'],
  ['  dirty', 'dirtyRatio'],
]);

/** @param {Data} data @param {ChartData | null} drawn @param {Ink} ink @returns {string[]} */
function chart({ timeline }, drawn, ink) {
  if (timeline.length === 0) return [];
  const pieces = timeline.map(({ from, opsPerSec }) => ({
    fromMs: from.getTime(),
    toMs: from.getTime(),
    value: opsPerSec,
  }));
  const [fromMs, lastMs] = [pieces[0].fromMs, pieces[pieces.length - 1].fromMs];
  const axis = {
    fromMs,
    toMs: lastMs + (lastMs - fromMs) / Math.max(1, timeline.length - 1),
    width: Math.min(CELLS, timeline.length),
  };
  const spans = (/** @type {'checkpoint' | 'stalled'} */ field, /** @type {string} */ mark) =>
    timeline
      .filter((second) => second[field])
      .map(({ from }) => ({ fromMs: from.getTime(), toMs: from.getTime(), mark }));
  const marks = (
    /** @type {'checkpoint' | 'stalled'} */ field,
    /** @type {string} */ mark,
    /** @type {Tone} */ tone,
  ) =>
    timeline.some((second) => second[field])
      ? [
          `${ink(`  ${field}`.padEnd(HEAD), 'faint')}${ink(marksOf(spans(field, mark), axis), tone)}`,
        ]
      : [];
  const rates = timeline.map(({ opsPerSec }) => opsPerSec);
  return [
    ...barRows(
      {
        label: '  ops/s'.padEnd(HEAD),
        cells: cellsOf(pieces, axis),
        says: `max ${count(Math.max(...rates))}`,
        dips: `min ${count(Math.min(...rates))}`,
      },
      ink,
    ),
    ...ALONGSIDE.flatMap(([label, series]) => alongsideRow(label, series, { drawn, axis }, ink)),
    ...marks('checkpoint', '━', 'accent'),
    ...marks('stalled', '!', 'bad'),
  ];
}

/**
 * @param {string} label
 * @param {string} series
 * @param {{ drawn: ChartData | null, axis: Axis }} how
 * @param {Ink} ink
 * @returns {string[]}
 */
function alongsideRow(label, series, { drawn, axis }, ink) {
  const summary = drawn?.summary[series];
  if (!drawn || !summary || summary.max <= 0) return [];
  // A sample reports the time before it, the timeline has the time after it.
  const seen = piecesOf(drawn.at, drawn.series[series]).map((piece) => ({
    ...piece,
    toMs: piece.fromMs,
  }));
  return barRows(
    {
      label: label.padEnd(HEAD),
      cells: cellsOf(seen, axis),
      says: `max ${showSeries(series, summary.max)}`,
    },
    ink,
  );
}

/** @param {Data['checkpoints']} checkpoints @param {Ink} ink @returns {string[]} */
function list(checkpoints, ink) {
  if (!checkpoints?.length) return [];
  const columns = [
    { head: '  start (UTC)' },
    ...['took', 'all writes', 'by checkpoint', 'ops/s', 'stalled'].map((head) => ({
      head,
      align: /** @type {const} */ ('right'),
    })),
  ];
  const rows = checkpoints.map((checkpoint) => [
    `  ${clockText(checkpoint.from)}`,
    checkpoint.running ? 'running' : duration(checkpoint.durationMs),
    bytes(checkpoint.writtenBytes),
    bytes(checkpoint.checkpointBytes),
    count(checkpoint.opsPerSec),
    stalledText(checkpoint.stalledSeconds, ink),
  ]);
  return [
    ...table(columns, rows, ink).split('\n'),
    ink('  all writes: from the sample before the checkpoint to the one after it', 'faint'),
  ];
}

/**
 * Says how long operations stalled during a checkpoint.
 * @param {number | null} seconds
 * @param {Ink} ink
 */
function stalledText(seconds, ink) {
  if (seconds === null) return UNKNOWN;
  return seconds > 0 ? ink(secondsText(seconds), 'bad') : '0';
}

/** @param {Data} data @param {Ink} ink @returns {string[]} */
function pace({ opsPerSec: { inside, outside } }, ink) {
  if (inside === null || !outside) return [];
  return part(
    'OPERATIONS',
    `${count(inside)}/s during checkpoints, ${percent(inside / outside)} of the ` +
      `${count(outside)}/s outside`,
    ink,
  );
}

/** @param {Data} data @param {Ink} ink */
function stalls({ stalls: all, stalledSeconds, stalledInCheckpointSeconds }, ink) {
  if (all === null) return part('STALLS', 'unknown: too little work, or too few samples', ink);
  if (all.length === 0) return part('STALLS', 'none', ink, 'good');
  const longest = Math.max(...all.map(({ seconds }) => seconds));
  return part(
    'STALLS',
    `${all.length}, longest ${secondsText(longest)}, total ` +
      `${secondsText(Number(stalledSeconds))}, of it ` +
      `${secondsText(Number(stalledInCheckpointSeconds))} during checkpoints`,
    ink,
    'bad',
  );
}

module.exports = { renderCheckpoints };
