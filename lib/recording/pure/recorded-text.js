'use strict';

const { callText, quoted } = require('../../base/pure/printable');
const { UNKNOWN, bytes, figure, sampledFor, timeText, many } = require('../../base/pure/units');
const { renderAdvice } = require('../../diagnose/advice-text');
const { renderChart } = require('../../text/chart');
const {
  callLines,
  firstLine,
  headed,
  noteLines,
  part,
  SCREEN_LINES,
} = require('../../text/layout');
const { wrap } = require('../../text/wrap');
const { seriesName, showSeries } = require('../../text/series-units');
const { table } = require('../../text/table');

/**
 * @import { ChartData } from '../../text/types'
 * @import { Ink } from '../../base/types'
 * @import { Pair, Row } from '../../series/plot'
 */

/** The series that say most; tune.report() draws all. */
const ROWS = Object.freeze([
  'readsPerSec',
  'writesPerSec',
  'readLatencyMs',
  'writeLatencyMs',
  'readingThreads',
  'waitingThreads',
  'usedRatio',
  'dirtyRatio',
]);

/**
 * @param {any} data of the advice, with `worst` and `others`
 * @param {ChartData | null} drawn all of it
 * @param {Ink} ink
 * @returns {string}
 */
function renderRecorded(data, drawn, ink) {
  if (data.window.from === null)
    return [
      ...part('BOTTLENECK', 'unknown', ink, 'faint'),
      ...wrap(data.because, '  '),
      ...noteLines(data.notes, ink),
    ].join('\n');
  // The chart takes the line of the reason, which .all() has.
  const advice = renderAdvice({ ...data, reason: null }, ink);
  return [
    advice,
    ...fittingChart(data, drawn, SCREEN_LINES - advice.split('\n').length, ink),
    ...(data.compared ? [renderCompared(data.compared, data.bottleneck, ink)] : []),
  ].join('\n');
}

/** Series that a full screen goes without, the first of them first. */
const SPARED = Object.freeze(['usedRatio', 'readsPerSec', 'readLatencyMs']);

/**
 * @param {any} data
 * @param {ChartData | null} drawn
 * @param {number} left lines of the screen
 * @param {Ink} ink
 */
function fittingChart(data, drawn, left, ink) {
  const chartOf = (/** @type {readonly string[]} */ spared) =>
    renderChart(drawn, ink, {
      rows: ROWS.filter((row) => !spared.includes(row)),
      judged: data.worst,
    });
  for (let spared = 0; spared < SPARED.length; spared += 1) {
    const chart = chartOf(SPARED.slice(0, spared));
    if (chart.length <= left) return chart;
  }
  return chartOf(SPARED);
}

/**
 * @param {{
 *   file: string, bytes: number, host: string | null, samples: number, seconds: number,
 *   ended: string, notes: string[]
 * }} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderRecord({ file, bytes: size, host, samples, seconds, ended, notes }, ink) {
  return [
    firstLine({ host }, `${many(samples, 'sample')} in ${sampledFor(seconds * 1000)}`, ink),
    ...part('WRITTEN', file, ink, 'strong'),
    ...part('', `${bytes(size)}${ended === 'complete' ? '' : `, ended early: ${ended}`}`, ink),
    ...callLines([['Diagnose', callText('replay', file)]], ink),
    ...noteLines(notes, ink),
  ].join('\n');
}

/**
 * @typedef {{
 *   files: string[], from: Date, to: Date, samples: number, bottleneck: string, because: string,
 *   rows: Row[]
 * }} Compared
 */

/**
 * Nearer to 1 than this the two are the same, for a person; what is measured in seconds of one
 * server is no more exact.
 */
const SAME = 0.05;
/** @param {number} ratio */
const isAsBefore = (ratio) => Math.abs(ratio - 1) < SAME;

/** @param {Compared} compared @param {string} bottleneck now @param {Ink} ink @returns {string} */
function renderCompared({ files, from, to, samples, bottleneck: old, rows }, bottleneck, ink) {
  return [
    ...part('COMPARED', `with ${files.join(', ')}`, ink),
    ...part('', `${many(samples, 'sample')}, ${timeText(from)} to ${timeText(to)} UTC`, ink),
    `${headed('BOTTLENECK', ink)}${ink(old, 'accent')} before, ${ink(bottleneck, 'accent')} now`,
    table(
      [
        { head: '' },
        { head: 'before', align: 'right' },
        { head: 'now', align: 'right' },
        { head: 'ratio', align: 'right' },
        { head: 'max before', align: 'right' },
        { head: 'max now', align: 'right' },
      ],
      rows.filter(isAnything).map((row) => cells(row, ink)),
      ink,
    ),
    ...callLines([['Page', pageCall(files)]], ink),
  ].join('\n');
}

/**
 * Makes the call for one page of both; several files need an answer first.
 * @param {readonly string[]} files
 */
const pageCall = (files) =>
  files.length === 1 ? `tune.report.compare(${quoted(files[0])}, tune.last)` : null;

/** Whether a row has anything: a value that was 0 and still is needs no line. @param {Row} row */
const isAnything = ({ max: { before, now } }) => Boolean(before) || Boolean(now);

/** @param {Row} row @param {Ink} ink @returns {string[]} */
function cells({ series, usual, max }, ink) {
  const show = (/** @type {number | null} */ value) =>
    value === null ? UNKNOWN : showSeries(series, value);
  return [
    `  ${seriesName(series)}`,
    show(usual.before),
    show(usual.now),
    ratio(usual, ink),
    show(max.before),
    show(max.now),
  ];
}

/** @param {Pair} pair @param {Ink} ink */
function ratio({ ratio: value }, ink) {
  if (value === null) return '';
  const text = `×${value < 10 ? figure(Number(value.toPrecision(2))) : Math.round(value)}`;
  return ink(text, isAsBefore(value) ? 'faint' : 'accent');
}

module.exports = { renderRecorded, renderRecord, renderCompared, isAsBefore };
