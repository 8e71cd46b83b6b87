'use strict';

const BARS = '▁▂▃▄▅▆▇█';
const NOTHING = ' ';

/**
 * A row of small bars from zero to the greatest value, the last `width` values.
 * @param {readonly (number | undefined)[]} values @param {{ width: number, top?: number }} options
 *   `top`: value of a full bar; without it, the greatest value
 * @returns {string} exactly `width` characters, the newest at the right
 */
function spark(values, { width, top }) {
  const shown = values.slice(-width);
  const highest =
    top ?? shown.reduce((/** @type {number} */ best, value) => Math.max(best, value ?? 0), 0);
  return shown
    .map((value) => bar(value, highest))
    .join('')
    .padStart(width, NOTHING);
}

/** Draws one bar. @param {number | undefined} value @param {number} highest */
function bar(value, highest) {
  if (value === undefined) return NOTHING;
  if (highest <= 0) return BARS[0];
  return BARS[
    Math.max(0, Math.min(BARS.length - 1, Math.round((value / highest) * (BARS.length - 1))))
  ];
}

const WIDTH = 24;
const FULL = '█';
const EMPTY = '░';
const MARK = '│';

/**
 * A bar from 0 to `top` with marks where the thresholds are.
 * @param {number | null} ratio 0 to 1, or unknown
 * @param {{ marks?: readonly (number | null | undefined)[], top?: number, width?: number }}
 *   [options] `marks` and `top` are ratios too
 * @returns {string} always of that width
 */
function gauge(ratio, { marks = [], top = 1, width = WIDTH } = {}) {
  if (ratio === null) return '?'.padEnd(width);
  const filled = Math.round(Math.min(Math.max(ratio / top, 0), 1) * width);
  const cells = [...FULL.repeat(filled), ...EMPTY.repeat(width - filled)];
  for (const mark of marks) {
    if (mark !== null && mark !== undefined && mark <= top)
      cells[Math.min(width - 1, Math.floor((mark / top) * width))] = MARK;
  }
  return cells.join('');
}

module.exports = { spark, gauge, WIDTH };
