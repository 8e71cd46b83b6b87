'use strict';

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

module.exports = { gauge, WIDTH };
