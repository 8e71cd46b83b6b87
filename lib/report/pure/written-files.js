'use strict';

const { bytes, count, many } = require('../../base/pure/units');
const { part, firstLine, noteLines } = require('../../text/layout');

/**
 * @import { Ink } from '../../base/types'
 */

/** Prints what was written into a file. */

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

/**
 * @param {{ file: string, bytes: number, of: readonly string[], points: number, sampleCount: number }}
 *   data
 * @param {Ink} ink
 * @returns {string}
 */
function renderWritten({ file, bytes: size, of, sampleCount }, ink) {
  const charts = sampleCount > 0 ? `charts of ${count(sampleCount)} samples` : 'no charts';
  return [
    ...part('WRITTEN', file, ink, 'strong'),
    ...part('', `${bytes(size)}: ${contents(of).join(', ')}, ${charts}`, ink),
    ...part('OPEN', 'in any browser; it needs no network', ink),
  ].join('\n');
}

/**
 * Lists what the page contains; two answers of tune.advise() count as one entry.
 * @param {readonly string[]} kinds the kinds, as the answer names them
 * @returns {string[]}
 */
function contents(kinds) {
  const advices = kinds.filter((kind) => kind === ADVICE).length;
  const first = kinds.indexOf(ADVICE);
  return kinds.flatMap((kind, i) => {
    if (kind !== ADVICE) return [kind];
    return i === first
      ? [many(advices, 'answer of tune.advise()', 'answers of tune.advise()')]
      : [];
  });
}
const ADVICE = 'an advice';

module.exports = { renderWritten, renderMetricsFile };
