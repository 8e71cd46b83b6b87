'use strict';

const { visible } = require('../../../base/pure/printable');

/**
 * @import { Ink, Tone } from '../../../base/types'
 */

/** Control sequences of ECMA-48, and private modes of xterm that all current terminals have. */
const ESC = '\x1b[';
/** Enters the alternate screen, so that the earlier text returns at the end; hides the cursor. */
const ENTER = `${ESC}?1049h${ESC}?25l`;
const LEAVE = `${ESC}0m${ESC}?25h${ESC}?1049l`;
const CLEAR = `${ESC}2J`;
const CLEAR_REST = `${ESC}K`;

/**
 * Makes frames: each is one string that changes only the lines that differ from the frame before.
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

/**
 * A line of the live screen: pieces of text with their tones, so that its width is known before it
 * is coloured.
 * @typedef {{ text: string, tone?: Tone }} Span
 * @typedef {readonly Span[]} Line
 */

/** Characters with two columns or none (East Asian Width, marks) would shift the rest of a line. */
const NOT_ONE_COLUMN =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u200b-\u200d\p{M}]|[\u{10000}-\u{10ffff}]/gu;
const CUT = '…';

/**
 * Makes a text of a server safe to draw: each character takes one column.
 * @param {string} text
 */
const shown = (text) => visible(text).replace(NOT_ONE_COLUMN, '?');

/** @param {string} text @param {Tone} [tone] @returns {Span} */
const span = (text, tone) => ({ text, tone });

/** @param {...(string | Span)} parts @returns {Line} */
const line = (...parts) => parts.map((part) => (typeof part === 'string' ? { text: part } : part));

/** @param {Line} spans @returns {number} columns */
const widthOf = (spans) => spans.reduce((total, { text }) => total + text.length, 0);

/**
 * Cuts a text to a width, and marks the cut.
 * @param {string} text
 * @param {number} width
 * @returns {string}
 */
function cut(text, width) {
  if (text.length <= width) return text;
  return width <= 0 ? '' : text.slice(0, width - 1) + CUT;
}

/** @param {Line} spans @param {number} width @returns {Line} no wider than that */
function fit(spans, width) {
  let left = width;
  return spans.flatMap(({ text, tone }) => {
    const part = cut(text, left);
    left -= part.length;
    return part === '' ? [] : [{ text: part, tone }];
  });
}

/**
 * Makes a line with a text at its right end; drops that text where both do not fit.
 * @param {Line} left
 * @param {Line} right
 * @param {number} width
 * @returns {Line}
 */
function apart(left, right, width) {
  const room = width - widthOf(left) - widthOf(right);
  return room < 1 ? fit(left, width) : [...left, span(' '.repeat(room)), ...right];
}

/**
 * Wraps words to lines of that width.
 * @param {string} text
 * @param {number} width
 * @param {number} max the maximum number of lines; the last one is cut
 * @returns {string[]}
 */
function wrapTo(text, width, max) {
  const lines = [''];
  for (const word of shown(text).split(' ')) {
    const last = lines[lines.length - 1];
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width || lines.length === max)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => cut(line, width));
}

/**
 * Paints a line for the terminal, without blanks at its end; `width`: the columns that remain.
 * @param {Line} spans
 * @param {Ink} ink
 * @returns {{ text: string, width: number }}
 */
const paint = (spans, ink) => ({
  text: spans
    .map(({ text, tone }) => (tone === undefined ? text : ink(text, tone)))
    .join('')
    .trimEnd(),
  width: spans
    .map(({ text }) => text)
    .join('')
    .trimEnd().length,
});

module.exports = {
  shown,
  span,
  line,
  widthOf,
  fit,
  apart,
  wrapTo,
  cut,
  paint,
  makeFrames,
  ENTER,
  LEAVE,
};
