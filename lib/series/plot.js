'use strict';

const { makeWindow } = require('../server/pure/window');
const { METRICS } = require('../server/pure/metrics');

/**
 * @import { Facts } from '../server/pure/facts'
 * @import { Window } from '../server/pure/window'
 * @import { Point } from './downsampled'
 */

/**
 * Plain series of a recording, for plotting: one value for each point but the first, over the time
 * since the point before; null where that is not known, and where a restart or a gap lies between.
 *
 * @typedef {keyof typeof SERIES} Series
 * @typedef {{
 *   from: Date, to: Date, everySeconds: number, at: Date[],
 *   series: { [name in Series]: (number | null)[] }
 * }} Plot
 *   `at`: where each value ends; `everySeconds`: between two points, mostly
 */

const SERIES = Object.freeze(
  /** @type {const} */ ({
    heldUpThreads: null,
    opsPerSec: 'ops.perSec',
    readLatencyMs: 'ops.readLatencyMs',
    writeLatencyMs: 'ops.writeLatencyMs',
    readingThreads: 'clients.readingPages',
    evictingThreads: 'clients.evicting',
    waitingThreads: 'clients.waitingForCache',
    queued: 'clients.queued',
    usedRatio: 'cache.usedRatio',
    dirtyRatio: 'cache.dirtyRatioMax',
    checkpointMs: 'checkpoint.lastMs',
    readBytesPerSec: 'cache.readBytesPerSec',
    writtenBytesPerSec: 'cache.writtenBytesPerSec',
    cpuCores: 'process.cpuCores',
  }),
);
const NAMES = /** @type {Series[]} */ (Object.keys(SERIES));

/**
 * @param {readonly Point[]} points at least one
 * @param {Facts} facts
 * @returns {Plot}
 */
function plotOf(points, facts) {
  const steps = points
    .slice(1)
    .map((point, i) => ({
      point,
      window: point.follows ? makeWindow([points[i].sample, point.sample]) : null,
    }));
  const [first, last] = [points[0].sample, points[points.length - 1].sample];
  const seconds = points
    .slice(1)
    .map(({ sample }, i) => (sample.atMs - points[i].sample.atMs) / 1000)
    .sort((a, b) => a - b);
  return {
    from: new Date(first.atMs),
    to: new Date(last.atMs),
    everySeconds: seconds[Math.floor(seconds.length / 2)] ?? 0,
    at: steps.map(({ point }) => new Date(point.sample.atMs)),
    series: /** @type {Plot['series']} */ (
      Object.fromEntries(
        NAMES.map((name) => [name, steps.map((step) => valueOf(name, step, facts))]),
      )
    ),
  };
}

/**
 * @param {Series} name
 * @param {{ point: Point, window: Window | null }} step
 * @param {Facts} facts
 */
function valueOf(name, { point, window }, facts) {
  if (window === null) return null;
  const reading = SERIES[name];
  const value = reading === null ? point.heldUpThreads : METRICS[reading](window, facts);
  return value === undefined || value === null || !Number.isFinite(value) ? null : value;
}

module.exports = { plotOf };
