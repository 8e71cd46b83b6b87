'use strict';

/** Control sequences: ECMA-48, and private modes of xterm that all current terminals have. */
const ESC = '\x1b[';
/** Enters the alternate screen, so that the text before comes back at the end; hides the cursor. */
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
 *   `forget`: the terminal no longer shows the last frame
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
