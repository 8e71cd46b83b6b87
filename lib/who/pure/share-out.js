'use strict';

const { isWrite, presenceOf, runningOf } = require('./groups');
const { metricsOf } = require('../../server/pure/metrics');
const { isCpuBusy, isMachineShared } = require('../../signals/cpus');

/**
 * @import { Group, Lost, Resource, Totals } from '../types'
 * @import { Window } from '../../server/pure/window'
 * @import { Facts } from '../../server/pure/types'
 */

/**
 * @typedef {Group & { lost: Lost, lostSeconds: number, share: number }} Row
 * @typedef {{ rows: Row[], lost: Lost, lostSeconds: number, unseen: Lost, unseenSeconds: number }}
 *   Shared `unseen`: what the engine counted and nothing that was seen accounts for
 */

const RESOURCES = /** @type {const} */ ([
  'reading',
  'eviction',
  'throttled',
  'majority',
  'queued',
  'cpu',
]);

/**
 * Shares the wait time that the engine counted out to the groups. What the log says of an operation
 * is taken as it is. The rest goes to what samples saw beyond the log, and never more of it than
 * it was seen for; waits for tickets go to those that hold them.
 * @param {readonly Group[]} groups
 * @param {Totals} totals
 * @returns {Shared}
 */
function shareOut(groups, totals) {
  const running = groups.map(runningOf);
  const beyondLog = groups.map((group, i) => Math.max(0, running[i] - group.accountedSeconds));
  const writing = groups.map((group, i) =>
    isWrite(group) || group.task !== null ? running[i] : 0,
  );
  const read = logged(totals.reading, groups, 'readSeconds');
  const evicted = logged(totals.eviction, groups, 'cacheSeconds');
  const [reading, eviction] = together([read, evicted], beyondLog);
  const majority = logged(totals.majority, groups, 'majoritySeconds');
  const busy = running.map((seconds, i) => Math.max(0, seconds - reading[i] - eviction[i]));
  /** @type {{ [resource in Resource]: number[] }} */
  const given = {
    reading,
    eviction,
    majority: add(majority.own, allot(majority.rest, writing)),
    throttled: allot(totals.throttled ?? 0, writing),
    queued: spread(totals.queued ?? 0, running),
    cpu: allot(totals.cpu ?? 0, busy),
  };
  return summary(groups, given, totals);
}

/**
 * @param {readonly Group[]} groups
 * @param {{ [resource in Resource]: number[] }} given
 * @param {Totals} totals
 * @returns {Shared}
 */
function summary(groups, given, totals) {
  const lost = lostOf((resource) => Math.max(totals[resource] ?? 0, total(given[resource])));
  const unseen = lostOf((resource) => Math.max(0, lost[resource] - total(given[resource])));
  const lostSeconds = total(Object.values(lost));
  const rows = groups
    .map((group, i) => {
      const own = lostOf((resource) => given[resource][i]);
      const seconds = total(Object.values(own));
      const share = lostSeconds === 0 ? 0 : seconds / lostSeconds;
      return { ...group, lost: own, lostSeconds: seconds, share };
    })
    .sort((a, b) => b.lostSeconds - a.lostSeconds || presenceOf(b) - presenceOf(a));
  return { rows, lost, lostSeconds, unseen, unseenSeconds: total(Object.values(unseen)) };
}

/** @param {(resource: Resource) => number} value @returns {Lost} */
const lostOf = (value) =>
  /** @type {Lost} */ (Object.fromEntries(RESOURCES.map((name) => [name, value(name)])));

/**
 * Takes what the log itself attributes, never more than the engine counted; `rest`: the remainder.
 * @param {number | null} counted
 * @param {readonly Group[]} groups
 * @param {'readSeconds' | 'cacheSeconds' | 'majoritySeconds'} name
 */
function logged(counted, groups, name) {
  const own = groups.map((group) => group[name]);
  const sum = total(own);
  const scale = counted === null || sum <= counted ? 1 : counted / sum;
  return { own: own.map((n) => n * scale), rest: Math.max(0, (counted ?? 0) - sum) };
}

/**
 * Several rests by one set of weights, none of which gives more than it is.
 * @param {{ own: number[], rest: number }[]} parts
 * @param {readonly number[]} weights
 */
function together(parts, weights) {
  const rest = total(parts.map((part) => part.rest));
  const given = allot(rest, weights);
  return parts.map(({ own, rest: part }) =>
    rest === 0
      ? own
      : add(
          own,
          given.map((n) => (n * part) / rest),
        ),
  );
}

/**
 * Spreads seconds by weights, and gives each at most its weight.
 * @param {number} seconds
 * @param {readonly number[]} weights
 */
const allot = (seconds, weights) => spread(Math.min(seconds, total(weights)), weights);

/** @param {number} seconds @param {readonly number[]} weights */
function spread(seconds, weights) {
  const sum = total(weights);
  return weights.map((weight) => (sum === 0 ? 0 : (seconds * weight) / sum));
}

/** @param {readonly number[]} a @param {readonly number[]} b */
const add = (a, b) => a.map((n, i) => n + b[i]);
/** @param {readonly number[]} list */
const total = (list) => list.reduce((sum, n) => sum + n, 0);

/**
 * Adds the rows up by one field, the largest first.
 * @param {readonly Row[]} rows
 * @param {'ns' | 'app' | 'task'} field
 * @returns {{ name: string, lostSeconds: number, share: number }[]}
 */
function sumBy(rows, field) {
  /** @type {Map<string, { name: string, lostSeconds: number, share: number }>} */
  const sums = new Map();
  for (const row of rows) {
    const name = row[field];
    if (!name) continue;
    const sum = sums.get(name) ?? { name, lostSeconds: 0, share: 0 };
    sum.lostSeconds += row.lostSeconds;
    sum.share += row.share;
    sums.set(name, sum);
  }
  return [...sums.values()].sort((a, b) => b.lostSeconds - a.lostSeconds);
}

/**
 * Computes the waits that the engine counted over a window, in seconds of threads.
 * @param {Window} window
 * @param {Facts} facts
 * @returns {Totals}
 */
function totalsOf(window, facts) {
  const metrics = metricsOf(window, facts);
  const over = (/** @type {number | undefined} */ threads) =>
    threads === undefined ? null : threads * window.seconds;
  const evicting = [metrics['clients.evictingThreads'], metrics['clients.waitingThreads']].flatMap(
    (n) => n ?? [],
  );
  return {
    reading: over(metrics['clients.readingThreads']),
    eviction: evicting.length === 0 ? null : over(Math.max(...evicting)),
    throttled: over(metrics['clients.throttledThreads']),
    majority: over(metrics['clients.majorityThreads']),
    queued: over(metrics['clients.queued']),
    cpu: isCpuBusy(metrics) || isMachineShared(metrics) ? over(metrics['process.cpuCores']) : 0,
  };
}

module.exports = { shareOut, sumBy, totalsOf };
