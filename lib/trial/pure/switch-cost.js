'use strict';

const { count, MICROS_PER_MS, MS_PER_SECOND, many } = require('../../base/pure/units');
const { between, percentileMs, slowestMs } = require('../../server/pure/latency-histogram');
const { COMPLETED } = require('../../server/pure/metric-kit');

/**
 * @import { Histograms } from '../../server/pure/latency-histogram'
 * @import { Sample } from '../../server/pure/sample'
 */

/**
 * Computes the cost of a switch of a trial to the clients: its worst second and its slowest
 * operations, beside those of the blocks.
 *
 * @typedef {{
 *   atMs: number, waitMicros: number | null, evictMicros: number | null, endedOps: number | null,
 *   countedOps: number | null
 * }} Moment the part of a sample that is kept; `endedOps`: calls, a bulk once; `countedOps`: as the
 *   throughput
 * @typedef {{
 *   worstSecondBlockedThreads: number | null, worstSecondOpsPerSec: number | null,
 *   longestStallSeconds: number | null, readP99Ms: number | null, writeP99Ms: number | null,
 *   slowestMs: number | null
 * }} Cost `worstSecondBlockedThreads`: application threads that wait for the cache or evict;
 *   `longestStallSeconds`: no
 *   read or write ended, 0 where that was never so for half a second; `slowestMs`: upper end of the
 *   slowest class of latencies
 * @typedef {{
 *   to: 'A' | 'B', at: Date, isDown: boolean, calls: number, seconds: number | null,
 *   settlingSeconds: number | null
 * } & Cost} Switch `isDown`: a level had to fall first; `calls`: strings sent; `seconds`: until the
 *   setting was active,
 *   null where it never was;
 *   `settlingSeconds`: from there to the first measured second, null where none came
 * @typedef {{ switches: Switch[], measured: Cost | null, say: string | null }} SwitchCost
 *   `measured`: the worst of the
 *   blocks
 */

/**
 * Milliseconds that count as a second: samples come twice a second, and the server's clock has
 * whole milliseconds.
 */
const SECOND_MS = 950;
/** Milliseconds between two samples in a block, in which a shorter stall is not visible. */
const SHORTEST_STALL_MS = 500;

/** @param {Sample} sample @returns {Moment} */
const momentOf = ({ atMs, uptimeMs, counters }) => ({
  atMs: uptimeMs ?? atMs,
  waitMicros: counters['eviction.waitMicros'] ?? null,
  evictMicros: counters['eviction.appMicros'] ?? null,
  endedOps: sum(counters['latency.readOps'], counters['latency.writeOps']),
  countedOps: sum(...COMPLETED.map((name) => counters[name])),
});

/** @param {(number | undefined)[]} terms @returns {number | null} the sum of the known terms */
const sum = (...terms) => {
  const known = terms.filter((term) => term !== undefined);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
};

/**
 * @param {readonly Moment[]} moments in order
 * @param {Histograms | null} before
 * @param {Histograms | null} after
 * @returns {Cost} null for a figure that is not known
 */
function costOf(moments, before, after) {
  const [reads, writes] = /** @type {const} */ (['reads', 'writes']).map((kind) =>
    between(before?.[kind] ?? null, after?.[kind] ?? null),
  );
  const seconds = secondsOf(moments);
  return {
    worstSecondBlockedThreads: largest(seconds.map(([from, to]) => blockedThreads(from, to))),
    worstSecondOpsPerSec: smallest(seconds.map(([from, to]) => opsPerSec(from, to))),
    longestStallSeconds: longestStall(moments),
    readP99Ms: percentileMs(reads, 0.99),
    writeP99Ms: percentileMs(writes, 0.99),
    slowestMs: largest([slowestMs(reads), slowestMs(writes)]),
  };
}

/**
 * @param {readonly Moment[]} moments
 * @returns {[Moment, Moment][]} every second, as its two ends
 */
function secondsOf(moments) {
  let first = 0;
  return moments.flatMap((to) => {
    if (to.atMs - moments[first].atMs < SECOND_MS) return [];
    while (to.atMs - moments[first + 1].atMs >= SECOND_MS) first += 1;
    return [/** @type {[Moment, Moment]} */ ([moments[first], to])];
  });
}

/**
 * Computes how many threads were blocked. Time spent evicting is part of the wait on some releases,
 * and separate on others: the greater of both counts.
 * @param {Moment} from
 * @param {Moment} to
 */
const blockedThreads = (from, to) =>
  largest([
    perMs(from, to, 'waitMicros', 1 / MICROS_PER_MS),
    perMs(from, to, 'evictMicros', 1 / MICROS_PER_MS),
  ]);

