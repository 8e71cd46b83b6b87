'use strict';

const { inspect } = require('node:util');
const { STYLES } = require('../text/report');

/**
 * @import { Ink } from '../text/report'
 */

/**
 * Colours for what is drawn on a terminal: the palette of util.inspect, as everything else that
 * tune prints has it.
 * @param {Partial<Pick<NodeJS.WriteStream, 'hasColors'>>} stream `hasColors` knows NO_COLOR and
 *   TERM
 * @returns {Ink}
 */
function inkOn(stream) {
  if (!stream.hasColors?.()) return (text) => text;
  return (text, tone) => {
    const [on, off] = tone === 'strong' ? (inspect.colors.bold ?? [1, 22]) : colourOf(STYLES[tone]);
    return `\x1b[${on}m${text}\x1b[${off}m`;
  };
}

/** @param {string} style of util.inspect @returns {readonly [number, number]} */
const colourOf = (style) =>
  /** @type {any} */ (inspect.colors)[/** @type {any} */ (inspect.styles)[style]] ?? [0, 0];

module.exports = { inkOn };
