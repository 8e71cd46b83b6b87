'use strict';

const { UNKNOWN, bytes, count, duration, figure } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { renderAdvice } = require('../../diagnose/advice-text');
const { renderChart } = require('../../text/chart');
const { wrap } = require('../../text/wrap');
const { showSeries } = require('../../text/series-units');
const { table } = require('../../text/table');

/**
 * @import { ChartData } from '../../text/types'
 * @import { Ink } from '../../base/types'
 * @import { Pair, Row } from '../../series/plot'
 */

/**
 * @param {any} data of the advice, with `worst` and `others`
 * @param {ChartData | null} drawn all of it
 * @param {Ink} ink
 * @returns {string}
 */
function renderRecorded(data, drawn, ink) {
  if (data.window.from === null)
    return [
      `BOTTLENECK   ${ink('unknown', 'faint')}`,
      ...wrap(data.because, '  '),
      ...notes(data.notes, ink),
    ].join('\n');
  return [
    renderAdvice(data, ink),
    '',
    ...renderChart(drawn, ink, { judged: data.worst }),
    ...(data.compared ? ['', renderCompared(data.compared, data.bottleneck, ink)] : []),
  ].join('\n');
}

/** @param {readonly string[]} list @param {Ink} ink */
const notes = (list, ink) =>
  list.flatMap((note) => wrap(note, '      ', 'note: ')).map((row) => ink(row, 'faint'));

/**
 * @param {{
 *   file: string, bytes: number, host: string | null, samples: number, seconds: number,
 *   ended: string, notes: string[]
 * }} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderRecord({ file, bytes: size, host, samples, seconds, ended, notes: list }, ink) {
  return [
    ...wrap(file, '').map((row) => ink(row, 'strong')),
    ...wrap(
      `${count(samples)} ${samples === 1 ? 'sample' : 'samples'} at ${host ?? UNKNOWN} in ` +
        `${duration(seconds * 1000)}, ` +
        `${bytes(size)}${ended === 'complete' ? '' : ` (${ended})`}`,
      '  ',
    ),
    `  ${ink(`tune.replay(${visible(JSON.stringify(file))})`, 'strong')} gives the advice, ` +
      'here or anywhere.',
    ...notes(list, ink),
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

/** @param {Compared} compared @param {string} bottleneck now @param {Ink} ink @returns {string} */
function renderCompared({ files, from, to, samples, bottleneck: old, rows }, bottleneck, ink) {
  return [
    ...wrap(
      `compared with ${files.join(', ')} (${samples} samples, ${time(from)} to ${time(to)} UTC)`,
      '  ',
      '',
    ),
    `  bottleneck: then ${ink(old, 'accent')}, now ${ink(bottleneck, 'accent')}`,
    table(
      [
        { head: '' },
        { head: 'then', align: 'right' },
        { head: 'now', align: 'right' },
        { head: '×', align: 'right' },
        { head: 'most then', align: 'right' },
        { head: 'most now', align: 'right' },
      ],
      rows.filter(isAnything).map((row) => cells(row, ink)),
      ink,
    ),
  ].join('\n');
}

/** What was nothing and still is needs no line. @param {Row} row */
const isAnything = ({ max: { before, now } }) => Boolean(before) || Boolean(now);

/** @param {Row} row @param {Ink} ink @returns {string[]} */
function cells({ series, usual, max }, ink) {
  const show = (/** @type {number | null} */ value) =>
    value === null ? UNKNOWN : showSeries(series, value);
  return [
    series,
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
  const text = value < 10 ? figure(Number(value.toPrecision(2))) : String(Math.round(value));
  return ink(text, Math.abs(value - 1) < SAME ? 'faint' : 'accent');
}

/** @param {Date} date */
const time = (date) => date.toISOString().slice(0, 19).replace('T', ' ');

module.exports = { renderRecorded, renderRecord, renderCompared };
