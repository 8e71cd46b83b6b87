'use strict';

const { DEFAULT_PORT } = require('../../server/pure/facts');
const { codeOf } = require('./event-codes');

/**
 * @import { RawEvent } from '../types'
 */

/**
 * One thing that two sources recorded is one event: the log names it, the counters show its size.
 */

/** Log and samples of one process differ by less than this (heuristic). */
const SAME_MS = 20_000;

/** What the log says better than diagnostic data does, by the codes of the two. */
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

/** What is left out first where there is too much: a number for sorting. @param {RawEvent} event */
const CONTEXT_LAST = ({ code, count }) => {
  const about = codeOf(code);
  return -((about?.weight ?? 0) * 1000 + Math.min(999, count));
};

/** Two of a kind that follow each other so quickly are one event with a count (heuristic). */
const MERGE_MS = 60_000;
/** Events kept of each code: more cannot be read, and a log of a bad night has millions of lines. */
const MAX_OF_CODE = 200;
/** Values by which two events of one code are different ones. */
const KEYS = Object.freeze(
  /** @type {Record<string, readonly string[]>} */ ({
    'kernel-io-error': ['device'],
    'kernel-fs-error': ['device'],
    'kernel-oom-kill': ['pid'],
    'kernel-task-blocked': ['process'],
    'member-state': ['member', 'state'],
    'member-down': ['member'],
    'state-changed': ['from', 'to'],
    'parameter-set': ['parameter', 'from', 'to'],
    'dump-client': ['application'],
    'election-started': ['reason'],
    'ttl-deleted': ['ns', 'index'],
    'tune-changed': ['settings'],
  }),
);
/** Each of these stays an event of its own. */
const NEVER_MERGED = new Set([
  'index-build',
  'stall',
  'fsync-locked',
  'process-started',
  'process-died',
  'process-restarted',
  'member-state',
  'state-changed',
  'election-started',
  'election-won',
  'stepped-down',
]);

/** Events in bounded memory: repetitions become a count, and what is too many is counted. */
class EventList {
  constructor() {
    /** @type {RawEvent[]} */
    this.events = [];
    /** @type {Map<string, RawEvent>} */
    this.last = new Map();
    /** @type {Map<string, number>} */
    this.perCode = new Map();
    this.dropped = 0;
  }

  /**
   * @param {RawEvent} event
   * @returns {RawEvent | null} the one in the list that now has it; null: there were too many
   */
  add(event) {
    const key = keyOf(event);
    const before = this.last.get(key);
    const atMs = event.toMs ?? event.fromMs;
    const endMs = before === undefined ? NaN : (before.toMs ?? before.fromMs);
    if (before !== undefined && !NEVER_MERGED.has(event.code) && isNear(event.fromMs, endMs)) {
      before.toMs = Math.max(endMs, atMs);
      before.count += event.count;
      return before;
    }
    const number = (this.perCode.get(event.code) ?? 0) + 1;
    this.perCode.set(event.code, number);
    if (number > MAX_OF_CODE || codeOf(event.code) === null) {
      this.dropped += event.count;
      return null;
    }
    const kept = { ...event };
    this.events.push(kept);
    this.last.set(key, kept);
    return kept;
  }
}

/** @param {number} fromMs @param {number} endMs */
const isNear = (fromMs, endMs) => Math.abs(fromMs - endMs) <= MERGE_MS;

/** @param {RawEvent} event */
const keyOf = ({ code, host, values }) =>
  [code, host, ...(KEYS[code] ?? []).map((name) => values[name])].join('\0');

module.exports = { reconciled, hostWithPort, CONTEXT_LAST, EventList };
