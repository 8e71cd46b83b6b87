'use strict';

/**
 * @import { Plot, Series } from './plot'
 */

/**
 * Two recordings side by side, by what is usual in each: the middle of all their points, which a
 * stall or a start does not move, and the most there was.
 *
 * @typedef {{ before: number | null, now: number | null, ratio: number | null }} Pair `ratio`: now
 *   ÷ before; null where that is not known, or nothing
 * @typedef {{ series: Series, usual: Pair, max: Pair }} Row
 */

/**
 * @param {Plot} before
 * @param {Plot} now
 * @returns {Row[]} of each series that either of them knows
 */
function comparePlots(before, now) {
  const names = /** @type {Series[]} */ (Object.keys(now.series));
  return names.flatMap((series) => {
    const [old, young] = [before, now].map((plot) => known(plot.series[series]));
    return old.length + young.length === 0
      ? []
      : [{ series, usual: pairOf(middle(old), middle(young)), max: pairOf(max(old), max(young)) }];
  });
}

/** @param {readonly (number | null)[]} values @returns {number[]} */
const known = (values) => values.filter((value) => value !== null);

/** @param {number[]} values @returns {number | null} */
const middle = (values) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null;

/** @param {number[]} values @returns {number | null} */
const max = (values) => (values.length === 0 ? null : values.reduce((a, b) => Math.max(a, b)));

/** @param {number | null} before @param {number | null} now @returns {Pair} */
const pairOf = (before, now) => ({
  before,
  now,
  ratio: before === null || now === null || before === 0 ? null : now / before,
});

module.exports = { comparePlots };
