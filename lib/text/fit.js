'use strict';

const { SCREEN_LINES, restLines } = require('./layout');

/**
 * @import { Ink } from '../base/types'
 */

/** Two are shown on any screen. */
const MIN_BLOCKS = 2;

/**
 * Shows as many blocks of lines as fit on a screen beside its other lines, and names the others.
 * @param {readonly { name: string, lines: readonly string[] }[]} blocks the most important first
 * @param {number} others how many lines of the screen are taken
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

/**
 * Shares the lines of a screen between sections of rows: first one row of each, then a second one of
 * each, as long as they fit, in the order of the sections. A section with hidden rows needs a line that
 * counts them.
 * @param {readonly (readonly (readonly string[])[])[]} sections the lines of each row; the section
 *   that matters most first
 * @param {number} left lines for all of them; Infinity: everything is shown
 * @returns {number[]} how many rows of each are shown
 */
function fitSections(sections, left) {
  const shown = sections.map(() => 0);
  let spare = left - sections.reduce((sum, rows) => sum + linesOf(rows, 0), 0);
  const longest = Math.max(0, ...sections.map((rows) => rows.length));
  for (let round = 1; round <= longest; round += 1)
    for (const [i, rows] of sections.entries()) {
      // A row that did not fit is not passed over for the next one.
      if (shown[i] !== round - 1 || shown[i] === rows.length) continue;
      const lines = linesOf(rows, round) - linesOf(rows, shown[i]);
      if (lines > spare) continue;
      spare -= lines;
      shown[i] = round;
    }
  return shown;
}

/**
 * Lines of the first so many rows, and of the line that counts the others.
 * @param {readonly (readonly string[])[]} rows
 * @param {number} shown
 */
const linesOf = (rows, shown) => rows.slice(0, shown).flat().length + (shown < rows.length ? 1 : 0);

module.exports = { fitSections, fitBlocks };
