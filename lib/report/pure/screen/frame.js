'use strict';

/**
 * Control sequences of a screen of its own: ECMA-48, and the private modes of xterm that every
 * terminal of today has.
 */
const ESC = '\x1b[';
/**
 * The alternate screen, so that what was there comes back and nothing is scrolled away; no cursor
 * while it is drawn.
 */
const ENTER = `${ESC}?1049h${ESC}?25l`;
const LEAVE = `${ESC}0m${ESC}?25h${ESC}?1049l`;
const CLEAR = `${ESC}2J`;
const CLEAR_REST = `${ESC}K`;

/**
 * Makes one string a frame that changes only the lines that differ from the frame before.
 * @returns {{
 *   next(lines: readonly { text: string, width: number }[], columns: number): string,
 *   forget(): void
 * }} `width`: without colours;
 *   `forget`: the terminal no longer shows what it was told
 */
function makeFrames() {
  /** @type {readonly string[] | null} */
  let before = null;
  return {
    forget: () => {
      before = null;
    },
    next(lines, columns) {
      const known = before;
      const rows = Math.max(lines.length, known?.length ?? 0);
      const changed = Array.from(
        { length: rows },
        (_, i) => lines[i] ?? { text: '', width: 0 },
      ).flatMap(({ text, width }, i) =>
        text === (known?.[i] ?? '')
          ? []
          : [`${ESC}${i + 1};1H${text}${width < columns ? CLEAR_REST : ''}`],
      );
      before = lines.map(({ text }) => text);
      return (known === null ? CLEAR : '') + changed.join('');
    },
  };
}

module.exports = { makeFrames, ENTER, LEAVE };
