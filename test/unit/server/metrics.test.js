'use strict';

const assert = require('node:assert/strict');
const { METRICS, metricsOf } = require('../../../lib/server/pure/metrics');
const { MACHINE_METRICS } = require('../../../lib/server/pure/machine');
const { PLATEAU_METRICS } = require('../../../lib/server/pure/plateau');
const { COUNTERS } = require('../../../lib/server/pure/counters');
const { SETTING_NAMES } = require('../../../lib/config/setting-table');
const kit = require('../../../lib/server/pure/metric-kit');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { windowOf } = require('../../support/samples');

const MiB = 2 ** 20;
/** @param {Record<string, number>} values */
const config = (values) =>
  Object.fromEntries(
    SETTING_NAMES.map((setting) => [
      setting,
      { value: values[setting] ?? null, from: 'runtime', default: null, sinceRestart: true },
    ]),
  );
/** @param {any} series @param {any} [facts] */
const read = (series, facts = {}) => metricsOf(windowOf(series), { ...NO_FACTS, ...facts });

/**
 * Three looks, one a second: what each reading makes of them. Together they have every reading
 * once.
 * @type {[string, any, any, any?][]}
 */
const CASES = [
  [
    'window',
    { 'ops.queries': [1, 2, 3] },
    {
      'window.seconds': 2,
      'window.samples': 3,
      'window.longestGapSeconds': 1,
      'window.uptimeSeconds': 62,
    },
  ],
  [
    'sizes and shares of the cache',
    {
      'cache.maxBytes': [100, 200, 400],
      'cache.usedBytes': [100, 200, 300],
      'cache.dirtyBytes': [40, 20, 30],
      'cache.updatesBytes': [4, 8, 2],
      'cache.historyBytes': [8, 4, 2],
    },
    {
      'cache.maxBytes': 400,
      'cache.usedBytes': 300,
      'cache.usedRatio': 0.5,
      'cache.usedRatioMax': 0.75,
      'cache.dirtyBytes': 30,
      'cache.dirtyBytesMax': 40,
      'cache.dirtyRatio': 0.075,
      'cache.dirtyRatioMax': 0.1,
      'cache.updatesRatio': 0.01,
      'cache.updatesRatioMax': 0.02,
      'cache.historyRatio': 0.01,
    },
  ],
  [
    'dirty leaf pages, where the server tells them: they are what the trigger compares',
    {
      'cache.maxBytes': 100,
      'cache.dirtyBytes': [30, 30, 30],
      'cache.dirtyLeafBytes': [10, 20, 5],
    },
    { 'cache.dirtyRatio': 0.1, 'cache.dirtyRatioMax': 0.2 },
  ],
  [
    'what goes in and out of it',
    {
      'cache.readBytes': [0, 10, 40],
      'cache.writtenBytes': [0, 0, 10],
      'cache.pagesRead': [0, 1, 4],
      'cache.pagesRequested': [0, 10, 16],
    },
    {
      'cache.readBytesPerSec': 20,
      'cache.writtenBytesPerSec': 5,
      'cache.pagesReadPerSec': 2,
      'cache.missRatio': 0.25,
    },
  ],
  // 2 CLEAN_HARD, 16 DIRTY_HARD, 256 UPDATES_HARD until 6.0
  [
    'looks in which clients had to evict',
    { 'eviction.state': [2, 16, 16 + 256] },
    { 'cache.hardShare': 1 / 3, 'cache.dirtyHardShare': 2 / 3, 'cache.updatesHardShare': 1 / 3 },
  ],
  [
    'the dirty level at which clients were last made to evict',
    {
      'cache.maxBytes': [100, 100, 100, 100, 100, 100, 100],
      'cache.dirtyBytes': [21, 21, 13, 6, 6, 8, 5],
      'eviction.state': [16, 16, 16, 16, 16, 8, 16],
    },
    { 'cache.dirtyHardLevelRatio': 0.21 },
  ],
  [
    'the same, one sample later',
    {
      'cache.maxBytes': [100, 100, 100, 100, 100, 100, 100],
      'cache.dirtyBytes': [21, 13, 13, 6, 6, 8, 5],
      'eviction.state': [16, 16, 16, 16, 16, 8, 16],
    },
    { 'cache.dirtyHardLevelRatio': 0.13 },
  ],
  [
    'the level of update data at which they were',
    {
      'cache.maxBytes': [100, 100, 100, 100, 100, 100],
      'cache.updatesBytes': [9, 2, 2, 1, 2, 3],
      'eviction.state': [256, 256, 256, 256, 256, 256],
    },
    { 'cache.updatesHardLevelRatio': 0.03 },
  ],
  [
    'application threads lost',
    {
      'eviction.appReadMicros': [0, 7e6, 14e6],
      'eviction.appMicros': [0, 0, 1e6],
      'eviction.waitMicros': [0, 1e6, 3e6],
    },
    { 'clients.readingThreads': 7, 'clients.evictingThreads': 0.5, 'clients.waitingThreads': 1.5 },
  ],
  [
    'application threads active, by what operations took',
    {
      'latency.readMicros': [0, 2e6, 4e6],
      'latency.writeMicros': [0, 1e6, 2e6],
      'clients.active': [1, 9, 1],
    },
    { 'clients.busyThreads': 3, 'clients.writing': 1, 'clients.active': 11 / 3 },
  ],
  [
    'application threads active, by the gauge where nothing better is known',
    { 'clients.active': [1, 2, 3] },
    { 'clients.busyThreads': 2, 'clients.active': 2 },
  ],
  [
    'queues',
    { 'queue.readers': [0, 3, 0], 'queue.writers': [1, 1, 1] },
    { 'clients.queued': 2, 'clients.queuedMax': 4 },
  ],
  [
    'the queue of low priority',
    { 'queue.readers': [3, 3, 3], 'queue.lowPriority': [1, 3, 2] },
    { 'clients.queued': 3, 'clients.queuedMax': 3, 'clients.lowPriorityQueued': 2 },
  ],
  [
    'one queue alone',
    { 'queue.writers': [1, 2, 3] },
    { 'clients.queued': 2, 'clients.queuedMax': 3 },
  ],
  [
    'evictions',
    {
      'eviction.appPages': [0, 0, 10],
      'eviction.cleanPages': [0, 5, 10],
      'eviction.modifiedPages': [0, 1, 2],
      'eviction.workerPages': [0, 10, 20],
      'eviction.serverPages': [0, 5, 10],
      'eviction.threadsActive': [3, 4, 4],
      'eviction.aggressiveScore': [0, 0, 70],
      'eviction.emptyScore': [0, 100, 100],
    },
    {
      'eviction.appPagesPerSec': 5,
      'eviction.pagesPerSec': 6,
      'eviction.modifiedPagesPerSec': 1,
      'eviction.workerPagesPerSec': 15,
      'eviction.appRatio': 0.25,
      'eviction.threadsActive': 4,
      'eviction.aggressiveScoreMax': 70,
      'eviction.aggressiveShare': 1 / 3,
      'eviction.emptyScore': 100,
    },
  ],
  [
    'no evictions at all',
    { 'eviction.appPages': [3, 3, 3], 'eviction.workerPages': [9, 9, 9] },
    { 'eviction.appRatio': 0, 'eviction.appPagesPerSec': 0, 'eviction.workerPagesPerSec': 0 },
  ],
  [
    'what one page takes',
    {
      'eviction.appReadMicros': [0, 10_000, 20_000],
      'eviction.appReadPages': [0, 1, 4],
      'eviction.appWriteMicros': [0, 0, 9000],
      'eviction.appWritePages': [0, 1, 2],
    },
    {
      'clients.readingThreads': 0.01,
      'eviction.pageReadMs': 5,
      'eviction.pageWriteMs': 4.5,
      'eviction.appReadsPerSec': 2,
    },
  ],
  [
    'checkpoints',
    {
      'checkpoint.running': [0, 3, 0],
      'checkpoint.lastMs': [900, 900, 200],
      'checkpoint.maxMs': 5000,
      'checkpoint.count': [7, 7, 8],
      'checkpoint.prepareLastMs': [1, 2, 3],
    },
    {
      'checkpoint.runningShare': 1 / 3,
      'checkpoint.lastMs': 200,
      'checkpoint.windowMaxMs': 900,
      'checkpoint.maxMs': 5000,
      'checkpoint.seen': 1,
      'checkpoint.prepareMs': 3,
    },
  ],
  [
    'no checkpoint ended',
    { 'checkpoint.lastMs': [900, 900, 200], 'checkpoint.count': [8, 8, 8] },
    { 'checkpoint.lastMs': 200, 'checkpoint.windowMaxMs': 200, 'checkpoint.seen': 0 },
  ],
  [
    'tickets',
    {
      'tickets.readInUse': [1, 128, 2],
      'tickets.readAvailable': [127, 0, 126],
      'tickets.readTotal': 128,
      'tickets.writeInUse': [0, 1, 0],
      'tickets.writeAvailable': [0, 0, 1],
      'tickets.writeTotal': 64,
    },
    {
      'tickets.readTotal': 128,
      'tickets.writeTotal': 64,
      'tickets.readEmptyShare': 1 / 3,
      'tickets.writeEmptyShare': 2 / 3,
      'tickets.probing': 0,
    },
  ],
  [
    'a pool of tickets as it was started, and one that was set since',
    { 'tickets.readTotal': 5, 'tickets.writeTotal': 64 },
    { 'tickets.isReadSetAtStart': 1, 'tickets.isWriteSetAtStart': 0 },
    { ticketsAtStart: { read: 5, write: null } },
  ],
  [
    'a cache that fills',
    { 'cache.maxBytes': [100, 100, 100], 'cache.usedBytes': [10, 20, 30] },
    { 'cache.usedGrowthPerSec': 10 },
  ],
  ['a machine with Windows', {}, { 'host.isWindows': 1 }, { osType: 'Windows' }],
  [
    'a member that stays what it is',
    {
      'member.isPrimary': [1, 1, 1],
      'member.isSecondary': [0, 0, 0],
      'member.initiated': [1, 1, 1],
    },
    { 'member.changed': 0 },
  ],
  [
    'an election',
    { 'member.isPrimary': [0, 1, 1], 'member.isSecondary': [1, 0, 0] },
    { 'member.changed': 1 },
  ],
  [
    'an initial sync',
    { 'member.isPrimary': [0, 0, 0], 'member.isSecondary': [0, 0, 0] },
    { 'member.changed': 1 },
  ],
  ['a set that is made', { 'member.initiated': [0, 1, 1] }, { 'member.changed': 1 }],
  [
    'reads of blocks that took long, where those of files are not slow',
    { 'blockReads.1000Ms': [0, 29, 58], 'fileSystem.reads50Ms': [0, 0, 1] },
    { 'fileSystem.slowReads': 58 },
  ],
  [
    'more pages read than were asked for',
    { 'cache.pagesRead': [0, 47], 'cache.pagesRequested': [0, 10] },
    { 'cache.pagesReadPerSec': 47 },
  ],
  [
    'the bits of eviction before 4.4 are not read',
    { 'eviction.state': [32, 32, 32], 'eviction.oldStateMark': [0, 0, 0] },
    {},
  ],
  [
    'a machine that only diagnostic data shows',
    {
      'memory.totalBytes': [8, 8, 8],
      'cpu.logical': [4, 4, 4],
      'process.userMicros': [0, 1e6, 2e6],
      'process.systemMicros': [0, 1e6, 2e6],
    },
    { 'host.memoryBytes': 8, 'host.cores': 4, 'process.cpuRatio': 0.5, 'memory.totalBytes': 8 },
    { cores: null },
  ],
  [
    'tickets that follow throughput probing',
    { 'tickets.probing': [0, 0, 5] },
    { 'tickets.probing': 1 },
  ],
  [
    'tickets that do not, of a server that reports it either way',
    { 'tickets.probing': [0, 0, 5], 'tickets.usesProbing': 0 },
    { 'tickets.probing': 0 },
  ],
  [
    'what newer servers count of eviction',
    {
      'cache.maxBytes': 100,
      'eviction.triggerReached': [0, 0, 2],
      'eviction.dirtyTriggerReached': [0, 1, 2],
      'eviction.updatesTriggerReached': [0, 0, 0],
      'eviction.mandatoryMicros': [0, 1, 3],
      'eviction.interruptibleMicros': [0, 0, 1],
      'eviction.slowestMs': [0, 30, 20],
      'eviction.slowestSinceStartMs': [90, 90, 99],
      'transaction.uncommittedBytes': [0, 30, 10],
      'history.cleanupVisited': [0, 5, 7],
      'history.cleanupRemoved': [0, 0, 1],
    },
    {
      'eviction.triggersReachedPerSec': 2,
      'eviction.mandatoryRatio': 0.75,
      'eviction.slowestMs': 30,
      'cache.uncommittedRatio': 0.3,
      'history.cleanupVisited': 7,
      'history.cleanupRemoved': 1,
    },
  ],
  [
    'the slowest eviction since the start, which grew',
    { 'eviction.slowestSinceStartMs': [90, 90, 99] },
    { 'eviction.slowestMs': 99 },
  ],
  [
    'and which is of before the window',
    { 'eviction.slowestSinceStartMs': [90, 90, 90] },
    { 'eviction.slowestMs': 0 },
  ],
  [
    'cache pressure: clients wait, and too much is dirty or update data',
    {
      'cachePressure.waits': [1, undefined, 1],
      'cachePressure.dirty': [1, undefined, 0],
      'cachePressure.updates': [0, undefined, 0],
      'cachePressure.kills': [3, undefined, 5],
    },
    { 'cachePressure.share': 0.5, 'cachePressure.kills': 2 },
  ],
  [
    'the cache of spilled sorts and groups, reported at the ends',
    {
      'spill.maxBytes': [200, undefined, 200],
      'spill.usedBytes': [20, undefined, 10],
      'spill.appMicros': [0, undefined, 1e6],
    },
    {
      'spill.maxBytes': 200,
      'spill.usedRatio': 0.1,
      'spill.unusedBytes': 190,
      'spill.evictingThreads': 0.5,
    },
  ],
  [
    'what holds and what turns away',
    {
      'tickets.delinquentMs': [0, 100, 200],
      'ingress.queued': [1, 2, 3],
      'ingress.throttledWrites': [0, 0, 3],
      'ingress.rejected': [0, 1, 2],
      'ingress.shed': [0, 0, 2],
      'transaction.open': [3, 9, 1],
      'transaction.updateConflicts': [0, 2, 6],
      'process.freeHeapBytes': [1, 1, 5],
    },
    {
      'tickets.delinquentRatio': 0.1,
      'ingress.queued': 3,
      'ingress.rejectedPerSec': 2,
      'transaction.open': 9,
      'transaction.conflictsPerSec': 3,
      'process.freeHeapBytes': 5,
    },
  ],
  ['a soft trigger', {}, { 'cache.toleranceRatio': 0.2 }, { toleranceRatio: 0.2 }],
  ['a limit of sessions', {}, { 'config.sessionMax': 500 }, { sessionMax: 500 }],
  [
    'operations',
    {
      'ops.queries': [0, 10, 20],
      'ops.getmores': [0, 2, 4],
      'ops.inserts': [0, 1, 2],
      'ops.updates': [0, 2, 4],
      'ops.deletes': [0, 3, 6],
    },
    { 'ops.perSec': 18, 'ops.readsPerSec': 12, 'ops.writesPerSec': 6 },
  ],
  [
    'aggregations, which count as commands',
    { 'ops.queries': [0, 1, 2], 'latency.readOps': [0, 20, 40], 'latency.writeOps': [0, 1, 2] },
    { 'ops.perSec': 21, 'ops.readsPerSec': 1 },
  ],
  [
    'aggregations of a server that counts them',
    { 'ops.queries': [0, 1, 2], 'ops.aggregates': [0, 20, 40] },
    { 'ops.perSec': 21, 'ops.readsPerSec': 21 },
  ],
  [
    'batches of inserts, which are timed once',
    { 'ops.inserts': [0, 100, 200], 'latency.writeOps': [0, 1, 2] },
    { 'ops.perSec': 100, 'ops.writesPerSec': 100 },
  ],
  [
    'operations that are timed and not counted',
    { 'latency.readOps': [0, 20, 40] },
    { 'ops.perSec': 20 },
  ],
  ['a stall', { 'ops.queries': [0, 10, 10] }, { 'ops.perSec': 5, 'ops.readsPerSec': 5 }],
  [
    'what operations failed with',
    { 'errors.user': [0, 4, 8], 'errors.regular': [0, 1, 2], 'errors.message': [0, 0, 2] },
    { 'errors.perSec': 6 },
  ],
  [
    'waits for the majority and write conflicts, at both ends of a window',
    {
      'majority.waitMs': [0, 1000, 4000],
      'majority.waits': [0, 10, 100],
      'conflicts.writes': [0, 5, 20],
    },
    { 'clients.majorityThreads': 2, 'majority.meanMs': 40, 'conflicts.perSec': 10 },
  ],
  [
    'a TTL pass that began within the window',
    { 'ttl.passOpid': [undefined, undefined, 9], 'ttl.passYields': [undefined, undefined, 60] },
    { 'ttl.passYieldsPerSec': 30 },
  ],
  [
    'what shows causes, at both ends of a window',
    {
      'query.examined': [0, 10, 20],
      'query.collectionScans': [0, 1, 2],
      'query.sortSpills': [1, 1, 3],
      'query.sortedBatches': [0, undefined, 5],
      'documents.returned': [0, 1, 2],
      'documents.inserted': [0, 1, 2],
      'documents.updated': [0, 1, 4],
      'documents.deleted': [0, 1, 6],
      'ttl.deleted': [0, 4, 8],
      'ttl.passOpid': [7, undefined, 7],
      'ttl.passYields': [10, undefined, 110],
      'rangeDeleter.deleted': [0, 6, 12],
      'tickets.gate': [0, 0, 1],
      'migrations.sent': [0, undefined, 6],
      'migrations.received': [1, undefined, 9],
      'mirrored.sent': [0, undefined, 16],
      'mirrored.processed': [1, undefined, 5],
      'transaction.tooLarge': [0, 0, 1],
      'indexBuilds.active': [0, 1, 2],
      'indexBuilds.started': [3, 3, 4],
      'indexBuilds.running': [0, undefined, 1],
      'connections.created': [0, 100, 200],
      'connections.current': [5, 6, 50],
    },
    {
      'query.examinedPerSec': 10,
      'query.scansPerSec': 1,
      'query.sortSpills': 2,
      'query.sortedPerSec': 2.5,
      'documents.returnedPerSec': 1,
      'documents.writtenPerSec': 6,
      'ttl.deletedPerSec': 4,
      'ttl.passYieldsPerSec': 50,
      'rangeDeleter.deletedPerSec': 6,
      'tickets.prioritizing': 1,
      'migrations.sentPerSec': 3,
      'migrations.receivedPerSec': 4,
      'mirrored.sentPerSec': 8,
      'mirrored.processedPerSec': 2,
      'transaction.tooLarge': 1,
      'indexBuilds.activeShare': 2 / 3,
      'indexBuilds.started': 1,
      'indexBuilds.runningShare': 0.5,
      'connections.createdPerSec': 100,
      'connections.createdRatio': 2,
      'connections.open': 50,
    },
  ],
  [
    'what a secondary is given to do',
    {
      'replicated.inserts': [0, 1, 2],
      'replicated.updates': [0, 1, 2],
      'replicated.deletes': [0, 1, 2],
    },
    { 'ops.replicatedPerSec': 3 },
  ],
  [
    'latencies',
    {
      'latency.readMicros': [0, 0, 6000],
      'latency.readOps': [0, 1, 3],
      'latency.writeMicros': [0, 0, 8000],
      'latency.writeOps': [0, 1, 4],
    },
    {
      'ops.readLatencyMs': 2,
      'ops.writeLatencyMs': 2,
      'clients.busyThreads': 0.007,
      'clients.writing': 0.004,
    },
  ],
  [
    'the process',
    {
      'process.userMicros': [0, 1e6, 2e6],
      'process.systemMicros': [0, 0, 1e6],
      'process.residentBytes': [9, 9, 500],
      'process.freeHeapBytes': 100,
      'cache.usedBytes': 300,
    },
    {
      'process.cpuCores': 1.5,
      'process.cpuRatio': 0.75,
      'process.residentBytes': 500,
      'process.otherBytes': 100,
      'cache.usedBytes': 300,
      'host.cores': 2,
    },
    { cores: 2 },
  ],
  [
    'a process no larger than its cache',
    { 'process.residentBytes': 200, 'cache.usedBytes': 300 },
    { 'process.otherBytes': 0, 'process.residentBytes': 200, 'cache.usedBytes': 300 },
  ],
  [
    'transactions and the journal',
    {
      'transaction.pinnedIds': [1, 9, 2],
      'log.syncMicros': [0, 0, 9000],
      'log.syncOps': [0, 1, 3],
    },
    {
      'transaction.pinnedIds': 2,
      'transaction.pinnedIdsMax': 9,
      'log.syncMs': 3,
      'log.syncs': 3,
      'log.syncingRatio': 0.0045,
    },
  ],
  [
    'why eviction fails',
    {
      'eviction.goalMissed': [0, 1, 4],
      'eviction.forcedPages': [0, 10, 20],
      'eviction.forcedUnablePages': [0, 0, 5],
      'eviction.hazardBlocked': [0, 2, 6],
      'eviction.skippedInCheckpoint': [0, 100, 300],
      'checkpoint.blockedPages': [0, 5, 8],
    },
    {
      'eviction.goalMissedPerSec': 2,
      'eviction.forcedPerSec': 10,
      'eviction.forcedUnableRatio': 0.25,
      'eviction.hazardBlockedPerSec': 3,
      'eviction.skippedInCheckpointPerSec': 150,
      'checkpoint.blockedPagesPerSec': 4,
    },
  ],
  [
    'no forced eviction: no share of it',
    { 'eviction.forcedPages': 5, 'eviction.forcedUnablePages': 3 },
    { 'eviction.forcedPerSec': 0 },
  ],
  [
    'how long a checkpoint gathers its handles',
    { 'checkpoint.gatherLastMicros': [4000, 9000, 2000] },
    { 'checkpoint.gatherMs': 9 },
  ],
  [
    'a timestamp has its seconds in the upper half',
    {
      'transaction.pinnedTimestamps': [300 * 2 ** 32, 301 * 2 ** 32, 302 * 2 ** 32],
      'transaction.rolledBackForEviction': [1, 1, 4],
    },
    {
      'transaction.pinnedSeconds': 302,
      'transaction.pinnedSecondsGrown': 2,
      'transaction.rolledBackForEviction': 3,
    },
  ],
  [
    'timestamps before the first stable one reach back to 1970: not known',
    { 'transaction.pinnedTimestamps': [1.7e9 * 2 ** 32, 300 * 2 ** 32] },
    { 'transaction.pinnedSeconds': 300 },
  ],
  [
    'the history store on disk',
    { 'cache.historyOnDiskBytes': [4096, 8192, 12_288] },
    { 'history.diskBytes': 12_288, 'history.grownBytes': 8192 },
  ],
  [
    'calls into the file system',
    {
      'fileSystem.reads': [0, 50, 100],
      'fileSystem.reads50Ms': [0, 1, 2],
      'fileSystem.reads1000Ms': [0, 0, 1],
      'fileSystem.writes': [5, 5, 9],
      'fileSystem.writes250Ms': [7, 7, 8],
    },
    {
      'fileSystem.reads': 100,
      'fileSystem.slowReads': 3,
      'fileSystem.writes': 4,
      'fileSystem.slowWrites': 1,
    },
  ],
  [
    'files, handles and sessions',
    {
      'files.open': [1, 2, 3],
      'handles.active': [4, 5, 6],
      'drops.pendingFiles': [7, 8, 9],
      'sessions.open': [20, 30, 25],
      'locks.schemaMicros': [0, 1e6, 2e6],
      'locks.handleMicros': [0, 0, 1e6],
    },
    {
      'files.open': 3,
      'handles.active': 6,
      'drops.pendingFiles': 9,
      'sessions.open': 30,
      'clients.handleWaitThreads': 1.5,
    },
  ],
  [
    'the allocator, asked once a sample',
    { 'tcmalloc.perCpuCaches': [1, undefined, undefined] },
    { 'tcmalloc.perCpuCaches': 1 },
  ],
  [
    'flow control',
    { 'flowControl.lagged': [0, 1, 1], 'flowControl.waitMicros': [0, 0, 3e6] },
    { 'flowControl.laggedShare': 2 / 3, 'clients.throttledThreads': 1.5 },
  ],
  [
    "the server: a version as a number, the journal's interval",
    {},
    { 'server.versionNumber': 60_024, 'config.journalCommitMs': 30 },
    { version: '6.0.24', journalCommitMs: 30 },
  ],
  [
    "the host: a container's limit comes before its memory",
    {},
    { 'host.memoryBytes': 5, 'host.cores': 8, 'data.bytes': 7 },
    { memLimitBytes: 5, memoryBytes: 9, cores: 8, dataBytes: 7 },
  ],
  ['the host without a limit', {}, { 'host.memoryBytes': 9 }, { memoryBytes: 9 }],
  [
    'the configuration, as shares of the cache; bytes above 100',
    { 'cache.maxBytes': 1000 * MiB },
    {
      'cache.maxBytes': 1000 * MiB,
      'config.targetRatio': 0.8,
      'config.triggerRatio': 0.95,
      'config.dirtyTargetRatio': 0.05,
      'config.dirtyTriggerRatio': 0.3,
      'config.updatesTargetRatio': 0.025,
      'config.updatesTriggerRatio': 0.12,
      'config.threadsMin': 2,
      'config.threadsMax': 8,
      'config.syncdelaySeconds': 60,
    },
    {
      config: config({
        evictionTarget: 80,
        evictionTrigger: 95,
        evictionDirtyTarget: 5,
        evictionDirtyTrigger: 300 * MiB,
        evictionUpdatesTarget: 0,
        evictionUpdatesTrigger: 12,
        evictionThreadsMin: 2,
        evictionThreadsMax: 8,
        syncdelaySeconds: 60,
      }),
    },
  ],
  [
    'thresholds that the server tells come before the configuration',
    { 'cache.maxBytes': 1000, 'eviction.dirtyTriggerPercent': 25 },
    {
      'cache.maxBytes': 1000,
      'config.dirtyTriggerRatio': 0.25,
      'config.updatesTriggerRatio': 0.125,
    },
    { config: config({ evictionDirtyTrigger: 10 }) },
  ],
  [
    'thresholds of a cache of unknown size',
    {},
    {},
    { config: config({ evictionDirtyTrigger: 10 }) },
  ],
];

