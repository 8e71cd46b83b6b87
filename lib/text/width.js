'use strict';

/** Columns that every screen has, and those beyond which a line is hard to read. */
const MIN = 80;
const MAX = 120;

/** Asked at every print: a window can be resized. */
let columns = () => MIN;

/** @returns {number} columns that a text may fill */
const screenWidth = () => Math.max(MIN, Math.min(MAX, columns()));

/**
 * What reports the columns of the terminal, from then on.
 * @param {() => number} ask
 */
function useColumns(ask) {
  columns = ask;
}

/**
 * Draws for a screen of that width.
 * @template T
 * @param {number} width
 * @param {() => T} draw
 * @returns {T}
 */
function atWidth(width, draw) {
  const before = columns;
  columns = () => width;
  try {
    return draw();
  } finally {
    columns = before;
  }
}

module.exports = { screenWidth, useColumns, atWidth, MIN };
