'use strict';

const { makeWindow, rate } = require('../../server/pure/window');
const { metricsOf } = require('../../server/pure/metrics');
const { NO_FACTS } = require('../../server/pure/facts');

/**
 * @import { Sample } from '../../server/pure/sample'
 */

/**
 * How steadily operations end. A stall of one kind has no latency until it is over: writes that
 * wait for dirty data to drain while reads go on are seen by this alone.
 *
 * @typedef {'operation' | 'read' | 'write'} FlowKind
 * @typedef {{ [kind in FlowKind]: number | null }} Flow a second; null where the server does not
 *   tell
 */

/** Operations a second: fewer are as good as none. */
const STALL_PER_SEC = 1;
/** Operations in the weakest seconds of A: with as many, a span in which none ends is no chance. */
const STEADY_PER_SEC = 2;

const COUNTERS = Object.freeze(
  /** @type {const} */ ({ read: 'latency.readOps', write: 'latency.writeOps' }),
);

/**
 * @param {readonly Sample[]} span
 * @param {'read' | 'write'} kind
 * @returns {number | null} that ended, a second
 */
const endedPerSec = (span, kind) => rate(makeWindow(span), COUNTERS[kind]) ?? null;

/** @param {readonly Sample[]} span @returns {number | null} */
const operationsPerSec = (span) => metricsOf(makeWindow(span), NO_FACTS)['ops.perSec'] ?? null;

/**
 * @param {readonly Sample[]} sample the last one at A, whole
 * @param {readonly (readonly Sample[])[]} spans every few seconds of all looks at A
 * @returns {Flow} operations: of the last sample; of a kind: in the weakest of the spans
 */
const flowOf = (sample, spans) => ({
  operation: operationsPerSec(sample),
  read: weakest(spans, 'read'),
  write: weakest(spans, 'write'),
});

/** @param {readonly (readonly Sample[])[]} spans @param {'read' | 'write'} kind */
function weakest(spans, kind) {
  const known = spans.flatMap((span) => endedPerSec(span, kind) ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** @param {Flow} flow @param {'read' | 'write'} kind */
const isSteady = (flow, kind) => (flow[kind] ?? 0) >= STEADY_PER_SEC;

/**
 * @param {readonly Sample[]} span under B
 * @param {Flow} ofA
 * @returns {FlowKind | null} what stalls that flowed under A
 */
function stalledSeconds(span, ofA) {
  if ((ofA.operation ?? 0) > STALL_PER_SEC && (operationsPerSec(span) ?? Infinity) < STALL_PER_SEC)
    return 'operation';
  return (
    /** @type {const} */ (['read', 'write']).find(
      (kind) => isSteady(ofA, kind) && endedPerSec(span, kind) === 0,
    ) ?? null
  );
}

module.exports = { flowOf, isSteady, stalledSeconds, STALL_PER_SEC };
