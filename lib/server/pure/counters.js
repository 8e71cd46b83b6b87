'use strict';

const { MiB } = require('../../base/pure/units');
const {
  wt,
  cache,
  at,
  counter,
  gauge,
  added,
  checkpoint,
  ticket,
  threshold,
  queued,
  delinquent,
  spill,
  threadTime,
  LATENCY_COUNTERS,
  CAUSE_COUNTERS,
} = require('./counter-parts');

/**
 * @import { MetricOfDisk, MetricOfMount, SystemCounter } from './system-counters'
 */

/**
 * THE map of counter names in each server release: our name on the left; the spellings on the
 * right, newest first. The first spelling that is present in a document wins. The look-up goes by
 * presence, never by version; the releases in the comments are for people. Seen in 69 releases from
 * 3.2 to 9.0; units are those of our name (`…Ms`, `…Micros`, `…Bytes`).
 *
 * A counter only grows while the server runs, so that only a difference means something; a gauge
 * means something by itself.
 */

const COUNTERS = Object.freeze({
  'cache.maxBytes': gauge(cache('maximum bytes configured')),
  'cache.usedBytes': gauge(cache('bytes currently in the cache')),
  'cache.dirtyBytes': gauge(cache('tracked dirty bytes in the cache')),
  // WiredTiger compares this with the dirty trigger; 7.0.18+, 8.0.5+.
  'cache.dirtyLeafBytes': gauge(cache('tracked dirty leaf page bytes in the cache')),
  'cache.updatesBytes': gauge(cache('bytes allocated for updates')),
  'cache.historyBytes': gauge(cache('bytes belonging to the history store table in the cache')),
  'cache.readBytes': counter(cache('bytes read into cache')),
  'cache.writtenBytes': counter(cache('bytes written from cache')),
  // WiredTiger after 9.0 reports both in parts only.
  'cache.pagesRead': counter(
    cache('pages read into cache'),
    added(cache('internal pages read into cache'), cache('leaf pages read into cache')),
  ),
  'cache.pagesRequested': counter(
    cache('pages requested from the cache'),
    added(
      cache('pages requested from the cache internal'),
      cache('pages requested from the cache leaf'),
    ),
  ),
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
  // metric-reads.js.
  'eviction.stateMark': gauge(
    cache(
      'recent modification of a page blocked its eviction',
      'page evict failures by application threads',
    ),
  ),
  // Present only before 4.4, whose bits of `eviction state` differ from release to release.
  'eviction.oldStateMark': gauge(
    cache(
      'cache overflow table entries',
      'cache overflow table insert calls',
      'lookaside table entries',
      'lookaside table insert calls',
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

  // How often each trigger made clients evict: exact between two samples (8.0.13+).
  'eviction.triggerReached': counter(cache('number of times eviction trigger was reached')),
  'eviction.dirtyTriggerReached': counter(cache('number of times dirty trigger was reached')),
  'eviction.updatesTriggerReached': counter(cache('number of times updates trigger was reached')),
  // 8.1+. What is mandatory ends neither by maxTimeMS nor by killOp.
  'eviction.mandatoryMicros': counter(
    wt('thread-yield', ['application thread time waiting for mandatory cache eviction (usecs)']),
  ),
  'eviction.interruptibleMicros': counter(
    wt('thread-yield', [
      'application thread time waiting for interruptible cache eviction (usecs)',
    ]),
  ),
  // The slowest one since the last checkpoint (8.2.2+), and since the start (6.0.19+).
  'eviction.slowestMs': gauge(
    cache('maximum milliseconds spent at a single eviction per checkpoint'),
  ),
  'eviction.slowestSinceStartMs': gauge(cache('maximum milliseconds spent at a single eviction')),
  'transaction.uncommittedBytes': gauge(cache('updates in uncommitted txn - bytes')), // 8.2.1+
  'transaction.updateConflicts': counter(wt('transaction', ['update conflicts'])),
  'transaction.open': gauge(at('transactions.currentOpen')),
  // 8.2+: flags of the monitor that aborts transactions when the cache is stuck; 8.3+ also a counter.
  'cachePressure.waits': gauge(at('metrics.cachePressure.waitTimeThresholdExceeded')),
  'cachePressure.dirty': gauge(at('metrics.cachePressure.cacheDirtyThreshold')),
  'cachePressure.updates': gauge(at('metrics.cachePressure.cacheUpdatesThreshold')),
  'cachePressure.kills': counter(at('metrics.rollbackUnderCachePressure.successfulKills')),
  // 8.2+: a second WiredTiger, into which sorts and groups spill.
  'spill.maxBytes': gauge(spill('maximum bytes configured')),
  'spill.usedBytes': gauge(spill('bytes currently in the cache')),
  'spill.appMicros': counter(spill('application thread time evicting (usecs)')),
  'history.cleanupVisited': counter(
    wt('checkpoint', ['pages visited during checkpoint cleanup']),
    wt('checkpoint-cleanup', ['pages visited']),
  ),
  'history.cleanupRemoved': counter(
    wt('checkpoint', ['pages removed during checkpoint cleanup']),
    wt('checkpoint-cleanup', ['pages removed']),
  ),

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
    added(queued('read', 'normalPriority'), queued('read', 'lowPriority')),
    queued('read', 'normalPriority'),
    at('globalLock.currentQueue.readers'),
  ),
  'queue.writers': gauge(
    added(queued('write', 'normalPriority'), queued('write', 'lowPriority')),
    queued('write', 'normalPriority'),
    at('globalLock.currentQueue.writers'),
  ),
  // 8.3+: operations that the server has put behind others, such as long scans.
  'queue.lowPriority': gauge(added(queued('read', 'lowPriority'), queued('write', 'lowPriority'))),
  // 8.2+: time by which operations held their ticket too long before they yielded.
  'tickets.delinquentMs': counter(added(delinquent('read'), delinquent('write'))),
  // Work rejected or delayed before it begins: ingress (8.0+), new connections (8.0.20+), 9.0.
  'ingress.queued': gauge(at('queues.ingress.normalPriority.queueLength')),
  'ingress.rejected': counter(at('queues.ingressSessionEstablishment.rejectedAdmissions')),
  'ingress.shed': counter(
    added(
      at('queues.execution.nonDeprioritizable.totalOpsLoadShed'),
      at('queues.execution.deprioritizable.totalOpsLoadShed'),
    ),
  ),
  'ingress.throttledWrites': gauge(at('queues.writeThrottler.currentQueueDepth')),
  'tickets.usesProbing': gauge(at('queues.execution.usesThroughputProbing')), // 8.3+
  // Until 8.2 present only where tickets follow throughput probing (7.0 shows it by a section of its
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
  'ops.aggregates': counter(at('opcounters.aggregate')), // 9.0+
  'replicated.inserts': counter(at('opcountersRepl.insert')),
  'replicated.updates': counter(at('opcountersRepl.update')),
  'replicated.deletes': counter(at('opcountersRepl.delete')),
  'latency.readMicros': counter(at('opLatencies.reads.latency')),
  'latency.readOps': counter(at('opLatencies.reads.ops')),
  'latency.writeMicros': counter(at('opLatencies.writes.latency')),
  'latency.writeOps': counter(at('opLatencies.writes.ops')),
  'clients.active': gauge(at('globalLock.activeClients.total')),
  'connections.current': gauge(at('connections.current')),
  ...CAUSE_COUNTERS,
  // Assertions that the server raised: what operations of clients failed with, beside its own.
  'errors.user': counter(at('asserts.user')),
  'errors.regular': counter(at('asserts.regular')),
  'errors.message': counter(at('asserts.msg')),

  'process.userMicros': counter(at('extra_info.user_time_us')),
  'process.systemMicros': counter(at('extra_info.system_time_us')),
  'process.residentBytes': gauge(at('mem.resident', MiB)),
  // Free in tcmalloc's heap: counted as resident, and used again before the process grows. From 8.0
  // on most of it may be in caches beside the page heap; the derived figure is the sum.
  'process.freeHeapBytes': gauge(
    at('tcmalloc.tcmalloc_derived.total_free_bytes'),
    at('tcmalloc.tcmalloc.pageheap_free_bytes'),
  ),
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
  'drops.pendingFiles': gauge(at('storageEngine.dropPendingIdents')),
  'files.open': gauge(wt('connection', ['files currently open'])),
  'sessions.open': gauge(wt('session', ['open session count'])),
  'locks.schemaMicros': counter(wt('lock', ['schema lock application thread wait time (usecs)'])),
  'locks.handleMicros': counter(
    wt('lock', ['dhandle lock application thread time waiting (usecs)']),
  ),

  ...LATENCY_COUNTERS,

  // The state of a member, and whether its set was just made.
  'member.isPrimary': gauge(at('repl.isWritablePrimary'), at('repl.ismaster')),
  'member.isSecondary': gauge(at('repl.secondary')),
  'member.initiated': counter(at('metrics.commands.replSetInitiate.total')),
  'flowControl.lagged': gauge(at('flowControl.isLagged')),
  'flowControl.waitMicros': counter(at('flowControl.timeAcquiringMicros')),
  // 8.0+, with the allocator that came with it.
  'tcmalloc.perCpuCaches': gauge(at('tcmalloc.usingPerCPUCaches')),
});

/**
 * @typedef {keyof typeof COUNTERS | SystemCounter | MetricOfDisk | MetricOfMount |
 *   MemberCounter} Counter
 * @typedef {'member.state' | 'member.appliedAtMs' | 'member.committedAtMs'} MemberCounter what
 *   diagnostic data holds of replSetGetStatus
 * @typedef {{ [name in Counter]?: number }} Counters a counter that the server does not report is
 *   absent, never 0
 */

module.exports = { COUNTERS };
