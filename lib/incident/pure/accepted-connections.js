'use strict';

const { quantile } = require('../../base/pure/quantile');
const { lastNumber } = require('./slow-lines');

/**
 * @import { RawEvent } from '../types'
 */

/** Connections that a log reports, a second each: a storm has thousands of lines. */
const STEP_MS = 1000;
const MAX_STEPS = 100_000;
/** New connections a second that are a storm (heuristic): a pool opens a few. */
const MIN_PER_SEC = 50;
/** … and so many times the usual number (heuristic). */
const TIMES_USUAL = 10;

class AcceptedConnections {
  constructor() {
    /** @type {Map<number, { accepted: number, max: number, min: number }>} by second */
    this.steps = new Map();
  }

  /** @param {string} line @param {number} atMs */
  add(line, atMs) {
    const step = Math.floor(atMs / STEP_MS);
    const connections = lastNumber(line, '"connectionCount":');
    const found = this.steps.get(step) ?? { accepted: 0, max: 0, min: Infinity };
    found.accepted++;
    found.max = Math.max(found.max, connections);
    found.min = Math.min(found.min, connections);
    if (this.steps.has(step) || this.steps.size < MAX_STEPS) this.steps.set(step, found);
  }

  /**
   * @param {number} fromMs of the log
   * @param {number} toMs
   * @returns {Omit<RawEvent, 'host' | 'evidence'>[]} one for each storm
   */
  bursts(fromMs, toMs) {
    const seconds = Math.max(1, Math.ceil((toMs - fromMs) / STEP_MS));
    const counts = [...this.steps.values()].map(({ accepted }) => accepted);
    const rest = Array.from({ length: Math.max(0, Math.min(seconds, MAX_STEPS) - counts.length) });
    const usual = quantile([...counts, ...rest.map(() => 0)], 0.5);
    const limit = Math.max(MIN_PER_SEC, TIMES_USUAL * usual);
    return [...this.steps]
      .filter(([, { accepted }]) => accepted >= limit)
      .map(([step, { accepted, max, min }]) => ({
        code: 'connections-up',
        fromMs: step * STEP_MS,
        toMs: (step + 1) * STEP_MS,
        count: 1,
        values: { connections: max, usual: Math.max(0, min - 1), perSec: accepted },
      }));
  }
}

module.exports = { AcceptedConnections };
