'use strict';

const { CHARTS } = require('./charts');
const { line, span } = require('./line');
const { LABEL } = require('./parts');

/**
 * @import { ChartName } from './charts'
 * @import { TimeSeries } from './line'
 */

const KEYS = Object.freeze(
  /** @type {[string, string][]} */ ([
    ['q', 'ends it; Ctrl-C ends the whole line'],
    ['space p', 'holds the picture; looking goes on'],
    ['tab ← →', 'next area, the one before; 1 to 6: that one'],
    ['m n', 'the next member of the replica set'],
    ['? h', 'this page'],
  ]),
);

/**
 * @param {readonly ChartName[]} charts of the area
 * @param {number} columns
 * @returns {TimeSeries[]} the most important first
 */
const helpLines = (charts, columns) => [
  line(),
  ...KEYS.map(([keys, what]) => line(span(keys.padEnd(LABEL), 'strong'), ` ${what}`)),
  line(),
  line(span('│'.padEnd(LABEL), 'strong'), ' target, trigger; ! near the trigger, !! above it'),
  ...charts.map((name) =>
    line(span(CHARTS[name].label.padEnd(LABEL), 'strong'), ` ${CHARTS[name].help}`),
  ),
  line(),
  line(
    span(
      columns < 80
        ? 'Times in UTC. tune.advise() tells more.'
        : 'Times in UTC. The bottleneck is that of the last minute; tune.advise() tells more.',
      'faint',
    ),
  ),
];

module.exports = { helpLines };
