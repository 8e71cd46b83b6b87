'use strict';

const { UNKNOWN, figure, timeText } = require('../../base/pure/units');
const { showSeries } = require('../../text/series-units');
const { table } = require('../../text/table');
const { wrap } = require('../../text/wrap');

/**
 * @import { Pair, Row } from '../../series/plot'
 * @import { Ink } from '../../text/report'
 */

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
      `compared with ${files.join(', ')} (${samples} samples, ${timeText(from)} to ${timeText(to)} UTC)`,
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

module.exports = { renderCompared };
