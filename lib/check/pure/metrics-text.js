'use strict';

const { count } = require('../../base/pure/units');
const { firstLine, noteLines, part } = require('../../text/layout');

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
    firstLine({ host: server }, `${count(series)} series in Prometheus text format`, ink),
    ...part('WRITTEN', file ?? '', ink, 'strong'),
    ...part('NEXT', "the textfile collector of Prometheus' node_exporter reads it", ink),
    ...noteLines(notes, ink),
  ].join('\n');

module.exports = { renderMetricsFile };
