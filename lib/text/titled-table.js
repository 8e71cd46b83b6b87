'use strict';

const { table } = require('./table');

/**
 * @import { Ink } from './report'
 * @import { Column } from './table'
 */

/**
 * A table whose rows have names of any length: each stands on a line of its own above its figures,
 * whole, so that it can be copied.
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

module.exports = { titledTable };
