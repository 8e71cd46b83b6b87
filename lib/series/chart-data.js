'use strict';

const { timeSeriesOf } = require('./time-series');
const { METRICS } = require('../server/pure/metrics');
const { makeWindow } = require('../server/pure/window');

/**
 * @import { Sample } from '../server/pure/sample'
 * @import { Window } from '../server/pure/window'
 * @import { ChartData, ChartSource, Summary } from '../text/types'
 * @import { RollingSeries } from './time-series'
 * @import { Facts } from '../server/pure/types'
 */

/**
 * The data of charts, whatever its source: a window, a recording of days, a benchmark, the blocks
 * of a trial.
 *
 */

/** @type {WeakMap<object, ChartSource>} */
const ATTACHED = new WeakMap();

/** The levels of a chart: the name of each, and its metric. */
const LEVELS = Object.freeze(
  /** @type {const} */ ({
    targetRatio: 'config.targetRatio',
    triggerRatio: 'config.triggerRatio',
    dirtyTargetRatio: 'config.dirtyTargetRatio',
    dirtyTriggerRatio: 'config.dirtyTriggerRatio',
    updatesTargetRatio: 'config.updatesTargetRatio',
    updatesTriggerRatio: 'config.updatesTriggerRatio',
    readTickets: 'tickets.readTotal',
    writeTickets: 'tickets.writeTotal',
    cores: 'host.cores',
    memoryBytes: 'host.memoryBytes',
  }),
);

/**
 * Chart data from plain lists.
 * @param {readonly number[]} at
 * @param {Record<string, readonly (number | null | undefined)[]>} series
 * @param {Partial<ChartData>} [more]
 * @returns {ChartData}
 */
function chartDataOf(at, series, more = {}) {
  const known = Object.entries(series)
    .map(
      ([name, values]) =>
        /** @type {[string, (number | null)[]]} */ ([name, at.map((_, i) => values[i] ?? null)]),
    )
    .filter(([, values]) => values.some((value) => value !== null));
  return {
    at: [...at],
    series: Object.fromEntries(known),
    summary: Object.fromEntries(known.map(([name, values]) => [name, summaryOf(values)])),
    levels: {},
    checkpoints: null,
    stalls: null,
    breaks: [],
    blocks: [],
    sampleCount: at.length,
    downsampledTo: null,
    ...more,
  };
}

/** @param {readonly (number | null)[]} values one of them known @returns {Summary} */
function summaryOf(values) {
  const known = values.filter((value) => value !== null);
  return {
    min: known.reduce((a, b) => Math.min(a, b)),
    mean: known.reduce((a, b) => a + b, 0) / known.length,
    max: known.reduce((a, b) => Math.max(a, b)),
  };
}

/**
 * Keeps the series behind an answer beside it, not in it: so --json stays small, and charts can be
 * drawn.
 * @template {object} T
 * @param {T} answer
 * @param {ChartSource} source
 * @returns {T}
 */
function attachSeries(answer, source) {
  ATTACHED.set(answer, source);
  return answer;
}

/**
 * The series behind an answer.
 * @param {object} answer
 * @returns {ChartSource | null} null: the answer was read from a file, or has no series
 */
const attachedSeries = (answer) => ATTACHED.get(answer) ?? null;

/** The series of a window. @param {Window} window @param {Facts} facts @returns {ChartSource} */
const windowSeries = (window, facts) => (max) =>
  timeSeriesOf(window).chartData(
    max,
    levelsOf(window.samples[window.samples.length - 1], facts),
    [],
  );

/**
 * The series of a server that was watched, or of a trial.
 * @param {RollingSeries} rolling
 * @param {Facts} facts
 * @returns {ChartSource}
 */
const rollingSeriesOf = (rolling, facts) => (max) =>
  rolling.chartData(max, rolling.last === null ? {} : levelsOf(rolling.last, facts));

/**
 * The levels that are known.
 * @param {Sample} sample the last one
 * @param {Facts} facts
 * @returns {Record<string, number>}
 */
function levelsOf(sample, facts) {
  const window = makeWindow([sample]);
  return Object.fromEntries(
    Object.entries(LEVELS).flatMap(([name, metric]) => {
      const value = METRICS[metric](window, facts);
      return value === undefined || value === null || !Number.isFinite(value)
        ? []
        : [[name, value]];
    }),
  );
}

module.exports = {
  summaryOf,
  chartDataOf,
  attachSeries,
  attachedSeries,
  windowSeries,
  rollingSeriesOf,
  levelsOf,
};
