'use strict';

const { bytes, count } = require('../../base/pure/units');
const { part } = require('../../text/layout');

/**
 * @import { Ink } from '../../base/types'
 */

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
    ...part('', `${bytes(size)}: ${of.join(', ')}, ${charts}`, ink),
    ...part('OPEN', 'in any browser; it needs no network', ink),
  ].join('\n');
}

module.exports = { renderWritten };
