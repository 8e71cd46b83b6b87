'use strict';

const { makeWindow, rate } = require('../../server/pure/window');
const { metricsOf } = require('../../server/pure/metrics');
const { NO_FACTS } = require('../../server/pure/facts');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Sample } from '../../server/pure/sample'
 * @import { Option } from '../../base/pure/options'
 */

/**
 * The limits of B's effect on clients. They come from A: so far above the worst few seconds of A
 * that chance alone does not reach them.
 * @typedef {keyof typeof GUARDRAIL_METRICS} Guarded
 * @typedef {{ [name in Guarded]: number | null }} Limits null: not guarded
 * @typedef {{
 *   what: Guarded | 'stall', value: number | null, limit: number | null,
 *   kind?: FlowKind
 * }} Broken `kind`: what stalled
 * @typedef {{ limits: Limits, flow: Flow }} ReferenceA what A does, for B to be held
 *   against
 */

/** Milliseconds: in a span of a few seconds one slow operation does not decide. */
const SPAN_MS = 3000;
/** Milliseconds: a shorter span shows the chance of one sample. */
const MIN_SPAN_MS = 900;
/** Milliseconds: below this latency, twice as much does no harm. */
const MIN_LATENCY_MS = 5;
/**
 * Milliseconds: the limit where A has hardly any operation of a kind. The mean is then that of one or
 * two operations, so the limit is one for people who wait.
 */
const MIN_OF_FEW_MS = 1000;
/**
 * Share of the clients' time: below it, waiting for the cache is normal
 * (docs/evidence/app-eviction.md).
 */
const MIN_WAIT_RATIO = 0.25;
/** Errors a second: a script that retries makes a few. */
const MIN_ERRORS_PER_SEC = 2;
/** A limit is this many times the worst seconds of A. */
const TIMES_A = 2;
/** Share of a span that a stall must cover. */
const WHOLE = 0.8;

const GUARDRAIL_METRICS = Object.freeze({
  readLatencyMs: {
    min: MIN_LATENCY_MS,
    of: /** @type {const} */ ('read'),
    read: (/** @type {Metrics} */ r) => r['ops.readLatencyMs'],
  },
  writeLatencyMs: {
    min: MIN_LATENCY_MS,
    of: /** @type {const} */ ('write'),
    read: (/** @type {Metrics} */ r) => r['ops.writeLatencyMs'],
  },
  appWaitRatio: { min: MIN_WAIT_RATIO, of: null, read: waitRatio },
  errors: {
    min: MIN_ERRORS_PER_SEC,
    of: null,
    read: (/** @type {Metrics} */ r) => r['errors.perSec'],
  },
});
/** @type {Limits} */
const NO_LIMITS = Object.freeze({
  readLatencyMs: null,
  writeLatencyMs: null,
  appWaitRatio: null,
  errors: null,
});
const GUARDRAIL_METRIC_NAMES = Object.freeze(
  /** @type {Guarded[]} */ (Object.keys(GUARDRAIL_METRICS)),
);

/**
 * Returns the share of the time of the clients' operations that waits for free space in the cache.
 * @param {Metrics} r
 * @returns {number | undefined}
 */
function waitRatio(r) {
  const [waiting, busy] = [r['clients.waitingThreads'], r['clients.busyThreads']];
  return waiting === undefined || !busy ? undefined : Math.min(1, waiting / busy);
}

/**
 * @param {{ [name in Guarded]?: number | null }} given the user's own limits; null switches one off
 * @param {readonly (readonly Sample[])[]} observed at A: each list without a gap
 * @returns {ReferenceA}
 */
function learnFromA(given, observed) {
  const spans = observed.flatMap(spansOf);
  const metrics = spans.map((span) => metricsOf(makeWindow(span), NO_FACTS));
  const flow = flowOf(observed[observed.length - 1], spans.filter(isWhole));
  const limits = /** @type {Limits} */ (
    Object.fromEntries(
      GUARDRAIL_METRIC_NAMES.map((name) => {
        const own = given[name];
        if (own !== undefined) return [name, own];
        const { min, of, read } = GUARDRAIL_METRICS[name];
        const worst = Math.max(0, ...metrics.flatMap((one) => read(one) ?? []));
        return [
          name,
          Math.max(of === null || isSteady(flow, of) ? min : MIN_OF_FEW_MS, worst * TIMES_A),
        ];
      }),
    )
  );
  return { limits, flow };
}

/**
 * Lists every span of a few seconds in a list of samples.
 * @param {readonly Sample[]} samples
 * @returns {Sample[][]}
 */
const spansOf = (samples) =>
  samples.map((_, i) => lastSpan(samples.slice(0, i + 1))).filter(isLong);