const stall = (/** @type {number} */ i) => (i < 11 ? i * 600 : 6000);
const STALLED = {
  'latency.readOps': [...Array.from({ length: 13 }, (_, i) => stall(i)), 7000, 7600],
  'latency.readMicros': [
    ...Array.from({ length: 13 }, (_, i) => stall(i) * 1000),
    7000_000 + 8e6,
    7600_000 + 8e6,
  ],
  'latency.writeOps': 0,
  'latency.writeMicros': 0,
  'checkpoint.running': [...Array(11).fill(0), 1, 1, 1, 1],
};

describe('server/pure/metrics', () => {
  it('four looks in which clients were made to evict tell no level', () => {
    assert.equal(
      read({
        'cache.maxBytes': [100, 100, 100, 100],
        'cache.dirtyBytes': [6, 6, 6, 6],
        'eviction.state': [16, 16, 16, 16],
      })['cache.dirtyHardLevelRatio'],
      undefined,
    );
    assert.equal(
      read({
        'cache.maxBytes': [100, 100, 100, 100],
        'cache.updatesBytes': [6, 6, 6, 6],
        'eviction.state': [256, 256, 256, 256],
      })['cache.updatesHardLevelRatio'],
      undefined,
    );
  });
  for (const [title, series, wanted, facts] of CASES) {
    it(title, () => {
      const seen = read({ 'connections.current': [0, 0, 0], ...series }, facts);
      for (const [name, value] of Object.entries(wanted)) {
        assert.ok(
          Math.abs(/** @type {any} */ (seen)[name] - value) < 1e-9,
          `${name} is ${/** @type {any} */ (seen)[name]}, not ${value}`,
        );
      }
      const sections = new Set(
        [...Object.keys(series), ...Object.keys(wanted)].map((name) => name.split('.')[0]),
      );
      const more = Object.keys(seen).filter(
        (name) => !(name in wanted) && !sections.has(name.split('.')[0]),
      );
      assert.deepEqual(
        more.filter((name) => !/^(window|ops|tickets|connections)\./.test(name)),
        [],
        'made up of nothing',
      );
    });
  }

  it('stalls and the pace in checkpoints', () => {
    const seen = read(STALLED);
    assert.equal(seen['stalls.share'], 2 / 14);
    assert.equal(seen['stalls.longestSeconds'], 2);
    assert.equal(seen['stalls.inCheckpointRatio'], 1);
    assert.ok(
      Math.abs(/** @type {number} */ (seen['checkpoint.paceRatio']) - 1600 / 4 / 600) < 1e-9,
    );
  });

  it('every reading has a case here', () => {
    const covered = new Set([
      ...CASES.flatMap(([, , wanted]) => Object.keys(wanted)),
      'stalls.share',
      'stalls.longestSeconds',
      'stalls.inCheckpointRatio',
      'stalls.inWritebackRatio',
      'stalls.quietRatio',
      'stalls.cacheWaitRatio',
      'checkpoint.paceRatio',
    ]);
    // Others are met in machine.test.js and plateau.test.js.
    assert.deepEqual(
      Object.keys(METRICS).filter(
        (name) => !covered.has(name) && !(name in MACHINE_METRICS) && !(name in PLATEAU_METRICS),
      ),
      [],
    );
  });

  it('what is not known is absent: no metric, no reading', () => {
    const seen = metricsOf(windowOf({}), NO_FACTS);
    assert.deepEqual(Object.keys(seen).sort(), [
      'tickets.probing',
      'window.longestGapSeconds',
      'window.samples',
      'window.seconds',
      'window.uptimeSeconds',
    ]);
  });

  it('a counter that fell gives no rate, a single look neither', () => {
    assert.equal(read({ 'ops.queries': [5, 3] })['ops.perSec'], undefined);
    const one = metricsOf(windowOf({ 'ops.queries': [5] }, { samples: 1 }), NO_FACTS);
    assert.equal(one['ops.perSec'], undefined);
    assert.equal(one['window.seconds'], 0);
    assert.equal(one['window.longestGapSeconds'], 0);
  });

  it('survives any one metric missing', () => {
    const all = Object.fromEntries(Object.keys(COUNTERS).map((name) => [name, [1, 2, 3]]));
    // With it the bits of eviction are not read.
    delete all['eviction.oldStateMark'];
    const whole = Object.keys(read(all, { cores: 2 })).length;
    for (const name of Object.keys(COUNTERS))
      assert.ok(
        Object.keys(read({ ...all, [name]: [undefined, undefined, undefined] }, { cores: 2 }))
          .length <= whole,
      );
  });
});

describe('server/pure/metric-kit', () => {
  it('a ratio of what is not known, or to nothing, says nothing', () => {
    for (const [a, b] of /** @type {any[]} */ ([
      [undefined, 1],
      [null, 1],
      [1, undefined],
      [1, null],
      [1, 0],
    ]))
      assert.equal(kit.ratio(a, b), undefined);
    assert.equal(kit.ratio(0, 2), 0);
  });
  it('a sum is of what is known', () => {
    assert.equal(kit.sum(undefined, 2, undefined, 3), 5);
    assert.equal(kit.sum(undefined, undefined), undefined);
    assert.equal(kit.sum(0, undefined), 0);
  });
});
