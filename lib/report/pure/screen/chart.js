'use strict';

const EIGHTHS = ' ▁▂▃▄▅▆▇█';
const STEPS = EIGHTHS.length - 1;

/**
 * Bars from zero to `top`, the newest at the right; a sparkline where it has one row.
 * @param {readonly (number | undefined)[]} values undefined: not known, an empty column
 * @param {{ width: number, rows?: number, top?: number, min?: number }} options
 *   `top`: value of a full bar, when the scale is not to follow the values; `min`: a full bar is
 *   never less, so that next to nothing looks like it
 * @returns {string[]} `rows` lines of exactly `width` columns, the upper one first
 */
function chart(values, { width, rows = 1, top, min = 0 }) {
  const kept = values.slice(-width);
  const highest =
    top ?? kept.reduce((/** @type {number} */ best, value) => Math.max(best, value ?? 0), min);
  // An eighth stays free at the top, so that charts one below the other do not run together.
  const heights = kept.map((value) => heightOf(value, highest, rows * STEPS - 1));
  return Array.from({ length: rows }, (_, i) => {
    const below = (rows - 1 - i) * STEPS;
    return heights
      .map((height) => EIGHTHS[Math.max(0, Math.min(STEPS, height - below))])
      .join('')
      .padStart(width);
  });
}

/**
 * In eighths of a row; what is known and zero has its line at the bottom, to be told from what is
 * not known.
 * @param {number | undefined} value
 * @param {number} highest
 * @param {number} full
 */
function heightOf(value, highest, full) {
  if (value === undefined) return 0;
  return highest <= 0 ? 1 : Math.max(1, Math.min(full, Math.round((value / highest) * full)));
}

module.exports = { chart };
