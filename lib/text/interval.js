'use strict';

/**
 * @import { Ink } from '../base/types'
 */

const COLUMNS = 49;
/** The line reaches from 1 / this to this, at least. */
const MIN_FACTOR = 1.25;
/** The line reaches no further: a reader cannot read larger factors from it. */
const MAX_FACTOR = 16;
const INDENT = '  ';

/** Ratios beyond these are shown as a bound: two pairs of blocks leave wide intervals. */
const SHOWN = Object.freeze({ min: 0.01, max: 1000 });

/** @param {number} ratio @returns {string} `×1.84` */
function showRatio(ratio) {
  if (ratio < SHOWN.min) return `<×${SHOWN.min}`;
  return ratio >= SHOWN.max
    ? `>×${SHOWN.max}`
    : `×${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio)}`;
}

/**
 * Draws a ratio with its confidence interval on a logarithmic line around 1.
 * @param {string} name of what is compared
 * @param {{ ratio: number, low: number, high: number }} effect
 * @param {Ink} ink
 * @returns {string[]} the line and its scale
 */
function interval(name, { ratio, low, high }, ink) {
  const furthest = Math.max(
    ...[ratio, low, high].map((value) => Math.abs(Math.log(value))),
    Math.log(MIN_FACTOR),
  );
  const reach = Math.min(furthest * 1.1, Math.log(MAX_FACTOR));
  const column = (/** @type {number} */ value) =>
    Math.round(
      ((Math.max(-reach, Math.min(reach, Math.log(value))) / reach + 1) / 2) * (COLUMNS - 1),
    );
  const [from, to, middle, one] = [column(low), column(high), column(ratio), column(1)];
  const cells = Array.from({ length: COLUMNS }, (_, i) => cellAt(i, { from, to, middle, one }));
  const drawn = cells
    .map((cell, i) => ink(cell, i >= from && i <= to ? 'strong' : 'faint'))
    .join('');
  const label = `${INDENT}${name}, B ÷ A  `;
  return [
    `${label}${drawn}`,
    `${' '.repeat(label.length)}${ends(Math.exp(-reach), Math.exp(reach), one)}`,
  ];
}

/**
 * The character of a column: the ratio, its interval, or 1.
 * @param {number} i
 * @param {{ from: number, to: number, middle: number, one: number }} columns
 */
function cellAt(i, { from, to, middle, one }) {
  if (i === middle) return '●';
  if (i === from) return '├';
  if (i === to) return '┤';
  if (i > from && i < to) return '─';
  return i === one ? '│' : '·';
}

/** The scale below. @param {number} min @param {number} max @param {number} one column of 1 */
function ends(min, max, one) {
  const [left, middle, right] = [showRatio(min), '×1', showRatio(max)];
  return `${left.padEnd(one)}${middle}`.padEnd(COLUMNS - right.length) + right;
}

/** lib/sizing/cache-effect.js estimates no more than this: as an upper bound it means no bound. */
const MAX_ESTIMATE = 10;

/**
 * Says what is expected of a change, always as a range: `×0.95 to ×2.10`. The best guess is in the
 * data: on a screen, people would read a figure before the range as a promise.
 * @param {{ low: number, high: number }} expected
 */
const expectedWords = ({ low, high }) =>
  `${showRatio(low)} ${high === MAX_ESTIMATE ? 'or more' : `to ${showRatio(high)}`}`;

/**
 * Says what was measured: `×1.29 (×1.22 to ×1.37)`.
 * @param {{ ratio: number, low: number, high: number }} effect
 */
const measuredWords = ({ ratio, low, high }) =>
  `${showRatio(ratio)} (${showRatio(low)} to ${showRatio(high)})`;

/**
 * Says what is expected of a change, for a person who decides on it.
 * @param {{ low: number, high: number }} expected
 */
const expectedText = (expected) =>
  `throughput ${expectedWords(expected)}, estimated${expected.low < 1 ? '; below ×1 is slower' : ''}`;

module.exports = { interval, showRatio, expectedWords, measuredWords, expectedText, MAX_ESTIMATE };
