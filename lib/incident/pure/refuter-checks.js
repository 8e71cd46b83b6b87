'use strict';

const { labelOf } = require('./event-codes');
const { hostWithPort } = require('./reconcile');
const { clockText, count, many, MS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { IncidentEvent, IncidentSource } from '../types'
 */

/** What was checked already of what would refute a first cause. */

/** What clients feel. */
const FELT = new Set(['clients-blocked', 'latency-up', 'stall', 'slow-burst']);
/** Of these an earlier sign would show another cause. */
const BEGAN_BEFORE = new Set([
  'index-build',
  'dump-client',
  'ttl-deleted',
  'ttl-burst',
  'transaction-long',
  'connections-up',
  'fsync-locked',
]);
/** Before the first cause (heuristic). */
const BEFORE_MS = 600_000;
/** A line at the edge of a gap is of the time beside it. */
const EDGE_MS = MS_PER_SECOND;
const KILLED = new Set(['process-died', 'process-restarted']);

/**
 * @param {IncidentEvent} first
 * @param {readonly IncidentEvent[]} events
 * @param {readonly IncidentSource[]} sources
 * @returns {string | null} null: nothing that was read could show it
 */
function checkedFor(first, events, sources) {
  if (first.code === 'sample-gap') return inLog(first, events, sources);
  if (KILLED.has(first.code)) return inKernelLog(events, sources);
  return BEGAN_BEFORE.has(first.code) ? beforeIt(first, events, sources) : null;
}

/** @param {IncidentEvent} first @param {readonly IncidentEvent[]} events @param {readonly IncidentSource[]} sources */
function inLog({ host, at, to }, events, sources) {
  const read = linesOf(sources.filter((one) => one.kind === 'log' && isOf(one, host)));
  if (read === 0 || to === null) return null;
  const found = events.filter(
    (one) =>
      one.host === host &&
      one.evidence.source === 'log' &&
      one.at.getTime() > at.getTime() + EDGE_MS &&
      one.at.getTime() < to.getTime() - EDGE_MS,
  );
  return foundText(found, `among the events of the ${count(read)} lines read`);
}

/** @param {readonly IncidentEvent[]} events @param {readonly IncidentSource[]} sources */
function inKernelLog(events, sources) {
  const read = linesOf(sources.filter(({ kind }) => kind === 'kernel'));
  return read === 0
    ? 'no log of the kernel was read'
    : foundText(
        events.filter(({ evidence }) => evidence.source === 'kernel'),
        `among the ${many(read, 'line')} of the kernel's log`,
      );
}

/** @param {IncidentEvent} first @param {readonly IncidentEvent[]} events @param {readonly IncidentSource[]} sources */
function beforeIt({ host, at }, events, sources) {
  const begins = sources
    .filter((one) => one.kind !== 'kernel' && isOf(one, host))
    .flatMap(({ from }) => from?.getTime() ?? []);
  const fromMs = Math.max(at.getTime() - BEFORE_MS, Math.min(...begins));
  if (begins.length === 0 || fromMs >= at.getTime()) return null;
  const found = events.filter(
    (one) => one.host === host && FELT.has(one.code) && one.at < at && one.at.getTime() >= fromMs,
  );
  return foundText(found, `from ${clockText(fromMs)} until it began`);
}

/** @param {readonly IncidentEvent[]} found @param {string} where */
function foundText(found, where) {
  const [one] = found;
  return one === undefined
    ? `none ${where}`
    : `${count(found.length)} ${where}: ${labelOf(one.code)} at ${clockText(one.at)}`;
}

/** @param {IncidentSource} source @param {string | null} host */
const isOf = (source, host) => source.host !== null && hostWithPort(source.host) === host;
/** @param {readonly IncidentSource[]} sources */
const linesOf = (sources) => sources.reduce((sum, { read }) => sum + read, 0);

module.exports = { checkedFor };
