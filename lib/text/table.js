'use strict';

/**
 * @import { Ink } from '../base/types'
 */

/**
 * @typedef {{ head: string, align?: 'left' | 'right', width?: number }} Column `width`: wrap the
 *   text to it
 */

const GAP = '  ';

/**
 * A table without lines around its cells; the head is faint.
 * @param {readonly Column[]} columns @param {readonly (readonly string[])[]} rows @param {Ink} ink
 * @returns {string} no newline at the end
 */
function table(columns, rows, ink) {
  const heads = columns.map(({ head }) => ink(head, 'faint'));
  const cells = [heads, ...rows].map((row) =>
    columns.map(({ width }, i) => linesOf(row[i] ?? '', width)),
  );
  const widths = columns.map(
    ({ width = 0 }, i) => width || Math.max(...cells.flatMap((row) => row[i].map(columnsOf))),
  );
  return cells
    .flatMap((row) =>
      Array.from({ length: Math.max(...row.map((lines) => lines.length)) }, (_, line) =>
        row
          .map((lines, i) => padded(lines[line] ?? '', widths[i], columns[i].align))
          .join(GAP)
          .trimEnd(),
      ),
    )
    .join('\n');
}

/** @param {string} text @param {number} width @param {Column['align']} align */
function padded(text, width, align) {
  const blanks = ' '.repeat(Math.max(0, width - columnsOf(text)));
  return align === 'right' ? blanks + text : text + blanks;
}

/** A colour begins or ends. */
const COLOUR = /\p{Cc}\[[\d;]*m/gu;
/** Drawn over the character before, or not at all. */
const NO_WIDTH = /^[\p{M}\p{Cf}]$/u;
/** Drawn in two columns (Unicode Standard Annex 11, without what is ambiguous). */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;

/**
 * Counts the columns of a text in a terminal.
 * @param {string} text with or without colours
 * @returns {number}
 */
const columnsOf = (text) =>
  [...text.replace(COLOUR, '')]
    .filter((char) => !NO_WIDTH.test(char))
    .reduce((sum, char) => sum + (WIDE.test(char) ? 2 : 1), 0);

/**
 * The lines of a cell. A word that is longer than the column stays whole.
 * @param {string} text @param {number} [width] Infinity: it has the lines that it has
 * @returns {string[]}
 */
const linesOf = (text, width = Infinity) =>
  text.split('\n').flatMap((line) =>
    columnsOf(line) <= width
      ? [line]
      : line.split(' ').reduce((lines, word) => {
          const last = lines[lines.length - 1];
          if (last === undefined || columnsOf(`${last} ${word}`) > width) return [...lines, word];
          return [...lines.slice(0, -1), `${last} ${word}`];
        }, /** @type {string[]} */ ([])),
  );

/**
 * A table whose rows have names of any length: each is on a line of its own above its figures, whole,
 * so that it can be copied.
 * @param {readonly Column[]} columns none of which wraps
 * @param {readonly { title: string, cells: readonly string[] }[]} rows
 * @param {Ink} ink
 * @returns {string[]}
 */
function titledTable(columns, rows, ink) {
  const [head, ...lines] = table(
    columns,
    rows.map(({ cells }) => cells),
    ink,
  ).split('\n');
  return [head, ...rows.flatMap(({ title }, i) => [title, lines[i]])];
}

module.exports = { table, titledTable };
