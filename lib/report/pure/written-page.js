'use strict';

const { bytes, count } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { wrap } = require('../../text/wrap');

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
  return [
    ...wrap(visible(file), '').map((row) => ink(row, 'strong')),
    ...wrap(
      `${bytes(size)}: ` +
        `${of.join(', ')}${sampleCount > 0 ? `, charts of ${count(sampleCount)} samples` : ', no charts'}. ` +
        'Open it in a browser; it needs no network.',
      '  ',
    ),
  ].join('\n');
}

module.exports = { renderWritten };
