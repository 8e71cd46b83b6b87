'use strict';

const { makeWindow } = require('../../server/pure/window');
const { readWindow } = require('../../server/pure/readings');
const { NO_FACTS } = require('../../server/pure/facts');
const { flowOf, isSteady, standingStill } = require('./flow');

/**
 * What B must not do to the clients while it is tried. The limits come from what A does: so much
 * above the worst few seconds of A that chance alone does not reach them.
 *
 * @typedef {import('../../server/pure/sample').Sample} Sample
 * @typedef {keyof typeof GUARDED} Guarded
 * @typedef {{ [name in Guarded]: number | null }} Limits null: not guarded
 * @typedef {{
 *   what: Guarded | 'standstill', value: number | null, limit: number | null,
 *   kind?: import('./flow').FlowKind
 * }} Broken `kind`: what stood still
 * @typedef {{ limits: Limits, flow: import('./flow').Flow }} OfA what A does, for B to be held
 *   against
 */

/** A few seconds: one slow operation does not fill them. */
const SPAN_MS = 3000;
/** Less is one look's chance. */
const LEAST_SPAN_MS = 900;
/** Nobody waits visibly longer; below it, doubling is no harm. */
const LEAST_LATENCY_MS = 5;
/**
 * Where A has hardly any operation of a kind, the mean is that of one or two: a limit for what
 * people wait for.
 */
const LEAST_OF_FEW_MS = 1000;
/**
 * Of the clients' time: below it, waiting for the cache is what servers do every day
 * (docs/evidence/app-eviction.md).
 */
const LEAST_WAIT_RATIO = 0.25;
/** A script that retries makes a few. */
const LEAST_ERRORS_PER_SEC = 2;
/** Times the worst seconds of A. */
const TIMES_A = 2;
/** Of a span: what stands still must do so for as good as all of it. */
const WHOLE = 0.8;

const GUARDED = Object.freeze({
  readLatencyMs: {
    least: LEAST_LATENCY_MS,
    of: /** @type {const} */ ('read'),
    read: (/** @type {Readings} */ r) => r['ops.readLatencyMs'],
  },
  writeLatencyMs: {
    least: LEAST_LATENCY_MS,
    of: /** @type {const} */ ('write'),
    read: (/** @type {Readings} */ r) => r['ops.writeLatencyMs'],
  },
  appWaitRatio: { least: LEAST_WAIT_RATIO, of: null, read: waitRatio },
  errors: {
    least: LEAST_ERRORS_PER_SEC,
    of: null,
    read: (/** @type {Readings} */ r) => r['errors.perSec'],
  },
});
/** @type {Limits} */
const NO_LIMITS = Object.freeze({
  readLatencyMs: null,
  writeLatencyMs: null,
  appWaitRatio: null,
  errors: null,
});
const GUARDED_NAMES = Object.freeze(/** @type {Guarded[]} */ (Object.keys(GUARDED)));

/** @typedef {import('../../server/pure/readings').Readings} Readings */

/**
 * Of the time of the clients' operations, the share that waits for room in the cache.
 * @param {Readings} r
 * @returns {number | undefined}
 */
function waitRatio(r) {
  const [waiting, busy] = [r['clients.waitingForCache'], r['clients.busy']];
  return waiting === undefined || !busy ? undefined : Math.min(1, waiting / busy);
}

/**
 * @param {{ [name in Guarded]?: number | null }} given what the user set; null switches one off
 * @param {readonly (readonly Sample[])[]} looks at A: each list without a gap
 * @returns {OfA}
 */
function learnFromA(given, looks) {
  const spans = looks.flatMap(spansOf);
  const readings = spans.map((span) => readWindow(makeWindow(span), NO_FACTS));
  const flow = flowOf(looks[looks.length - 1], spans.filter(isWhole));
  const limits = /** @type {Limits} */ (
    Object.fromEntries(
      GUARDED_NAMES.map((name) => {
        const own = given[name];
        if (own !== undefined) return [name, own];
        const { least, of, read } = GUARDED[name];
        const worst = Math.max(0, ...readings.flatMap((one) => read(one) ?? []));
        return [
          name,
          Math.max(of === null || isSteady(flow, of) ? least : LEAST_OF_FEW_MS, worst * TIMES_A),
        ];
      }),
    )
  );
  return { limits, flow };
}

/**
 * Every few seconds of a list of looks.
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
const isLong = (span) => lengthMs(span) >= LEAST_SPAN_MS;
/** @param {readonly Sample[]} span */
const isWhole = (span) => lengthMs(span) >= SPAN_MS * WHOLE;

/** @typedef {{ now: { [name in Guarded]: number | null }, broken: Broken | null }} Watch */

/**
 * @param {readonly Sample[]} samples under B, since the switch @param {OfA} ofA
 * @returns {Watch} what the last few seconds say; `broken`: the first limit that they break
 */
function watchGuard(samples, { limits, flow }) {
  const span = lastSpan(samples);
  const readings = isLong(span) ? readWindow(makeWindow(span), NO_FACTS) : {};
  const now = /** @type {Watch['now']} */ (
    Object.fromEntries(GUARDED_NAMES.map((name) => [name, GUARDED[name].read(readings) ?? null]))
  );
  const over = GUARDED_NAMES.find(
    (name) => limits[name] !== null && (now[name] ?? 0) > limits[name],
  );
  if (over) return { now, broken: { what: over, value: now[over], limit: limits[over] } };
  const kind = isWhole(span) ? standingStill(span, flow) : null;
  return { now, broken: kind && { what: 'standstill', value: 0, limit: null, kind } };
}

module.exports = { learnFromA, watchGuard, NO_LIMITS, GUARDED_NAMES, SPAN_MS };
