'use strict';

const { DEFAULT_PORT } = require('../../server/pure/facts');
const { codeOf } = require('./event-codes');

/**
 * @import { RawEvent } from '../types'
 */

/** Makes one event of what two sources recorded: the log names it, the counters show its size. */

/** The log and the samples of one process differ by less than this (heuristic). */
const SAME_MS = 20_000;

/** For these codes the log says more than diagnostic data. */
const BETTER = Object.freeze(
  /** @type {Record<string, readonly string[]>} */ ({
    'process-restarted': ['process-died', 'process-restarted'],
    'state-changed': ['state-changed'],
    'ttl-burst': ['ttl-deleted'],
    'sample-gap': ['process-died', 'process-restarted'],
  }),
);
/** A log that names tune's own change by the command that it sent. */
const TUNE_MS = 15_000;

/** @param {readonly RawEvent[]} events @returns {RawEvent[]} */
function reconciled(events) {
  const named = events.map(withPort);
  const fromLog = named.filter(({ evidence }) => evidence.source === 'log');
  for (const event of named)
    if (event.code === 'process-restarted' && event.evidence.source === 'ftdc')
      refineDeath(event, fromLog);
  const once = named.filter(
    (event) => event.evidence.source === 'log' || !fromLog.some((other) => isSame(event, other)),
  );
  return withoutTwins(mergedConnections(once));
}

/** Diagnostic data leaves out the default port, a log does not. @param {RawEvent} event @returns {RawEvent} */
const withPort = (event) =>
  event.host === null || event.evidence.source === 'kernel'
    ? { ...event }
    : { ...event, host: hostWithPort(event.host) };

/** @param {string} host */
const hostWithPort = (host) => (/:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORT}`);

/**
 * A quiet log has no line for minutes before a process dies: its last sample is nearer to it.
 * @param {RawEvent} restart of diagnostic data
 * @param {readonly RawEvent[]} fromLog changed
 */
function refineDeath({ host, fromMs, toMs }, fromLog) {
  const death = fromLog.find(
    (one) =>
      one.code === 'process-died' &&
      one.host === host &&
      one.fromMs < fromMs &&
      fromMs < Number(one.toMs) &&
      Number(one.toMs) < Number(toMs) + SAME_MS,
  );
  if (death === undefined) return;
  death.fromMs = fromMs;
  death.values = { ...death.values, downSeconds: (Number(death.toMs) - fromMs) / 1000 };
}

/** @param {RawEvent} event @param {RawEvent} other */
const isSame = (event, other) =>
  event.host === other.host &&
  (BETTER[event.code] ?? []).includes(other.code) &&
  (event.code !== 'state-changed' || event.values.to === other.values.to) &&
  event.fromMs <= (other.toMs ?? other.fromMs) + SAME_MS &&
  (event.toMs ?? event.fromMs) >= other.fromMs - SAME_MS;

/** New connections of the log belong to the rise that the samples show. @param {RawEvent[]} events */
function mergedConnections(events) {
  const rises = events.filter(
    ({ code, evidence }) => code === 'connections-up' && evidence.source === 'ftdc',
  );
  return events.filter((event) => {
    if (event.code !== 'connections-up' || event.evidence.source === 'ftdc') return true;
    const rise = rises.find(
      ({ host, fromMs, toMs }) =>
        host === event.host &&
        event.fromMs <= (toMs ?? fromMs) + SAME_MS &&
        (event.toMs ?? event.fromMs) >= fromMs - SAME_MS,
    );
    if (rise === undefined) return true;
    rise.fromMs = Math.min(rise.fromMs, event.fromMs);
    rise.values = { ...rise.values, perSec: event.values.perSec };
    rise.evidence = event.evidence;
    return false;
  });
}

/** A change of tune's own is in the server's log, too: that one says by whom. @param {RawEvent[]} events */
function withoutTwins(events) {
  const ours = events.filter(({ code }) => code === 'tune-changed');
  return events.filter(
    (event) =>
      event.code !== 'parameter-set' ||
      !ours.some(
        ({ host, fromMs }) => host === event.host && Math.abs(fromMs - event.fromMs) <= TUNE_MS,
      ),
  );
}

/**
 * Sorts events by weight: the last ones are left out where there are too many.
 * @param {RawEvent} a
 * @param {RawEvent} b
 */
const mostTellingFirst = (a, b) => weightOf(b) - weightOf(a);

/** The code decides, among equals the count. @param {RawEvent} event */
const weightOf = ({ code, count }) =>
  (codeOf(code)?.weight ?? 0) * COUNT_LIMIT + Math.min(COUNT_LIMIT - 1, count);
const COUNT_LIMIT = 1000;

module.exports = { reconciled, hostWithPort, mostTellingFirst };
