'use strict';

const { SCREEN_LINES, restLines } = require('./layout');

/** @import { Ink } from '../base/types' */

/** Two are shown on any screen. */
const MIN_BLOCKS = 2;

/**
 * As many blocks of lines as fit on a screen beside its other lines; those that do not are named.
 * @param {readonly { name: string, lines: readonly string[] }[]} blocks the most important first
 * @param {number} others lines of the screen that are taken
 * @param {Ink} ink
 * @returns {string[]}
 */
function fitBlocks(blocks, others, ink) {
  let shown = blocks.length;
  const taken = () => blocks.slice(0, shown).reduce((sum, { lines }) => sum + lines.length, 0);
  while (shown > MIN_BLOCKS && others + taken() + (shown < blocks.length ? 1 : 0) > SCREEN_LINES)
    shown -= 1;
  const rest = blocks.slice(shown).map(({ name }) => name);
  return [...blocks.slice(0, shown).flatMap(({ lines }) => lines), ...restLines(rest, ink)];
}

module.exports = { fitBlocks };
