'use strict';

/**
 * @import { Counter } from '../server/pure/counters'
 * @import { Sample } from '../server/pure/sample'
 */

/**
 * Samples of a recording, column by column: a day has 86,400 of them, and an object for each would
 * cost more than all the rest. A value that is not there is NaN, a column that is not there is
 * absent.
 *
 * @typedef {{
 *   length: number, atMs: Float64Array, uptimeMs: Float64Array,
 *   columns: { [name in Counter]?: Float64Array }
 * }} Stretch
 *   `uptimeMs`: NaN where the server does not tell it
 */

/** @param {Stretch} block @param {number} i @returns {Sample} */
function sampleAt({ atMs, uptimeMs, columns }, i) {
  const counters = /** @type {Record<string, number>} */ ({});
  for (const name in columns) {
    const value = /** @type {Record<string, Float64Array>} */ (columns)[name][i];
    if (!Number.isNaN(value)) counters[name] = value;
  }
  return { atMs: atMs[i], uptimeMs: Number.isNaN(uptimeMs[i]) ? null : uptimeMs[i], counters };
}

/** @param {readonly Sample[]} samples @returns {Stretch} */
function blockOf(samples) {
  const names = /** @type {Counter[]} */ ([
    ...new Set(samples.flatMap(({ counters }) => Object.keys(counters))),
  ]);
  return {
    length: samples.length,
    atMs: Float64Array.from(samples, ({ atMs }) => atMs),
    uptimeMs: Float64Array.from(samples, ({ uptimeMs }) => uptimeMs ?? NaN),
    columns: Object.fromEntries(
      names.map((name) => [
        name,
        Float64Array.from(samples, ({ counters }) => counters[name] ?? NaN),
      ]),
    ),
  };
}

/**
 * @param {Stretch} block
 * @param {number} from
 * @param {number} to
 * @returns {Stretch} a view of samples from … to - 1
 */
function sliceOf(block, from, to) {
  if (from === 0 && to === block.length) return block;
  const cut = (/** @type {Float64Array} */ column) => column.subarray(from, to);
  return {
    length: Math.max(0, to - from),
    atMs: cut(block.atMs),
    uptimeMs: cut(block.uptimeMs),
    columns: Object.fromEntries(
      Object.entries(block.columns).map(([name, column]) => [
        name,
        cut(/** @type {Float64Array} */ (column)),
      ]),
    ),
  };
}

module.exports = { sampleAt, blockOf, sliceOf };
