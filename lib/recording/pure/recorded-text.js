'use strict';

const { UNKNOWN, bytes, count, duration } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { renderAdvice } = require('../../diagnose/advice-text');
const { renderCompared } = require('./compared-text');
const { renderChart } = require('../../text/chart');
const { wrap } = require('../../text/wrap');

/**
 * @import { ChartData } from '../../series/chart-data'
 * @import { Ink } from '../../text/report'
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
      `bottleneck: ${ink('unknown', 'faint')}`,
      ...wrap(data.because, '  '),
      ...notes(data.notes, ink),
    ].join('\n');
  return [
    ...renderChart(drawn, ink, { judged: data.worst }),
    '',
    renderAdvice(data, ink),
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

module.exports = { renderRecorded, renderRecord };