/**
 * Returns the larger rate, as in the throughput of a block.
 * @param {Moment} from @param {Moment} to
 */
const opsPerSec = (from, to) =>
  largest([
    perMs(from, to, 'countedOps', MS_PER_SECOND),
    perMs(from, to, 'endedOps', MS_PER_SECOND),
  ]);

/**
 * @param {Moment} from @param {Moment} to
 * @param {'waitMicros' | 'evictMicros' | 'endedOps' | 'countedOps'} name @param {number} factor
 */
function perMs(from, to, name, factor) {
  const [was, is] = [from[name], to[name]];
  return was === null || is === null || is < was
    ? null
    : ((is - was) / (to.atMs - from.atMs)) * factor;
}

/** @param {readonly Moment[]} moments @returns {number | null} */
function longestStall(moments) {
  const known = moments.filter(({ endedOps }) => endedOps !== null);
  if (known.length < 2) return null;
  let [sinceMs, longestMs] = [known[0].atMs, 0];
  known.slice(1).forEach((moment, i) => {
    if (moment.endedOps !== known[i].endedOps) sinceMs = moment.atMs;
    longestMs = Math.max(longestMs, moment.atMs - sinceMs);
  });
  return longestMs < SHORTEST_STALL_MS ? 0 : longestMs / 1000;
}

/** @param {readonly (number | null)[]} values @returns {number | null} */
const largest = (values) => extreme(values, Math.max);
/** @param {readonly (number | null)[]} values @returns {number | null} */
const smallest = (values) => extreme(values, Math.min);
/** @param {readonly (number | null)[]} values @param {(...values: number[]) => number} pick */
function extreme(values, pick) {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((a, b) => pick(a, b));
}

/** @param {readonly Cost[]} costs @returns {Cost | null} the worst value of each figure */
function worstOf(costs) {
  if (costs.length === 0) return null;
  const max = (/** @type {Exclude<keyof Cost, 'worstSecondOpsPerSec'>} */ name) =>
    largest(costs.map((cost) => cost[name]));
  return {
    worstSecondBlockedThreads: max('worstSecondBlockedThreads'),
    worstSecondOpsPerSec: smallest(costs.map(({ worstSecondOpsPerSec }) => worstSecondOpsPerSec)),
    longestStallSeconds: max('longestStallSeconds'),
    readP99Ms: max('readP99Ms'),
    writeP99Ms: max('writeP99Ms'),
    slowestMs: max('slowestMs'),
  };
}

/** @param {readonly Switch[]} switches @param {readonly Cost[]} blocks @returns {SwitchCost} */
function switchCostOf(switches, blocks) {
  const measured = worstOf(blocks);
  return {
    switches: [...switches],
    measured,
    say: switches.length === 0 ? null : sayCost(switches, measured),
  };
}

/** @param {readonly Switch[]} switches @param {Cost | null} measured */
function sayCost(switches, measured) {
  const down = switches.filter(({ isDown }) => isDown);
  const longest = largest(down.map(({ seconds }) => seconds));
  const how =
    down.length === 0
      ? ''
      : `, ${down.length} down in ` +
        `steps${longest === null ? '' : `, at most ${count(longest)} s each`}`;
  const figures = figuresOf(
    /** @type {Cost} */ (worstOf(down.length === 0 ? switches : down)),
    measured,
  );
  const worst = figures === '' ? '' : ` Worst while switching: ${figures}.`;
  return `${many(switches.length, 'switch', 'switches')}${how}.${worst}`;
}

/**
 * @param {Cost} cost
 * @param {Cost | null} measured
 * @returns {string} each figure beside that of the measured seconds
 */
function figuresOf(cost, measured) {
  const parts = /** @type {const} */ ([
    ['worstSecondBlockedThreads', '', ' application threads blocked by the cache in one second'],
    ['worstSecondOpsPerSec', '', ' operations/s'],
    ['slowestMs', 'slowest operation ', ' ms'],
    ['longestStallSeconds', 'longest stall ', ' s'],
  ]);
  return parts
    .flatMap(([name, before, after]) => {
      const [value, usual] = [cost[name], measured?.[name] ?? null];
      if (value === null || (name === 'longestStallSeconds' && value === 0)) return [];
      // After a name only the unit is printed.
      const unit = before === '' ? '' : after;
      return [
        `${before}${count(value)}${after}${usual === null ? '' : ` (in the blocks ${count(usual)}${unit})`}`,
      ];
    })
    .join(', ');
}

module.exports = { momentOf, costOf, switchCostOf };
