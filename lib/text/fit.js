'use strict';

/**
 * Shares the lines of a screen between sections of rows: first a row for each, then as many as fit, in
 * the order of the sections. A section with hidden rows needs a line that says how many those are.
 * @param {readonly (readonly (readonly string[])[])[]} sections the lines of each row; the section
 *   that matters most first
 * @param {number} left lines for all of them; Infinity: everything is shown
 * @returns {number[]} how many rows of each are shown
 */
function fitSections(sections, left) {
  const shown = sections.map(() => 0);
  let spare = left - sections.reduce((sum, rows) => sum + linesOf(rows, 0), 0);
  for (const most of [1, Infinity])
    for (const [i, rows] of sections.entries()) {
      const moreLines = (/** @type {number} */ n) => linesOf(rows, n) - linesOf(rows, shown[i]);
      let n = Math.min(most, rows.length);
      while (n > shown[i] && moreLines(n) > spare) n -= 1;
      if (n <= shown[i]) continue;
      spare -= moreLines(n);
      shown[i] = n;
    }
  return shown;
}

/**
 * Lines of the first so many rows, and of the line that counts the others.
 * @param {readonly (readonly string[])[]} rows
 * @param {number} shown
 */
const linesOf = (rows, shown) => rows.slice(0, shown).flat().length + (shown < rows.length ? 1 : 0);

module.exports = { fitSections };
