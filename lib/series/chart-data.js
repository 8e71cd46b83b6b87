'use strict';

const { timeSeriesOf } = require('./time-series');
const { METRICS } = require('../server/pure/metrics');
const { makeWindow } = require('../server/pure/window');

/**
 * @import { Facts } from '../server/pure/facts'
 * @import { Sample } from '../server/pure/sample'
 * @import { Window } from '../server/pure/window'
 * @import { Drawn } from './chart-series'
 * @import { RollingSeries } from './rolling-series'
 */

/**
 * What a command saw besides what it answers: samples are no part of the data (--json stays small),
 * but charts are drawn of them.
 *
 * @typedef {(max: number) => Drawn} Trace `max`: stretches into which it may be
 *   thinned
 */

/** @type {WeakMap<object, Trace>} */
const ATTACHED = new WeakMap();

/** @template {object} T @param {T} answer @param {Trace} chartData @returns {T} */
function attachSeries(answer, chartData) {
  ATTACHED.set(answer, chartData);
  return answer;
}

/**
 * @param {object} answer
 * @returns {Trace | null} null: it was read from a file, or never had one
 */
const attachedSeries = (answer) => ATTACHED.get(answer) ?? null;

/** @param {Window} window @param {Facts} facts @returns {Trace} */
const windowSeries = (window, facts) => (max) =>
  timeSeriesOf(window).drawn(max, levelsOf(window.samples[window.samples.length - 1], facts), []);

/** @param {RollingSeries} rolling @param {Facts} facts @returns {Trace} */
const rollingSeriesOf = (rolling, facts) => (max) =>
  rolling.drawn(max, rolling.last === null ? {} : levelsOf(rolling.last, facts));

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
  }),
);

/**
 * @param {Sample} sample the last one
 * @param {Facts} facts
 * @returns {Record<string, number>} what is known of them
 */
function levelsOf(sample, facts) {
  const window = makeWindow([sample]);
  return Object.fromEntries(
    Object.entries(LEVELS).flatMap(([name, reading]) => {
      const value = METRICS[reading](window, facts);
      return value === undefined || value === null || !Number.isFinite(value)
        ? []
        : [[name, value]];
    }),
  );
}

module.exports = { attachSeries, attachedSeries, windowSeries, rollingSeriesOf, levelsOf };