/** @param {readonly Sample[]} samples @returns {Sample[]} its last few seconds */
const lastSpan = (samples) =>
  samples.filter(({ atMs }) => atMs >= samples[samples.length - 1].atMs - SPAN_MS);

/** @param {readonly Sample[]} span @returns {number} */
const lengthMs = (span) => (span.length < 2 ? 0 : span[span.length - 1].atMs - span[0].atMs);
/** @param {readonly Sample[]} span */
const isLong = (span) => lengthMs(span) >= MIN_SPAN_MS;
/** @param {readonly Sample[]} span */
const isWhole = (span) => lengthMs(span) >= SPAN_MS * WHOLE;

/** @typedef {{ now: { [name in Guarded]: number | null }, broken: Broken | null }} Watch */

/**
 * @param {readonly Sample[]} samples under B, since the switch @param {ReferenceA} referenceA
 * @returns {Watch} the state of the last few seconds; `broken`: the first limit that they break
 */
function checkGuardrail(samples, { limits, flow }) {
  const span = lastSpan(samples);
  const metrics = isLong(span) ? metricsOf(makeWindow(span), NO_FACTS) : {};
  const now = /** @type {Watch['now']} */ (
    Object.fromEntries(
      GUARDRAIL_METRIC_NAMES.map((name) => [name, GUARDRAIL_METRICS[name].read(metrics) ?? null]),
    )
  );
  const over = GUARDRAIL_METRIC_NAMES.find(
    (name) => limits[name] !== null && (now[name] ?? 0) > limits[name],
  );
  if (over) return { now, broken: { what: over, value: now[over], limit: limits[over] } };
  const kind = isWhole(span) ? stalledSeconds(span, flow) : null;
  return { now, broken: kind && { what: 'stall', value: 0, limit: null, kind } };
}

/**
 * Operations that ended a second. A stall of one kind has no latency until it is over: only this
 * rate shows writes that wait for dirty data to drain while reads continue.
 *
 * @typedef {'operation' | 'read' | 'write'} FlowKind
 * @typedef {{ [kind in FlowKind]: number | null }} Flow a second; null where the server does not
 *   report it
 */

/** Operations a second: fewer count as none. */
const STALL_PER_SEC = 1;
/**
 * Operations in the weakest seconds of A: with as many, a span in which none ends is not due to
 * chance.
 */
const STEADY_PER_SEC = 2;

const COUNTERS = Object.freeze(
  /** @type {const} */ ({ read: 'latency.readOps', write: 'latency.writeOps' }),
);

/**
 * @param {readonly Sample[]} span
 * @param {'read' | 'write'} kind
 * @returns {number | null} operations that ended, a second
 */
const endedPerSec = (span, kind) => rate(makeWindow(span), COUNTERS[kind]) ?? null;

/** @param {readonly Sample[]} span @returns {number | null} */
const operationsPerSec = (span) => metricsOf(makeWindow(span), NO_FACTS)['ops.perSec'] ?? null;

/**
 * @param {readonly Sample[]} sample the last one at A, whole
 * @param {readonly (readonly Sample[])[]} spans every span of all measurements of A
 * @returns {Flow} `operation`: of the last sample; `read` and `write`: in the weakest of the spans
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
 * @param {Flow} referenceA
 * @returns {FlowKind | null} the kind of operation that stalls, and ended steadily under A
 */
function stalledSeconds(span, referenceA) {
  if (
    (referenceA.operation ?? 0) > STALL_PER_SEC &&
    (operationsPerSec(span) ?? Infinity) < STALL_PER_SEC
  )
    return 'operation';
  return (
    /** @type {const} */ (['read', 'write']).find(
      (kind) => isSteady(referenceA, kind) && endedPerSec(span, kind) === 0,
    ) ?? null
  );
}

/**
 * Makes the option `{ readLatencyMs: 20, errors: null }`: the user's own limits in place of those
 * from A; null switches one off.
 * @returns {Option}
 */
const guardrailOption = () => ({
  allowed:
    `an object of limits (${GUARDRAIL_METRIC_NAMES.join(', ')}), each a ` +
    'number above 0, or null for no limit',
  schema: (v) =>
    v.strictObject(
      Object.fromEntries(
        GUARDRAIL_METRIC_NAMES.map((name) => [
          name,
          v.optional(v.nullable(v.pipe(v.number(), v.finite(), v.gtValue(0)))),
        ]),
      ),
    ),
});

module.exports = {
  learnFromA,
  checkGuardrail,
  NO_LIMITS,
  GUARDRAIL_METRIC_NAMES,
  SPAN_MS,
  STALL_PER_SEC,
  guardrailOption,
};
