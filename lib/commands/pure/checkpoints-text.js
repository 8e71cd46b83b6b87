'use strict';

const { bytes, count, duration, percent, UNKNOWN, clockText } = require('../../base/pure/units');
const { cellsOf, marksOf, piecesOf, barRows, FINE } = require('../../text/chart');
const { showSeries } = require('../../text/series-units');
const { table } = require('../../text/table');
const { wrap } = require('../../text/wrap');

/**
 * @import { Checkpoints } from '../checkpoints'
 * @import { ChartSource, ChartData } from '../../text/types'
 * @import { Axis } from '../../text/chart'
 * @import { Ink, Tone } from '../../base/types'
 */

/**
 * @typedef {Checkpoints} Data
 */

const LABEL = 13;
/**
 * Characters of the chart, with a figure behind it; in a longer window each holds several samples.
 */
const CELLS = 50;

/**
 * @param {Data} data
 * @param {Ink} ink
 * @param {ChartSource | null} [chartData] of its samples
 * @returns {string}
 */
function renderCheckpoints(data, ink, chartData = null) {
  const { host, seconds, everySeconds, checkpoints, notes } = data;
  const every =
    everySeconds === null
      ? ''
      : '; the server begins ' +
        `${everySeconds === 0 ? 'none by itself (syncdelay 0)' : `one ${count(everySeconds)} s after the one before`}`;
  return [
    ...wrap(
      `${host ?? UNKNOWN} watched for ${duration(seconds * 1000)}: ` +
        `${checkpoints === null ? 'the server tells nothing of its checkpoints' : `${checkpoints.length || 'no'} checkpoint${checkpoints.length === 1 ? '' : 's'} seen`}${every}`,
      '  ',
      '',
    ),
    ...chart(data, chartData?.(FINE) ?? null, ink),
    ...list(checkpoints, ink),
    ...pace(data),
    stalls(data, ink),
    ...notes.flatMap((note) => wrap(note, '      ', 'note: ')).map((line) => ink(line, 'faint')),
  ].join('\n');
}

/**
 * What of the server goes up and down with checkpoints, beside operations.
 * @type {readonly [string, string][]}
 */
const ALONGSIDE = Object.freeze([
  ['writes take', 'writeLatencyMs'],
  ['dirty', 'dirtyRatio'],
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
  const spans = (/** @type {'checkpoint' | 'stalled'} */ what, /** @type {string} */ mark) =>
    timeline
      .filter((one) => one[what])
      .map(({ from }) => ({ fromMs: from.getTime(), toMs: from.getTime(), mark }));
  const marks = (
    /** @type {'checkpoint' | 'stalled'} */ what,
    /** @type {string} */ mark,
    /** @type {Tone} */ tone,
  ) =>
    timeline.some((one) => one[what])
      ? [`${ink(what.padEnd(LABEL), 'faint')}${ink(marksOf(spans(what, mark), axis), tone)}`]
      : [];
  const rates = timeline.map(({ opsPerSec }) => opsPerSec);
  return [
    '',
    ...barRows(
      {
        label: 'ops/s'.padEnd(LABEL),
        cells: cellsOf(pieces, axis),
        says: `up to ${count(Math.max(...rates))}`,
        dips: `least ${count(Math.min(...rates))}`,
      },
      ink,
    ),
    ...ALONGSIDE.flatMap(([label, track]) => alongsideRow(label, track, { drawn, axis }, ink)),
    ...marks('checkpoint', '━', 'accent'),
    ...marks('stalled', '!', 'bad'),
  ];
}

/**
 * @param {string} label
 * @param {string} track
 * @param {{ drawn: ChartData | null, axis: Axis }} how
 * @param {Ink} ink
 * @returns {string[]}
 */
function alongsideRow(label, track, { drawn, axis }, ink) {
  const summary = drawn?.summary[track];
  if (!drawn || !summary || summary.max <= 0) return [];
  // A sample reports the time before it, where the timeline has it.
  const seen = piecesOf(drawn.at, drawn.series[track]).map((piece) => ({
    ...piece,
    toMs: piece.fromMs,
  }));
  return barRows(
    {
      label: label.padEnd(LABEL),
      cells: cellsOf(seen, axis),
      says: `up to ${showSeries(track, summary.max)}`,
    },
    ink,
  );
}

/** @param {Data['checkpoints']} checkpoints @param {Ink} ink @returns {string[]} */
function list(checkpoints, ink) {
  if (!checkpoints?.length) return [''];
  const columns = [
    { head: 'start (UTC)' },
    ...['took', 'written by all', 'by the checkpoint', 'ops/s', 'stalled'].map((head) => ({
      head,
      align: /** @type {const} */ ('right'),
    })),
  ];
  const rows = checkpoints.map((one) => [
    clockText(one.from),
    one.running ? 'runs' : duration(one.durationMs),
    bytes(one.writtenBytes),
    bytes(one.checkpointBytes),
    count(one.opsPerSec),
    stalledText(one.stalledSeconds, ink),
  ]);
  return ['', table(columns, rows, ink), ''];
}

/**
 * For how long operations stalled during a checkpoint.
 * @param {number | null} seconds
 * @param {Ink} ink
 */
function stalledText(seconds, ink) {
  if (seconds === null) return UNKNOWN;
  return seconds > 0 ? ink(duration(seconds * 1000), 'bad') : '0';
}

/** @param {Data} data @returns {string[]} */
function pace({ opsPerSec: { inside, outside } }) {
  if (inside === null || !outside) return [];
  return [
    `operations while a checkpoint ran: ${count(inside)}/s, otherwise ${count(outside)}/s ` +
      `(${percent(inside / outside)} of it)`,
  ];
}

/** @param {Data} data @param {Ink} ink */
function stalls({ stalls: all, stalledSeconds, stalledInCheckpointSeconds }, ink) {
  if (all === null) return 'stalls: too little work, or too few samples, to tell';
  if (all.length === 0) return 'stalls: none';
  const longest = Math.max(...all.map(({ seconds }) => seconds));
  return ink(
    `stalls: ${all.length}, together ${duration(Number(stalledSeconds) * 1000)}, the longest ` +
      `${duration(longest * 1000)}; in checkpoints: ` +
      `${duration(Number(stalledInCheckpointSeconds) * 1000)}`,
    'bad',
  );
}

module.exports = { renderCheckpoints };
