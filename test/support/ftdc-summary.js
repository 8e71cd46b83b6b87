'use strict';

const { readEntries } = require('../../lib/recording/ftdc/entries');
const { ChunkDecoder, columnOf } = require('../../lib/recording/ftdc/chunk');
const { SEPARATOR } = require('../../lib/recording/ftdc/layout');

/**
 * All of a file of diagnostic data, boiled down to what can be compared with the reference
 * decodings.
 * @typedef {{ n: number, first: bigint, last: bigint, min: bigint, max: bigint, sum: bigint }}
 *   Summary `sum`: modulo 2^64
 */

/**
 * @param {string} file
 * @returns {Promise<{ chunks: number, samples: number, metrics: Map<string, Summary> }>}
 */
async function summarize(file) {
  const decoder = new ChunkDecoder();
  /** @type {Map<string, Summary>} */ const metrics = new Map();
  let [chunks, samples] = [0, 0];
  for await (const entry of readEntries(file)) {
    if (entry.kind !== 'chunk') continue;
    const chunk = decoder.decode(entry.data);
    chunks++;
    samples += chunk.samples;
    chunk.layout.paths.forEach((path, row) =>
      add(metrics, path.split(SEPARATOR).join('/'), chunk.exact.get(row) ?? columnOf(chunk, row)),
    );
  }
  return { chunks, samples, metrics };
}

/**
 * @param {Map<string, Summary>} metrics
 * @param {string} name
 * @param {Float64Array | BigInt64Array} column
 */
function add(metrics, name, column) {
  const part = column instanceof Float64Array ? ofNumbers(column) : ofLongs(column);
  const known = metrics.get(name);
  metrics.set(
    name,
    known === undefined
      ? part
      : {
          n: known.n + part.n,
          first: known.first,
          last: part.last,
          min: known.min < part.min ? known.min : part.min,
          max: known.max > part.max ? known.max : part.max,
          sum: BigInt.asUintN(64, known.sum + part.sum),
        },
  );
}

/** @param {BigInt64Array} column @returns {Summary} */
function ofLongs(column) {
  const list = Array.from(column);
  const sum = list.reduce((total, value) => total + value);
  return {
    n: list.length,
    first: list[0],
    last: list[list.length - 1],
    min: list.reduce((a, b) => (b < a ? b : a)),
    max: list.reduce((a, b) => (b > a ? b : a)),
    sum: BigInt.asUintN(64, sum),
  };
}

/** @param {Float64Array} column of whole numbers @returns {Summary} */
function ofNumbers(column) {
  let [min, max, whole, sum] = [column[0], column[0], 0n, 0];
  for (const value of column) {
    min = Math.min(min, value);
    max = Math.max(max, value);
    if (!Number.isSafeInteger(sum + value)) [whole, sum] = [whole + BigInt(sum), 0];
    sum += value;
  }
  return {
    n: column.length,
    first: BigInt(column[0]),
    last: BigInt(column[column.length - 1]),
    min: BigInt(min),
    max: BigInt(max),
    sum: BigInt.asUintN(64, whole + BigInt(sum)),
  };
}

/** Whole numbers beyond 2^53 stay what they are. @param {string} text JSON */
const parseExact = (text) => JSON.parse(text.replace(/: (-?\d{16,})(?=[,}])/g, ': "$1"'));

module.exports = { summarize, parseExact };
