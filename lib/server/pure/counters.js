'use strict';

/**
 * @import { MetricOfDisk, SystemCounter } from './system-counters'
 */

/**
 * THE map: what each server release calls a counter. Our name on the left; the spellings on the
 * right, newest first, and the first one present in a document wins. The look-up goes by presence,
 * never by version; the releases in the comments are for people. Seen in 69 releases from 3.2 to
 * 9.0; units are those of our name (`…Ms`, `…Micros`, `…Bytes`).
 *
 * A counter only grows while the server runs, so that only a difference means something; a gauge
 * means something by itself.
 *
 * @typedef {{ path: readonly string[], scale?: number }} Spelling `scale` turns the server's unit
 *   into ours
 * @typedef {{ kind: 'counter' | 'gauge', spellings: readonly Spelling[] }} Definition
 */

/** @param {string} section @param {readonly string[]} names @param {number} [scale] */
const wt = (section, names, scale) =>
  names.map((name) => ({ path: ['wiredTiger', section, name], scale }));
const cache = (/** @type {string[]} */ ...names) => wt('cache', names);
const at = (/** @type {string} */ dotted, scale = 1) => [{ path: dotted.split('.'), scale }];
/** @param {readonly Spelling[][]} spellings @returns {Definition} */
const counter = (...spellings) => ({ kind: 'counter', spellings: spellings.flat() });
/** @param {readonly Spelling[][]} spellings @returns {Definition} */
const gauge = (...spellings) => ({ kind: 'gauge', spellings: spellings.flat() });
/**
 * A checkpoint figure: 8.0 moved it to a section of its own and dropped the prefix.
 * @param {string} name
 * @param {number} [scale]
 */
const checkpoint = (name, scale) => [
  ...wt('checkpoint', [name], scale),
  ...wt('transaction', [`transaction checkpoint ${name}`], scale),
];
/**
 * @param {'read' | 'write'} side
 * @param {string} field 7.0 and older: concurrentTransactions; 8.0: queues.execution
 */
const ticket = (side, field) => [
  ...at(`queues.execution.${side}.${field}`),
  ...at(`wiredTiger.concurrentTransactions.${side}.${field}`),
];
const PERCENT = 0.01; // 9.0 tells its thresholds in percent multiplied by 100
const threshold = (/** @type {string} */ name) =>
  gauge(wt('cache', [`eviction threshold cache ${name} multiplied by 100 for precision`], PERCENT));
const MIB = 2 ** 20;
/** The time moved from thread-yield to cache in 8.0 under the same name. @param {string} name */
const threadTime = (name) => [...cache(name), ...wt('thread-yield', [name])];
/**
 * One class of WiredTiger's own latency histograms. 8.0 put a class before the first, so that the
 * number of each rose by one: the label tells which it is, the number does not.
 * @param {'read' | 'write'} side
 * @param {string} label
 * @param {number} number until 7.0
 */
const latency = (side, label, number) =>
  counter(
    wt(
      'perf',
      [number + 1, number].map(
        (bucket) => `file system ${side} latency histogram (bucket ${bucket}) - ${label}`,
      ),
    ),
  );

