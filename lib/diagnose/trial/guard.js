'use strict';

const { makeWindow } = require('../../model/window');
const { readWindow } = require('../../model/readings');
const { NO_FACTS } = require('../../model/facts');

/**
 * What B must not do to the clients while it is tried. The limits come from what A does: so much above the worst few seconds of A
 * that chance alone does not reach them.
 *
 * @typedef {import('../../model/sample').Sample} Sample
 * @typedef {keyof typeof GUARDED} Guarded
 * @typedef {{ [name in Guarded]: number | null }} Limits null: not guarded
 * @typedef {{ what: Guarded | 'standstill', value: number | null, limit: number | null }} Broken
 */

/** A few seconds: one slow operation does not fill them. */
const SPAN_MS = 3000;
/** Less is one look's chance. */
const LEAST_SPAN_MS = 900;
/** Nobody waits visibly longer; below it, doubling is no harm. */
const LEAST_LATENCY_MS = 5;
/** Of the clients' time: below it, waiting for the cache is what servers do every day (docs/evidence/app-eviction.md). */
const LEAST_WAIT_RATIO = 0.25;
/** A script that retries makes a few. */
const LEAST_ERRORS_PER_SEC = 2;
/** Times the worst seconds of A. */
const TIMES_A = 2;
/** Operations a second: fewer are as good as none. */
const STANDSTILL_OPS_PER_SEC = 1;

const GUARDED = Object.freeze({
  readLatencyMs: { least: LEAST_LATENCY_MS, read: (/** @type {Readings} */ r) => r['ops.readLatencyMs'] },
  writeLatencyMs: { least: LEAST_LATENCY_MS, read: (/** @type {Readings} */ r) => r['ops.writeLatencyMs'] },
  appWaitRatio: { least: LEAST_WAIT_RATIO, read: waitRatio },
  errors: { least: LEAST_ERRORS_PER_SEC, read: (/** @type {Readings} */ r) => r['errors.perSec'] },
});
const GUARDED_NAMES = Object.freeze(/** @type {Guarded[]} */ (Object.keys(GUARDED)));

/** @typedef {import('../../model/readings').Readings} Readings */

/** Of the time of the clients' operations, the share that waits for room in the cache. @param {Readings} r @returns {number | undefined} */
function waitRatio(r) {
  const [waiting, busy] = [r['clients.waitingForCache'], r['clients.busy']];
  return waiting === undefined || !busy ? undefined : Math.min(1, waiting / busy);
}

/**
 * @param {{ [name in Guarded]?: number | null }} given what the user set; null switches one off
 * @param {readonly (readonly Sample[])[]} looks at A: each list without a gap
 * @returns {Limits}
 */
function limitsOf(given, looks) {
  const spans = looks.flatMap(spansOf).map((span) => readWindow(makeWindow(span), NO_FACTS));
  return /** @type {Limits} */ (Object.fromEntries(GUARDED_NAMES.map((name) => {
    const own = given[name];
    if (own !== undefined) return [name, own];
    const worst = Math.max(0, ...spans.flatMap((readings) => GUARDED[name].read(readings) ?? []));
    return [name, Math.max(GUARDED[name].least, worst * TIMES_A)];
  })));
}

/** Every few seconds of a list of looks. @param {readonly Sample[]} samples @returns {Sample[][]} */
const spansOf = (samples) => samples.map((_, i) => lastSpan(samples.slice(0, i + 1))).filter(isLong);

/** @param {readonly Sample[]} samples @returns {Sample[]} its last few seconds */
const lastSpan = (samples) => samples.filter(({ atMs }) => atMs >= samples[samples.length - 1].atMs - SPAN_MS);

/** @param {readonly Sample[]} span */
const isLong = (span) => span.length > 1 && span[span.length - 1].atMs - span[0].atMs >= LEAST_SPAN_MS;

/** @typedef {{ now: { [name in Guarded]: number | null }, broken: Broken | null }} Watch */

/**
 * @param {readonly Sample[]} samples under B, since the switch @param {Limits} limits
 * @param {number | null} opsPerSecOfA
 * @returns {Watch} what the last few seconds say; `broken`: the first limit that they break
 */
function watchGuard(samples, limits, opsPerSecOfA) {
  const span = lastSpan(samples);
  const readings = isLong(span) ? readWindow(makeWindow(span), NO_FACTS) : {};
  const now = /** @type {Watch['now']} */ (Object.fromEntries(GUARDED_NAMES.map((name) => [name, GUARDED[name].read(readings) ?? null])));
  const over = GUARDED_NAMES.find((name) => limits[name] !== null && (now[name] ?? 0) > limits[name]);
  if (over) return { now, broken: { what: over, value: now[over], limit: limits[over] } };
  return { now, broken: standsStill(span, readings, opsPerSecOfA) ? { what: 'standstill', value: 0, limit: null } : null };
}

/** An operation that never ends has no latency yet. @param {readonly Sample[]} span @param {Readings} readings @param {number | null} opsPerSecOfA */
function standsStill(span, readings, opsPerSecOfA) {
  const whole = span.length > 1 && span[span.length - 1].atMs - span[0].atMs >= SPAN_MS * 0.8;
  return whole && (opsPerSecOfA ?? 0) > STANDSTILL_OPS_PER_SEC && (readings['ops.perSec'] ?? Infinity) < STANDSTILL_OPS_PER_SEC;
}

module.exports = { limitsOf, watchGuard, GUARDED_NAMES, SPAN_MS, STANDSTILL_OPS_PER_SEC };
