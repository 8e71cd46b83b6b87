'use strict';

const { count } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { wrap } = require('../../text/wrap');

/**
 * @import { Ink } from '../../base/types'
 */

/**
 * @param {{ file: string | null, server: string, series: number, notes: readonly string[] }} data
 * @param {Ink} ink
 * @returns {string}
 */
const renderMetricsFile = ({ file, server, series, notes }, ink) =>
  [
    ...wrap(visible(file ?? ''), '').map((row) => ink(row, 'strong')),
    ...wrap(
      `${count(series)} series of ${server}, for the textfile collector of Prometheus' ` +
        'node_exporter.',
      '  ',
    ),
    ...notes.flatMap((note) => wrap(note, '      ', 'note: ')).map((line) => ink(line, 'faint')),
  ].join('\n');

module.exports = { renderMetricsFile };
