'use strict';

const { settingsOf } = require('../../config/change');
const { settingsIn } = require('../../config/effective-config');
const { isKnown } = require('./code-words');
const { labelOf } = require('./event-codes');
const { hostWithPort } = require('./reconcile');
const { clockText, count, many, MS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { IncidentEvent, IncidentSource } from '../types'
 */

/**
 * Finds what follows from a first cause: what would refute it and was checked already, and what to
 * do next.
 */

/** Clients wait: they notice these signs first. */
const WAITING_SIGNS = new Set(['clients-blocked', 'latency-up', 'stall', 'slow-burst']);
/** An earlier sign before these would show another cause. */
const BEGAN_BEFORE = new Set([
  'index-build',
  'dump-client',
  'ttl-deleted',
  'ttl-burst',
  'transaction-long',
  'connections-up',
  'fsync-locked',
]);
/** How long before the first cause to search (heuristic). */
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
  const read = linesOf(sources.filter((source) => source.kind === 'log' && isOf(source, host)));
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
    .filter((source) => source.kind !== 'kernel' && isOf(source, host))
    .flatMap(({ from }) => from?.getTime() ?? []);
  const fromMs = Math.max(at.getTime() - BEFORE_MS, Math.min(...begins));
  if (begins.length === 0 || fromMs >= at.getTime()) return null;
  const found = events.filter(
    (one) =>
      one.host === host && WAITING_SIGNS.has(one.code) && one.at < at && one.at.getTime() >= fromMs,
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

const SIGN =
  'Check what the clients sent just before it: slow operations of the log (id 51803), connections (id 22943).';
const DEVICE = 'Check the disk: smartctl, the kernel log, the state of the volume at its provider.';
const MEMORY =
  'List what used memory then: other processes, connections, wiredTigerCacheSizeGB against the limit.';
const DISK_LOAD =
  'Compare the latency of the volume with its limit: iostat -x, the monitoring of its provider.';
const TTL = 'Spread the deletes: fewer documents due at once.';
const CHANGE =
  'Ask who changed it and why. tune.drift() shows the value at start; revert it with ' +
  'db.adminCommand({ setParameter: 1, … }).';

/**
 * Says what to do next, in one line for each first cause. No step in it changes a server by itself.
 * @type {Readonly<Record<string, string>>}
 */
const NEXT = Object.freeze({
  'kernel-oom-kill': MEMORY,
  'kernel-segfault':
    'Keep the stack trace of the log and the core file, and search the release notes for a fix.',
  'kernel-io-error': DEVICE,
  'kernel-fs-error': `${DEVICE} Do not repair a file system that mongod has open.`,
  'kernel-read-only': DEVICE,
  'kernel-task-blocked': DISK_LOAD,
  'kernel-cpu-throttled': 'Check the cooling of the machine; ask its provider.',
  'kernel-syn-flood':
    'Find who opened the connections: log id 22943 by remote address; limit the pools.',
  'kernel-conntrack-full':
    'Raise net.netfilter.nf_conntrack_max, or take the port of mongod out of tracking.',
  'kernel-boot': 'Ask who restarted the machine: last -x, journalctl --list-boots, its provider.',
  'disk-full':
    'Make free space on the disk of dbPath before the next start: df -h, and find what grew. Delete no ' +
    'data or journal file in dbPath.',
  'disk-error': DEVICE,
  'disk-saturated': DISK_LOAD,
  'journal-slow': DISK_LOAD,
  'cpu-saturated':
    'Find what used the CPUs: other processes of the machine, scans in the slow operations.',
  'sample-gap':
    'Ask who stopped the process: debugger, SIGSTOP, container freeze, snapshot of the machine.',
  'server-status-slow': SIGN,
  stall: SIGN,
  'memory-low': MEMORY,
  swapping: MEMORY,
  'process-unclean-start':
    'Find why the run before it ended: its last log lines, and the kernel log of that minute.',
  'recovery-long':
    'Find why the run before it ended: its last log lines, and the kernel log of that minute.',
  'process-signal':
    'Ask who sent the signal: the service manager, an operator, the container runtime.',
  'process-shutdown-command':
    'Ask who sent the command: connections from before it in the log (id 22943, 51800).',
  'process-died':
    'Read the kernel log of that minute (journalctl -k, dmesg -T), and give it with kernelLog.',
  'process-restarted':
    'Ask who restarted it: the service manager, an operator; read the last log lines before.',
  'process-fatal':
    'Read the lines before the assertion in the log, and search known bugs for its number.',
  'process-start-failed': 'Fix what the error names, then start mongod again.',
  'member-down':
    'Check that member and the network to it: does it run, and does its own log have that time?',
  'election-started':
    'Find why the primary was not seen: its own log and the network of that minute.',
  'stepped-down':
    'Find why it stepped down: the network to the other members, and their logs of that minute.',
  'step-down-command':
    'Ask who sent replSetStepDown: connections from before it in the log (id 22943, 51800).',
  'majority-lag': 'Find which secondary lags and why: its disk, its load, its network.',
  'flow-control': 'Find which secondary lags and why: its disk, its load, its network.',
  'clock-jump': 'Check the time service of the machine (chronyc tracking), and who set the clock.',
  'parameter-set': CHANGE,
  'tune-changed': 'Revert the change if it was not wanted: tune.undo().',
  'index-build': 'Build indexes when load is low, or one member after the other.',
  'fsync-locked': 'Find which backup locks with fsync; unlock sooner, or back up from a secondary.',
  'dump-client': 'Run the dump on a secondary without clients, or when load is low.',
  'ttl-set': 'Delete in smaller steps: lower the TTL little by little.',
  'ttl-deleted': TTL,
  'ttl-burst': TTL,
  'checkpoint-long': DISK_LOAD,
  'cache-full': SIGN,
  'dirty-high': SIGN,
  'clients-blocked': SIGN,
  'latency-up': SIGN,
  'load-up':
    'Find who sent more: connections by remote address (log id 22943), names of applications (id 51800).',
  'load-down': 'Ask the applications whether they stopped, and whether they reached the server.',
  'connections-up':
    'Find who opened the connections: log id 22943 by remote address; limit the pools.',
  'slow-burst':
    'Check the slow shape: its plan in the log (id 51803), and the index that it needs.',
  'transaction-long':
    'Find its client by the log (id 51802), and commit sooner, or lower transactionLifetimeLimitSeconds.',
  'history-pinned': 'Find the transaction or cursor that stayed open, by the log (id 51802).',
});

/**
 * @param {IncidentEvent} first cause
 * @returns {string | null}
 */
function nextStep({ code, values }) {
  const settings = code === 'parameter-set' ? settingsOf(settingsIn(String(values.to))) : [];
  if (settings.length > 0) return setBack(settings);
  if (code === 'transaction-long' && isKnown(values.application))
    return `Have ${values.application} commit sooner, or lower transactionLifetimeLimitSeconds.`;
  return Object.hasOwn(NEXT, code) ? NEXT[code] : null;
}

/** @param {readonly string[]} settings */
const setBack = (settings) =>
  `1. Revert ${settings.join(', ')}: tune.drift() shows the value at start and, if it is a whole number, ` +
  'the command that sets it. 2. Ask who changed it, and why.';

module.exports = { NEXT, nextStep, checkedFor };
