'use strict';

const { MACHINE_CODES } = require('./machine-codes');
const { PROCESS_CODES } = require('./process-codes');
const { WORK_CODES } = require('./work-codes');

/**
 * @import { EventKind, EventValues } from '../types'
 */

/**
 * Every event of an incident: its kind, its role in a chain, and its sentence.
 *
 * @typedef {'trigger' | 'both' | 'symptom' | 'context'} Role `trigger`: can be a first cause and asks
 *   for none; `symptom`: asks for a cause; `both`: either; `context`: neither
 * @typedef {{
 *   kind: EventKind, role: Role, weight: number, stage: number, say(values: EventValues): string
 * }} Code `weight`: how much an explanation of it counts, and of a trigger how specific it is;
 *   `stage`: its place from the machine (0) to the clients (5), the order in which one leads to the
 *   next
 */

/** @type {Readonly<Record<string, Code>>} */
const CODES = Object.freeze({ ...PROCESS_CODES, ...MACHINE_CODES, ...WORK_CODES });

/** @param {string} code @returns {Code | null} */
const codeOf = (code) => (Object.hasOwn(CODES, code) ? CODES[code] : null);

/** Each event as a part of a sentence: the one name of it on screens, on pages and in bundles. */
const LABELS = Object.freeze(
  /** @type {Record<string, string>} */ ({
    'process-started': 'a start',
    'process-ready': 'a server ready for connections',
    'process-recovered': 'the end of a recovery',
    'process-exited': 'an exit',
    'member-state': 'a new state of a member',
    'state-changed': 'a new state of the server',
    'election-won': 'an election that was won',
    'log-rotated': 'a rotated log',
    'profiler-set': 'a changed profiler level',
    'kernel-segfault': 'a crash',
    'kernel-io-error': 'I/O errors of a disk',
    'kernel-fs-error': 'an error of the file system',
    'kernel-read-only': 'a read-only file system',
    'kernel-task-blocked': 'a process blocked in the kernel',
    'kernel-cpu-throttled': 'throttled CPUs',
    'kernel-syn-flood': 'more new connections than the kernel queues',
    'kernel-conntrack-full': 'a full connection tracking table',
    'kernel-boot': 'a start of the machine',
    'disk-error': 'an error of the disk',
    'disk-saturated': 'a busy disk',
    'server-status-slow': 'a slow serverStatus',
    'memory-low': 'little available memory',
    'process-start-failed': 'a start that failed',
    'process-shutdown-command': 'the command shutdown',
    'step-down-command': 'the command replSetStepDown',
    'flow-control': 'flow control',
    'clock-jump': 'a clock that was set back',
    'checkpoint-long': 'a long checkpoint',
    swapping: 'swapping',
    stall: 'a stall',
    'sample-gap': 'no samples of mongod',
    'slow-burst': 'many slow operations',
    'load-up': 'more operations',
    'load-down': 'fewer operations',
    'latency-up': 'slower operations',
    'connections-up': 'more connections',
    'clients-blocked': 'blocked application threads',
    'process-died': 'the end of mongod without a shutdown',
    'process-restarted': 'a restart',
    'process-fatal': 'mongod aborted',
    'process-unclean-start': 'a start with recovery',
    'process-signal': 'a signal',
    'kernel-oom-kill': 'a kill by the kernel, out of memory (OOM)',
    'parameter-set': 'a changed parameter',
    'tune-changed': 'a change by tune',
    'journal-slow': 'slow writes of the journal',
    'recovery-long': 'a long recovery',
    'cpu-saturated': 'busy CPUs',
    'disk-full': 'a full disk',
    'ttl-set': 'a changed TTL',
    'ttl-deleted': 'deletes of the TTL monitor',
    'ttl-burst': 'deletes of the TTL monitor',
    'member-down': 'a member that no longer answered',
    'stepped-down': 'a primary that stepped down',
    'election-started': 'an election',
    'fsync-locked': 'a lock against writes',
    'majority-lag': 'a lagging majority',
    'dirty-high': 'much dirty data',
    'cache-full': 'a full cache',
    'transaction-long': 'a long transaction',
    'history-pinned': 'an old snapshot',
    'index-build': 'an index build',
    'dump-client': 'a dump',
  }),
);

/** An event of a chain as a part of a sentence. @param {string} code @returns {string} */
const labelOf = (code) => (Object.hasOwn(LABELS, code) ? LABELS[code] : code);

/**
 * Names each kind of event once: `a changed parameter, slower operations (3)`.
 * @param {readonly { code: string }[]} events
 * @param {number} [max] the maximum number of names; the number of further ones follows
 */
function countedLabels(events, max = Infinity) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const label of events.map(({ code }) => labelOf(code)))
    counts.set(label, (counts.get(label) ?? 0) + 1);
  const all = [...counts].map(([label, n]) => (n === 1 ? label : `${label} (${n})`));
  const more = all.length > max ? [`and ${all.length - max} more kinds`] : [];
  return [...all.slice(0, max), ...more].join(', ');
}

/** @param {{ code: string }} event @returns {number} by which events of the same seconds are put in order */
const stageOf = ({ code }) => codeOf(code)?.stage ?? 0;

module.exports = { CODES, codeOf, labelOf, countedLabels, stageOf };
