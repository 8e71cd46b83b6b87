'use strict';

const { between, percentileMs } = require('../server/pure/latency-histogram');

/**
 * @import { Histogram } from '../server/pure/latency-histogram'
 */

/**
 * Measures what the clients of a server feel, and whether a copy is the reason. Limits are relative
 * to the measurement without the copy: a server that is always busy is no reason to stall, and one
 * that was idle is no reason to take all of it.
 *
 * @typedef {{
 *   server: string, writes: number, latencyUs: number, times: Histogram | null,
 *   dirtyRatio: number | null, behindMs: Readonly<Record<string, number>>
 * }} Gathered `server`: the server and its start; `writes`, `latencyUs`: sums since then; `times`:
 *   the histogram of write latencies since then; `behindMs`: the lag of each secondary
 * @typedef {{ writes: number, latencyUs: number, times: Histogram }} Felt
 * @typedef {{
 *   writeMs: number | null, times: Histogram, dirtyRatio: number,
 *   behindMs: Readonly<Record<string, number>>
 * }} Usual the values without the copy
 * @typedef {{ sample: Gathered, writeMs: number | null, slowestMs: number | null }} Now `writeMs`:
 *   the mean during the copy; `slowestMs`: the 99th percentile of writes during it
 * @typedef {{ kind: 'dirty' | 'lag' | 'latency', why: string }} Throttle
 */

/** Half of eviction_dirty_trigger (20%), at which application threads have to evict. */
const DIRTY_RATIO = 0.1;
/**
 * Factor by which a copy may raise the dirty data of clients that alone keep more than DIRTY_RATIO;
 * heuristic.
 */
const DIRTY_TIMES = 1.25;
/** Largest share of dirty data with a copy, below the trigger of 20%; heuristic. */
const MAX_DIRTY_RATIO = 0.18;
/** Lag that the copy may add: half of flowControlTargetLagSeconds (10 s), which throttles writers. */
const LAG_MS = 5_000;
/** A copy may double the latency of writes; heuristic. */
const LATENCY_TIMES = 2;
/** Milliseconds: shorter latencies vary with the CPUs of a busy machine more than with the load. */
const LATENCY_FLOOR_MS = 5;
/** Writes that a mean needs; heuristic. */
const FEWEST_WRITES = 20;
/** Writes that a 99th percentile needs, so that it rests on three of them; heuristic. */
const FEWEST_FOR_SLOWEST = 300;
const SLOWEST = 0.99;
/** Weight of the newest mean latency in the moving average; heuristic. */
const NEWEST_RATIO = 0.5;
/** Share of the histogram kept at each pause: a 99th percentile needs many writes; heuristic. */
const KEPT_RATIO = 0.9;

/** @type {Felt} */
const NOTHING = Object.freeze({ writes: 0, latencyUs: 0, times: new Map() });

/**
 * Returns what clients felt between two samples of one server.
 * @param {Gathered} before
 * @param {Gathered} after
 * @returns {Felt} no values where another server answered, or it was restarted
 */
function feltBetween(before, after) {
  const writes = after.writes - before.writes;
  const latencyUs = after.latencyUs - before.latencyUs;
  return before.server !== after.server || writes < 0 || latencyUs < 0
    ? NOTHING
    : { writes, latencyUs, times: between(before.times, after.times) ?? new Map() };
}

/** @param {Felt} one @param {Felt} other @returns {Felt} */
const together = (one, other) => ({
  writes: one.writes + other.writes,
  latencyUs: one.latencyUs + other.latencyUs,
  times: added(one.times, other.times, 1),
});

/**
 * @param {Histogram} one
 * @param {Histogram} other
 * @param {number} ratio the share of the first one that is kept
 * @returns {Histogram}
 */
const added = (one, other, ratio) =>
  new Map(
    [...new Set([...one.keys(), ...other.keys()])].map((micros) => [
      micros,
      ratio * (one.get(micros) ?? 0) + (other.get(micros) ?? 0),
    ]),
  );

/** @param {Histogram} times */
const countOf = (times) => [...times.values()].reduce((sum, one) => sum + one, 0);

/** @param {Felt} felt @returns {number | null} null: too few writes */
const meanMs = ({ writes, latencyUs }) =>
  writes < FEWEST_WRITES ? null : latencyUs / writes / 1000;

/**
 * Returns the 99th percentile of write latencies.
 * @param {Histogram} times
 * @returns {number | null} null: too few writes
 */
const slowestMs = (times) =>
  countOf(times) < FEWEST_FOR_SLOWEST ? null : percentileMs(times, SLOWEST);

/** Returns the usual values after one more pause. @param {Usual} usual @param {Felt} felt */
function learn(usual, felt) {
  usual.writeMs = learned(usual.writeMs, meanMs(felt));
  usual.times = added(usual.times, felt.times, KEPT_RATIO);
}

/** @param {number | null} usual @param {number | null} seen @returns {number | null} */
function learned(usual, seen) {
  if (seen === null) return usual;
  return usual === null ? seen : usual + NEWEST_RATIO * (seen - usual);
}

/** @param {Usual} usual @param {Now} now @returns {Throttle | null} */
const pressure = (usual, { sample, writeMs, slowestMs: slowest }) =>
  dirty(usual, sample) ??
  lag(usual, sample) ??
  latency('writes take', usual.writeMs, writeMs) ??
  (usualSlowest(usual) === null
    ? null
    : latency('one write in a hundred takes', usualSlowest(usual), slowest));

/** @param {Usual} usual */
const usualSlowest = ({ times }) => slowestMs(times);

/** @param {Usual} usual @param {Gathered} sample @returns {Throttle | null} */
function dirty({ dirtyRatio: usual }, { dirtyRatio }) {
  if (
    dirtyRatio === null ||
    dirtyRatio <= Math.max(DIRTY_RATIO, Math.min(DIRTY_TIMES * usual, MAX_DIRTY_RATIO))
  )
    return null;
  return {
    kind: 'dirty',
    why: `${percent(dirtyRatio)} of the cache is dirty (${percent(usual)} before)`,
  };
}

/** @param {Usual} usual @param {Gathered} sample @returns {Throttle | null} */
function lag({ behindMs: usual }, { behindMs }) {
  const [late] = Object.entries(behindMs).filter(([name, ms]) => ms > (usual[name] ?? 0) + LAG_MS);
  return late
    ? { kind: 'lag', why: `replication lag of ${late[0]} is ${(late[1] / 1000).toFixed(0)} s` }
    : null;
}

/**
 * @param {string} what
 * @param {number | null} usual
 * @param {number | null} seen
 * @returns {Throttle | null}
 */
function latency(what, usual, seen) {
  if (seen === null || seen <= LATENCY_TIMES * Math.max(LATENCY_FLOOR_MS, usual ?? 0)) return null;
  return {
    kind: 'latency',
    why:
      `${what} ${seen.toFixed(1)} ` +
      `ms${usual === null ? '' : ` (${usual.toFixed(1)} without it)`}`,
  };
}

/** @param {number} ratio */
const percent = (ratio) => `${(100 * ratio).toFixed(0)}%`;

module.exports = {
  feltBetween,
  together,
  meanMs,
  slowestMs,
  countOf,
  learn,
  pressure,
  NOTHING,
  FEWEST_WRITES,
};
