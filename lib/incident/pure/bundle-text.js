'use strict';

const { callText } = require('../../base/pure/literal');
const { bytes } = require('../../base/pure/units');
const { callLines, noteLines, part } = require('../../text/layout');

/** @import { Ink } from '../../base/types' */

/**
 * @param {{ file: string, bytes: number, holds: readonly string[], notes: readonly string[] }} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderBundle({ file, bytes: size, holds, notes }, ink) {
  return [
    ...part('WRITTEN', file, ink, 'strong'),
    ...part('', `${bytes(size)} of text: read it before you send it`, ink),
    ...holds.flatMap((sentence, i) => part(i === 0 ? 'HOLDS' : '', sentence, ink)),
    ...callLines([['Read', callText('incident', file)]], ink),
    ...noteLines(notes, ink),
  ].join('\n');
}

module.exports = { renderBundle };
