'use strict';

/**
 * @import { Ink } from '../base/types'
 */

/**
 * @typedef {{ head: string, align?: 'left' | 'right', width?: number }} Column `width`: wrap the
 *   text to it
 */

const NO_LINES = Object.freeze(
  Object.fromEntries(
    [
      'top',
      'top-mid',
      'top-left',
      'top-right',
      'bottom',
      'bottom-mid',
      'bottom-left',
      'bottom-right',
      'left',
      'left-mid',
      'mid',
      'mid-mid',
      'right',
      'right-mid',
    ].map((place) => [place, '']),
  ),
);

/**
 * A table without lines around its cells; the head is faint.
 * @param {readonly Column[]} columns @param {readonly (readonly string[])[]} rows @param {Ink} ink
 * @returns {string} no newline at the end
 */
function table(columns, rows, ink) {
  const Table = require('cli-table3');
  const drawn = new Table({
    chars: { ...NO_LINES, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: columns.map(({ align = 'left' }) => align),
    colWidths: columns.map(({ width = null }) => width),
    wordWrap: true,
    head: columns.map(({ head }) => ink(head, 'faint')),
  });
  drawn.push(...rows.map((row) => [...row]));
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

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
