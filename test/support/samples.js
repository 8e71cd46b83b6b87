'use strict';

const { makeWindow } = require('../../lib/server/pure/window');

/**
 * A window with one sample a second, made from lists of values:
 * `{ 'cache.dirtyBytes': [1, 2, 3] }`. A single number stands for the same value in every sample;
 * undefined in a list means that this sample lacks it.
 * @param {Record<string, number | (number | undefined)[]>} series
 * @param {{ everyMs?: number, samples?: number, uptimeMs?: (i: number) => number | null }}
 *   [options]
 */
function windowOf(
  series,
  { everyMs = 1000, samples = lengthOf(series), uptimeMs = (i) => 60_000 + i * everyMs } = {},
) {
  return makeWindow(
    Array.from({ length: samples }, (_, i) => ({
      atMs: Date.UTC(2026, 0, 1) + i * everyMs,
      uptimeMs: uptimeMs(i),
      counters: Object.fromEntries(
        Object.entries(series)
          .map(([name, v]) => [name, Array.isArray(v) ? v[i] : v])
          .filter(([, v]) => v !== undefined),
      ),
    })),
  );
}

/** @param {Record<string, number | (number | undefined)[]>} series */
const lengthOf = (series) =>
  Math.max(2, ...Object.values(series).map((v) => (Array.isArray(v) ? v.length : 0)));

module.exports = { windowOf };
