'use strict';

/**
 * The table of what can lead to what, and how soon. The times are heuristics, from the staged
 * incidents of the tests: an effect that comes later is left unexplained rather than explained by
 * chance.
 *
 * @typedef {{ to: readonly string[], seconds: number, before?: number }} Edge `seconds`: from the end
 *   of the cause to the start of the effect; `before`: the effect may have begun so many seconds
 *   earlier, since it lasts or is noticed only then
 */

/** The effects that clients notice, the nearest to the cause first. */
const FELT = Object.freeze([
  'clients-blocked',
  'latency-up',
  'stall',
  'slow-burst',
  'connections-up',
  'load-down',
  'server-status-slow',
]);
const PRESSURE = Object.freeze([
  'dirty-high',
  'cache-full',
  'disk-saturated',
  'journal-slow',
  'cpu-saturated',
  'checkpoint-long',
  'memory-low',
  'swapping',
  ...FELT,
]);
const ENDS = Object.freeze(['process-died', 'process-restarted']);
const SET = Object.freeze(['election-started', 'member-down', 'stepped-down', 'majority-lag']);
/** An orderly shutdown leads to these events. */
const SHUT_DOWN = Object.freeze([...ENDS, ...SET, 'load-down']);
const OF_SHUTDOWN = new Set(SHUT_DOWN);
const WORK = Object.freeze([...PRESSURE, 'majority-lag', 'flow-control', 'history-pinned']);

/** @type {Readonly<Record<string, readonly Edge[]>>} */
const EDGES = Object.freeze({
  'kernel-oom-kill': [{ to: [...ENDS, 'sample-gap'], seconds: 60, before: 30 }],
  'kernel-segfault': [{ to: ENDS, seconds: 60, before: 30 }],
  'kernel-boot': [{ to: ENDS, seconds: 120, before: 3600 }],
  'kernel-io-error': [
    {
      to: ['kernel-fs-error', 'kernel-read-only', 'disk-error', 'process-fatal', ...PRESSURE],
      seconds: 300,
    },
  ],
  'kernel-fs-error': [
    { to: ['kernel-read-only', 'disk-error', 'process-fatal', ...FELT], seconds: 300 },
  ],
  'kernel-read-only': [{ to: ['disk-error', 'process-fatal', ...FELT], seconds: 300 }],
  'kernel-cpu-throttled': [{ to: FELT, seconds: 120 }],
  'kernel-conntrack-full': [{ to: [...FELT, 'member-down', 'election-started'], seconds: 120 }],
  'kernel-syn-flood': [{ to: FELT, seconds: 60 }],
  'kernel-task-blocked': [{ to: FELT, seconds: 60, before: 180 }],
  'disk-full': [{ to: ['process-fatal', 'disk-error', ...ENDS, ...FELT], seconds: 120 }],
  'disk-error': [{ to: ['process-fatal', ...ENDS], seconds: 120 }],
  'process-fatal': [{ to: ENDS, seconds: 120 }],
  'process-signal': [{ to: SHUT_DOWN, seconds: 300 }],
  'process-shutdown-command': [{ to: SHUT_DOWN, seconds: 300 }],
  'process-unclean-start': [{ to: ['recovery-long'], seconds: 60 }],
  'recovery-long': [{ to: [...SET, ...FELT], seconds: 60 }],
  'process-start-failed': [{ to: [...SET, 'load-down'], seconds: 300 }],
  'process-died': [
    {
      to: ['process-unclean-start', 'recovery-long', 'sample-gap', 'process-restarted'],
      seconds: 60,
      before: 15,
    },
    { to: [...SET, ...PRESSURE], seconds: 300 },
  ],
  'process-restarted': [
    { to: ['process-unclean-start', 'recovery-long', 'process-died'], seconds: 60, before: 15 },
    { to: [...SET, ...PRESSURE], seconds: 300 },
  ],
  'sample-gap': [{ to: [...SET, ...FELT, 'flow-control'], seconds: 60 }],
  'member-down': [
    { to: ['election-started', 'stepped-down'], seconds: 30, before: 15 },
    { to: ['majority-lag'], seconds: 120, before: 15 },
  ],
  'step-down-command': [{ to: ['stepped-down', 'election-started', 'load-down'], seconds: 60 }],
  'election-started': [{ to: ['stepped-down', ...FELT], seconds: 60 }],
  'stepped-down': [{ to: ['connections-up', 'load-down', 'latency-up'], seconds: 60 }],
  'fsync-locked': [{ to: [...FELT, 'majority-lag', 'flow-control'], seconds: 30 }],
  'parameter-set': [{ to: WORK, seconds: 900 }],
  'tune-changed': [{ to: WORK, seconds: 900 }],
  'index-build': [{ to: WORK, seconds: 60 }],
  'dump-client': [{ to: WORK, seconds: 60 }],
  // The TTL monitor begins its next pass within a minute, and a pass may take long.
  'ttl-set': [{ to: [...WORK, 'ttl-deleted', 'ttl-burst'], seconds: 900 }],
  'ttl-deleted': [{ to: WORK, seconds: 60 }],
  // Counted when a pass is over: what it did to others began before.
  'ttl-burst': [{ to: WORK, seconds: 60, before: 60 }],
  'load-up': [{ to: WORK, seconds: 60 }],
  'transaction-long': [{ to: WORK, seconds: 60 }],
  'history-pinned': [{ to: PRESSURE, seconds: 60 }],
  'majority-lag': [{ to: ['history-pinned', 'flow-control', ...PRESSURE], seconds: 120 }],
  'flow-control': [{ to: ['latency-up', 'slow-burst', 'load-down'], seconds: 60 }],
  'journal-slow': [{ to: ['checkpoint-long', 'dirty-high', 'cache-full', ...FELT], seconds: 60 }],
  'cpu-saturated': [{ to: FELT, seconds: 60 }],
  'connections-up': [
    {
      to: ['memory-low', 'cpu-saturated', 'clients-blocked', 'latency-up', 'stall', 'slow-burst'],
      seconds: 60,
    },
  ],
  'memory-low': [{ to: ['swapping', ...FELT], seconds: 120 }],
  swapping: [{ to: FELT, seconds: 60 }],
  'disk-saturated': [
    { to: ['journal-slow', 'checkpoint-long', 'dirty-high', ...FELT], seconds: 60 },
  ],
  'checkpoint-long': [{ to: ['journal-slow', 'dirty-high', 'cache-full', ...FELT], seconds: 30 }],
  'cache-full': [{ to: FELT, seconds: 60 }],
  'dirty-high': [{ to: FELT, seconds: 60 }],
  'clients-blocked': [
    { to: ['latency-up', 'stall', 'slow-burst', 'connections-up', 'load-down'], seconds: 60 },
  ],
  stall: [{ to: ['slow-burst', 'connections-up', 'load-down', 'server-status-slow'], seconds: 60 }],
  'latency-up': [{ to: ['slow-burst', 'connections-up', 'load-down'], seconds: 60 }],
  'slow-burst': [{ to: ['connections-up'], seconds: 60 }],
  'clock-jump': [{ to: SET, seconds: 120 }],
});

