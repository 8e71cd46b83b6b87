'use strict';

const { codeOf } = require('./event-codes');

/**
 * @import { RawEvent } from '../types'
 */

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

module.exports = { EventList };
