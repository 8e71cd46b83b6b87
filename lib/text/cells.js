'use strict';

/**
 * Time in a few characters: what falls into each of them.
 * @typedef {{ fromMs: number, toMs: number, value: number | null }} Piece a value and the time that
 *   it is of; null: not known
 * @typedef {{ fromMs: number, toMs: number, width: number }} Axis
 * @typedef {{ min: (number | undefined)[], max: (number | undefined)[] }} Cells undefined:
 *   nothing is known there
 */

/**
 * @param {Axis} axis
 * @param {number} ms
 * @returns {number} the cell; a clock that was set back may lead out of the line
 */
const cellAt = ({ fromMs, toMs, width }, ms) =>
  Math.max(
    0,
    Math.min(width - 1, Math.floor(((ms - fromMs) / Math.max(1, toMs - fromMs)) * width)),
  );

/**
 * The least and the most of each cell, so that a peak of a second is still there in a day.
 * @param {readonly Piece[]} pieces in the order of time
 * @param {Axis} axis
 * @returns {Cells}
 */
function cellsOf(pieces, axis) {
  /** @type {Cells} */
  const cells = { min: Array(axis.width).fill(undefined), max: Array(axis.width).fill(undefined) };
  for (const { fromMs, toMs, value } of pieces) {
    if (value !== null) spread(cells, value, cellAt(axis, fromMs), cellAt(axis, toMs));
  }
  return cells;
}

/**
 * A value is in the cell in which its time ends, and in those before that nothing else fills.
 * @param {Cells} cells changed
 * @param {number} value
 * @param {number} first
 * @param {number} last
 */
function spread({ min, max }, value, first, last) {
  for (let i = Math.min(first, last); i <= last; i++) {
    if (i < last && max[i] !== undefined) continue;
    min[i] = Math.min(min[i] ?? value, value);
    max[i] = Math.max(max[i] ?? value, value);
  }
}

/**
 * @param {readonly number[]} at ms, where each value ends
 * @param {readonly (number | null)[]} values
 * @returns {Piece[]} each since the one before, where that is known
 */
const piecesOf = (at, values) =>
  values.map((value, i) => ({
    fromMs: i > 0 && values[i - 1] !== null ? at[i - 1] : at[i],
    toMs: at[i],
    value,
  }));

/**
 * A row of marks where something was.
 * @param {readonly { fromMs: number, toMs: number, mark: string }[]} spans each of one character
 * @param {Axis} axis
 * @returns {string} without blanks at its end
 */
function marksOf(spans, axis) {
  const row = Array(axis.width).fill(' ');
  for (const { fromMs, toMs, mark } of spans)
    row.fill(mark, cellAt(axis, fromMs), cellAt(axis, toMs) + 1);
  return row.join('').trimEnd();
}

module.exports = { cellsOf, piecesOf, marksOf };