const COUNTERS = Object.freeze({
  'cache.maxBytes': gauge(cache('maximum bytes configured')),
  'cache.usedBytes': gauge(cache('bytes currently in the cache')),
  'cache.dirtyBytes': gauge(cache('tracked dirty bytes in the cache')),
  // What WiredTiger compares with the dirty trigger; 7.0.18+, 8.0.5+.
  'cache.dirtyLeafBytes': gauge(cache('tracked dirty leaf page bytes in the cache')),
  'cache.updatesBytes': gauge(cache('bytes allocated for updates')),
  'cache.historyBytes': gauge(cache('bytes belonging to the history store table in the cache')),
  'cache.readBytes': counter(cache('bytes read into cache')),
  'cache.writtenBytes': counter(cache('bytes written from cache')),
  'cache.pagesRead': counter(cache('pages read into cache')),
  'cache.pagesRequested': counter(cache('pages requested from the cache')),
  'cache.historyOnDiskBytes': gauge(cache('history store table on-disk size')),

  // The old counter rose before the attempt, so it always counted attempts: 8.1's "attempts" is the
  // same figure.
  'eviction.appPages': counter(
    cache('page evict attempts by application threads', 'pages evicted by application threads'),
  ),
  'eviction.appMicros': counter(threadTime('application thread time evicting (usecs)')),
  'eviction.waitMicros': counter(
    wt('thread-yield', ['application thread time waiting for cache (usecs)']),
  ),
  'eviction.appReadPages': counter(cache('application threads page read from disk to cache count')),
  'eviction.appReadMicros': counter(
    cache('application threads page read from disk to cache time (usecs)'),
  ),
  'eviction.appWritePages': counter(
    cache('application threads page write from cache to disk count'),
  ),
  'eviction.appWriteMicros': counter(
    cache('application threads page write from cache to disk time (usecs)'),
  ),
  'eviction.workerPages': counter(
    cache(
      'evict page attempts by eviction worker threads',
      'eviction worker thread evicting pages',
    ),
  ),
  'eviction.serverPages': counter(
    cache('evict page attempts by eviction server', 'eviction server evicting pages'),
  ),
  'eviction.cleanPages': counter(cache('unmodified pages evicted')),
  'eviction.modifiedPages': counter(cache('modified pages evicted')),
  'eviction.threadsActive': gauge(cache('eviction worker thread active')),
  'eviction.state': gauge(cache('eviction state')),
  // Present only where the bits of `eviction state` are those of 7.0 and later; see
  // metric-kit.js.
  'eviction.stateMark': gauge(
    cache(
      'recent modification of a page blocked its eviction',
      'page evict failures by application threads',
    ),
  ),
  'eviction.aggressiveScore': gauge(cache('eviction currently operating in aggressive mode')),
  'eviction.emptyScore': gauge(cache('eviction empty score')),
  'eviction.goalMissed': counter(cache('eviction server unable to reach eviction goal')),
  'eviction.hazardBlocked': counter(cache('hazard pointer blocked page eviction')),
  'eviction.forcedPages': counter(cache('forced eviction - pages selected count')),
  'eviction.forcedUnablePages': counter(
    cache('forced eviction - pages selected unable to be evicted count'),
  ),
  'eviction.skippedInCheckpoint': counter(
    cache(
      'eviction server skips dirty pages during a running checkpoint',
      'skip dirty pages during a running checkpoint',
    ),
  ),
  'eviction.targetPercent': threshold('full target'),
  'eviction.triggerPercent': threshold('full trigger'),
  'eviction.dirtyTargetPercent': threshold('dirty target'),
  'eviction.dirtyTriggerPercent': threshold('dirty trigger'),
  'eviction.updatesTargetPercent': threshold('updates target'),
  'eviction.updatesTriggerPercent': threshold('updates trigger'),

  // 8.0 has no flag but a phase: 0 is "not running".
  'checkpoint.running': gauge(
    wt('checkpoint', ['progress state']),
    wt('transaction', ['transaction checkpoint currently running']),
  ),
  'checkpoint.lastMs': gauge(checkpoint('most recent time (msecs)')),
  'checkpoint.maxMs': gauge(checkpoint('max time (msecs)')),
  'checkpoint.totalMs': counter(checkpoint('total time (msecs)')),
  'checkpoint.count': counter(
    wt('checkpoint', ['total succeed number of checkpoints']),
    wt('transaction', ['transaction checkpoints']),
  ),
  'checkpoint.generation': counter(checkpoint('generation')),
  'checkpoint.prepareLastMs': gauge(checkpoint('prepare most recent time (msecs)')),
  'checkpoint.gatherLastMicros': gauge(
    checkpoint('most recent duration for gathering all handles (usecs)'),
  ), // 4.4.2+
  'checkpoint.blockedPages': counter(cache('checkpoint blocked page eviction')),
  'block.writtenBytes': counter(wt('block-manager', ['bytes written'])),
  'block.checkpointBytes': counter(wt('block-manager', ['bytes written for checkpoint'])),

  'tickets.readInUse': gauge(ticket('read', 'out')),
  'tickets.readAvailable': gauge(ticket('read', 'available')),
  'tickets.readTotal': gauge(ticket('read', 'totalTickets')),
  'tickets.writeInUse': gauge(ticket('write', 'out')),
  'tickets.writeAvailable': gauge(ticket('write', 'available')),
  'tickets.writeTotal': gauge(ticket('write', 'totalTickets')),
  'queue.readers': gauge(
    at('queues.execution.read.normalPriority.queueLength'),
    at('globalLock.currentQueue.readers'),
  ),
  'queue.writers': gauge(
    at('queues.execution.write.normalPriority.queueLength'),
    at('globalLock.currentQueue.writers'),
  ),
  // Present only where tickets follow throughput probing (8.0+; 7.0 shows it by a section of its
  // own).
  'tickets.probing': gauge(
    at('queues.execution.monitor.timesDecreased'),
    at('wiredTiger.concurrentTransactions.monitor.timesDecreased'),
  ),

  'ops.inserts': counter(at('opcounters.insert')),
  'ops.queries': counter(at('opcounters.query')),
  'ops.updates': counter(at('opcounters.update')),
  'ops.deletes': counter(at('opcounters.delete')),
  'ops.getmores': counter(at('opcounters.getmore')),
  'replicated.inserts': counter(at('opcountersRepl.insert')),
  'replicated.updates': counter(at('opcountersRepl.update')),
  'replicated.deletes': counter(at('opcountersRepl.delete')),
  'latency.readMicros': counter(at('opLatencies.reads.latency')),
  'latency.readOps': counter(at('opLatencies.reads.ops')),
  'latency.writeMicros': counter(at('opLatencies.writes.latency')),
  'latency.writeOps': counter(at('opLatencies.writes.ops')),
  'clients.active': gauge(at('globalLock.activeClients.total')),
  'connections.current': gauge(at('connections.current')),
  // Only where `metrics` is asked for: at both ends of a window.
  'majority.waitMs': counter(at('metrics.getLastError.wtime.totalMillis')),
  'conflicts.writes': counter(at('metrics.operation.writeConflicts')),
  // Assertions that the server raised: what operations of clients failed with, beside its own.
  'errors.user': counter(at('asserts.user')),
  'errors.regular': counter(at('asserts.regular')),
  'errors.message': counter(at('asserts.msg')),

  'process.userMicros': counter(at('extra_info.user_time_us')),
  'process.systemMicros': counter(at('extra_info.system_time_us')),
  'process.residentBytes': gauge(at('mem.resident', MIB)),
  // Free in tcmalloc's heap: counted as resident, and used again before the process grows.
  'process.freeHeapBytes': gauge(at('tcmalloc.tcmalloc.pageheap_free_bytes')),
  'transaction.pinnedIds': gauge(wt('transaction', ['transaction range of IDs currently pinned'])),
  'transaction.pinnedTimestamps': gauge(
    wt('transaction', ['transaction range of timestamps currently pinned']),
  ),
  'transaction.rolledBackForEviction': counter(
    wt('transaction', [
      'oldest pinned transaction ID rolled back for eviction',
      'transaction failures due to history store',
    ]),
  ),
  'log.syncOps': counter(wt('log', ['log sync operations'])),
  'log.syncMicros': counter(wt('log', ['log sync time duration (usecs)'])),
  'handles.active': gauge(wt('data-handle', ['connection data handles currently active'])),
  'files.open': gauge(wt('connection', ['files currently open'])),
  'sessions.open': gauge(wt('session', ['open session count'])),
  'locks.schemaMicros': counter(wt('lock', ['schema lock application thread wait time (usecs)'])),
  'locks.handleMicros': counter(
    wt('lock', ['dhandle lock application thread time waiting (usecs)']),
  ),

  // Calls into the file system, the operating system's cache included.
  'fileSystem.reads': counter(wt('connection', ['total read I/Os'])),
  'fileSystem.reads50Ms': latency('read', '50-99ms', 2),
  'fileSystem.reads100Ms': latency('read', '100-249ms', 3),
  'fileSystem.reads250Ms': latency('read', '250-499ms', 4),
  'fileSystem.reads500Ms': latency('read', '500-999ms', 5),
  'fileSystem.reads1000Ms': latency('read', '1000ms+', 6),
  'fileSystem.writes': counter(wt('connection', ['total write I/Os'])),
  'fileSystem.writes50Ms': latency('write', '50-99ms', 2),
  'fileSystem.writes100Ms': latency('write', '100-249ms', 3),
  'fileSystem.writes250Ms': latency('write', '250-499ms', 4),
  'fileSystem.writes500Ms': latency('write', '500-999ms', 5),
  'fileSystem.writes1000Ms': latency('write', '1000ms+', 6),

  'flowControl.lagged': gauge(at('flowControl.isLagged')),
  'flowControl.waitMicros': counter(at('flowControl.timeAcquiringMicros')),
  // 8.0+, with the allocator that came with it.
  'tcmalloc.perCpuCaches': gauge(at('tcmalloc.usingPerCPUCaches')),
});

/**
 * @typedef {keyof typeof COUNTERS | SystemCounter |
 *   MetricOfDisk} Counter
 */
/**
 * @typedef {{ [name in Counter]?: number }} Counters a counter that the server does not report is
 *   absent, never 0
 */

module.exports = { COUNTERS };
