'use strict';

const WIDTH = 24;
const FULL = '█';
const EMPTY = '░';
const MARK = '│';

/**
 * A bar from 0 to `top` with marks where the thresholds are.
 * @param {number | null} ratio 0 to 1, or unknown
 * @param {{ marks?: readonly (number | null | undefined)[], top?: number }} [options] `marks` and `top` are ratios too
 * @returns {string} always of the same width
 */
function gauge(ratio, { marks = [], top = 1 } = {}) {
  if (ratio === null) return '?'.padEnd(WIDTH);
  const filled = Math.round(Math.min(ratio / top, 1) * WIDTH);
  const cells = [...FULL.repeat(filled), ...EMPTY.repeat(WIDTH - filled)];
  for (const mark of marks) {
    if (mark !== null && mark !== undefined && mark <= top) cells[Math.min(WIDTH - 1, Math.floor((mark / top) * WIDTH))] = MARK;
  }
  return cells.join('');
}

module.exports = { gauge, WIDTH };
