'use strict';

const { lineOf } = require('./line');
const { READINGS } = require('../server/pure/readings');
const { makeWindow } = require('../server/pure/window');

/**
 * What a command saw besides what it answers: samples are no part of the data (--json stays small),
 * but charts are drawn of them.
 *
 * @typedef {(most: number) => import('./drawn').Drawn} Trace `most`: stretches into which it may be
 *   thinned
 * @typedef {import('../server/pure/window').Window} Window
 * @typedef {import('../server/pure/facts').Facts} Facts
 */

/** @type {WeakMap<object, Trace>} */
const TRACES = new WeakMap();

/** @template {object} T @param {T} answer @param {Trace} trace @returns {T} */
function keepTrace(answer, trace) {
  TRACES.set(answer, trace);
  return answer;
}

/**
 * @param {object} answer
 * @returns {Trace | null} null: it was read from a file, or never had one
 */
const traceOf = (answer) => TRACES.get(answer) ?? null;

/** @param {Window} window @param {Facts} facts @returns {Trace} */
const traceOfWindow = (window, facts) => (most) =>
  lineOf(window).drawn(most, levelsOf(window.samples[window.samples.length - 1], facts), []);

/** @param {import('./trail').Trail} trail @param {Facts} facts @returns {Trace} */
const traceOfTrail = (trail, facts) => (most) =>
  trail.drawn(most, trail.last === null ? {} : levelsOf(trail.last, facts));

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
 * @param {import('../server/pure/sample').Sample} sample the last one
 * @param {Facts} facts
 * @returns {Record<string, number>} what is known of them
 */
function levelsOf(sample, facts) {
  const window = makeWindow([sample]);
  return Object.fromEntries(
    Object.entries(LEVELS).flatMap(([name, reading]) => {
      const value = READINGS[reading](window, facts);
      return value === undefined || value === null || !Number.isFinite(value)
        ? []
        : [[name, value]];
    }),
  );
}

module.exports = { keepTrace, traceOf, traceOfWindow, traceOfTrail, levelsOf };