/**
 * Effects that do not begin before their first cause, over whatever links, not even by a sample:
 * connections that rose before the CPUs were busy are not opened by clients that waited for them.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const NEVER_EARLIER = Object.freeze({ 'cpu-saturated': ['connections-up'] });

/** Effects that another member can have caused. */
const OF_SET = new Set([...SET, 'flow-control']);

/** Parameters that change how the engine, or the admission of operations, works. */
const ENGINE_PARAMETERS =
  /^(?:wiredTiger|storageEngine|syncdelay|journalCommitInterval|ttlMonitor|transactionLifetime|flowControl|enableFlowControl|internalQuery|ingress|maxTransaction|minSnapshotHistory|oplog|defaultMaxTimeMS|cacheSize)/i;

const KILLED =
  'A log of the kernel, or of the service manager, of that minute that names another reason for the end of mongod.';
const WORKS =
  'The same work on a normal night without blocked clients, or signs of them from before it began.';
/**
 * Events that would show another first cause.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const REFUTATIONS = Object.freeze({
  'kernel-oom-kill': ['A sign that mongod had ended before the kernel killed it.'],
  'kernel-io-error': [
    'A disk that no file of mongod lies on: compare the device with that of dbPath.',
  ],
  'kernel-boot': ['A sign that mongod had ended before the machine went down.'],
  'disk-full': ['Free space on the disk of dbPath at that time, as its monitoring recorded it.'],
  'process-died': [
    KILLED,
    'Without a log of the kernel a kill and a crash of the machine look the same.',
  ],
  'process-restarted': [KILLED],
  'process-fatal': ['An error of the disk or of the kernel just before the assertion.'],
  'process-signal': ['An entry of the service manager that shows why the signal was sent.'],
  'sample-gap': ['A log line of mongod within that time: a frozen process writes none.'],
  'parameter-set': ['The same value on a normal day under the same load without blocked clients.'],
  'tune-changed': ['The same value on a normal day under the same load without blocked clients.'],
  'index-build': [WORKS],
  'dump-client': [WORKS],
  'journal-slow': [
    'A disk or volume that was as slow on a normal day: compare the latency in its monitoring.',
  ],
  'ttl-set': [
    'Few documents that were due by the new time: compare their number before and after.',
  ],
  'cpu-saturated': ['CPUs that were as busy on a normal day without slower operations.'],
  'ttl-deleted': [WORKS],
  'ttl-burst': [WORKS],
  'load-up': ['The same load on a normal day without blocked clients.'],
  'transaction-long': ['Clients that waited before it began, or still waited when it had ended.'],
  'connections-up': [
    'Slow operations from before the connections rose: then clients opened them because they waited.',
  ],
  'member-down': ['Diagnostic data of that member from that time: then it ran.'],
  'majority-lag': ['Diagnostic data of the secondaries that shows all of them applying writes.'],
  'fsync-locked': ['Clients that waited before the lock was taken.'],
});
const UNCAUSED = Object.freeze([
  'A cause in logs that were not given: of the kernel, of the other members, of the applications.',
]);

module.exports = {
  EDGES,
  NEVER_EARLIER,
  OF_SET,
  OF_SHUTDOWN,
  ENGINE_PARAMETERS,
  REFUTATIONS,
  UNCAUSED,
};
