'use strict';

const { toNumber } = require('../../base/pure/numbers');
const { MICROS_PER_MS } = require('../../base/pure/units');

/**
 * serverStatus with `opLatencies: { histograms: true }`: how many operations took how long since
 * the server's start. The server leaves out empty classes; each is named by its lower end, in
 * microseconds (operation_latency_histogram.cpp, 4.4 to 8.0).
 *
 * @typedef {Map<number, number>} Histogram lower end in microseconds → operations
 * @typedef {{ reads: Histogram | null, writes: Histogram | null }} Histograms null: the server does
 *   not tell
 */

/**
 * Classes double up to here; then each doubling is cut in two at its half; from the second limit on
 * they double again.
 */
const HALVED_FROM = 2048;
const HALVED_TO = 2 ** 21;
const FIRST_END = 2;

/** @param {any} status @returns {Histograms} */
const readHistograms = (status) => ({
  reads: readOne(status?.opLatencies?.reads),
  writes: readOne(status?.opLatencies?.writes),
});

/** @param {any} side @returns {Histogram | null} */
function readOne(side) {
  if (!Array.isArray(side?.histogram)) return null;
  return new Map(
    side.histogram.flatMap((/** @type {any} */ { micros, count }) => {
      const [from, number] = [toNumber(micros), toNumber(count)];
      return from === undefined || number === undefined ? [] : [[from, number]];
    }),
  );
}

/**
 * @param {Histogram | null} before
 * @param {Histogram | null} after
 * @returns {Histogram | null} the difference; null where it is not known, or the server was
 *   restarted
 */
function between(before, after) {
  if (before === null || after === null) return null;
  const grown = new Map(
    [...after].map(([micros, count]) => [micros, count - (before.get(micros) ?? 0)]),
  );
  return [...grown.values()].some((count) => count < 0) ? null : grown;
}

/**
 * Linear inside a class, whose bounds lie a factor of 1.33 to 2 apart: that is how exact it can be.
 * @param {Histogram | null} histogram
 * @param {number} share 0.5 for the median
 * @returns {number | null} ms; null where no operation is known
 */
function percentileMs(histogram, share) {
  const classes = [...(histogram ?? [])]
    .filter(([, count]) => count > 0)
    .toSorted(([a], [b]) => a - b);
  const wanted = classes.reduce((sum, [, count]) => sum + count, 0) * share;
  let below = 0;
  for (const [micros, count] of classes) {
    if (below + count >= wanted)
      return (micros + (upperEnd(micros) - micros) * ((wanted - below) / count)) / MICROS_PER_MS;
    below += count;
  }
  return null;
}

/**
 * @param {Histogram | null} histogram
 * @returns {number | null} upper end of the slowest class, ms; null where no operation is known
 */
function slowestMs(histogram) {
  const micros = [...(histogram ?? [])].filter(([, count]) => count > 0).map(([from]) => from);
  return micros.length === 0 ? null : upperEnd(Math.max(...micros)) / MICROS_PER_MS;
}

/** @param {number} micros lower end of a class @returns {number} */
function upperEnd(micros) {
  if (micros === 0) return FIRST_END;
  if (micros < HALVED_FROM || micros >= HALVED_TO) return micros * 2;
  return Number.isInteger(Math.log2(micros)) ? micros * 1.5 : (micros * 4) / 3;
}

module.exports = { readHistograms, between, percentileMs, slowestMs };
