'use strict';

/**
 * @import { ChartData } from '../../../series/chart-data'
 */

/**
 * Lines as text of bounded length: three characters a value tell it to a 262,000th of the range
 * that its track has, which is finer than any screen. The page has the other half of this
 * (page/decode.js).
 */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Code 0 is "not known". */
const STEPS = DIGITS.length ** 3 - 2;

/** @param {ChartData} drawn @returns {object} plain JSON */
function encode({ at, series, levels, checkpoints, stalls, breaks, blocks }) {
  const fromMs = at[0] ?? 0;
  return {
    fromMs,
    steps: at.map((ms, i) => Math.round(ms) - Math.round(i === 0 ? fromMs : at[i - 1])),
    series: Object.fromEntries(
      Object.entries(series).map(([name, values]) => [name, encodeSeries(values)]),
    ),
    levels,
    checkpoints: spans(checkpoints),
    stalls: spans(stalls),
    breaks: spans(breaks),
    blocks: blocks.map((block) => [...spans([block])[0], block.setting]),
  };
}

/** @param {readonly { fromMs: number, toMs: number }[] | null} list @returns {number[][]} */
const spans = (list) =>
  (list ?? []).map(({ fromMs, toMs }) => [Math.round(fromMs), Math.round(toMs)]);

/**
 * @param {readonly (number | null)[]} values one of them known
 * @returns {[number, number, string]} least, most, and where between them each is
 */
function encodeSeries(values) {
  const known = values.filter((value) => value !== null);
  const min = known.reduce((a, b) => Math.min(a, b));
  const max = known.reduce((a, b) => Math.max(a, b));
  const span = max - min || 1;
  return [
    min,
    max,
    values
      .map((value) => digits(value === null ? 0 : 1 + Math.round(((value - min) / span) * STEPS)))
      .join(''),
  ];
}

/** @param {number} code */
const digits = (code) => DIGITS[code >> 12] + DIGITS[(code >> 6) & 63] + DIGITS[code & 63];

module.exports = { encode };
